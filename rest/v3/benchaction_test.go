package v3_test

import (
	"crypto/sha256"
	"encoding/json"
	"slices"

	"tonql/internal/action/details"
	"tonql/internal/chain"
)

// syntheticClassifier gives each complete trace of the synthetic data, whose bodies are empty, one action: a transfer
// of coins for two accounts, of Jettons for more, in about the same proportions as on the chain.
type syntheticClassifier struct{}

func (syntheticClassifier) Version() int16 { return 1 }

func (syntheticClassifier) Read(t *chain.TraceContent) chain.TraceReading {
	return pretended{reading{t}}
}

type pretended struct{ reading }

func (p pretended) Classify(chain.TraceRecords) ([]chain.Action, error) {
	const maxAccounts = 4 // of an action
	covers := make([]int, min(maxAccounts, len(p.Transactions)))
	for i := range covers {
		covers[i] = i
	}
	first, last := &p.Transactions[0].Account, &p.Transactions[len(covers)-1].Account
	kind, d := "ton_transfer", details.Details(&details.TonTransfer{
		Source: first, Destination: last, Value: new(details.Number("1000000000")), ValueExtraCurrencies: details.Currencies{},
	})
	if len(covers) > 2 {
		kind, d = "jetton_transfer", &details.JettonTransfer{Sender: first, Receiver: last, Amount: new(details.Number("1000000000"))}
	}
	a := p.action('A', kind, d, covers...)
	slices.SortFunc(a.Accounts, chain.Address.Compare)
	a.Accounts = slices.Compact(a.Accounts)
	a.ID = sha256.Sum256(p.ID[:])
	var err error
	a.Details, err = json.Marshal(d)
	return []chain.Action{a}, err
}
