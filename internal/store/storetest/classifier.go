package storetest

import (
	"fmt"
	"slices"
	"testing"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// Classifier classifies each trace as one action per transaction, of a type derived from its hash, and checks its
// input.
type Classifier struct{}

// Version implements [chain.TraceClassifier].
func (Classifier) Version() int16 { return 7 }

// Read implements [chain.TraceClassifier].
func (Classifier) Read(t *chain.TraceContent) chain.TraceReading { return Reading{t} }

// Reading is the reading of a trace by [Classifier].
type Reading struct{ *chain.TraceContent }

// NeedsData implements [chain.TraceReading].
func (t Reading) NeedsData() bool { return t.ID[0]%2 == 0 }

// Accounts implements [chain.TraceReading].
func (t Reading) Accounts(chain.TraceRecords) []chain.Address {
	var all []chain.Address
	for i := range t.Transactions {
		all = append(all, t.Transactions[i].Account)
	}
	return all
}

// ActionTypes are the types of the actions of [Classifier].
var ActionTypes = []string{"ton_transfer", "jetton_transfer", "cocoon_grant_refund", "tgbtc_mint", "nft_mint"}

// Classify implements [chain.TraceReading].
func (t Reading) Classify(records chain.TraceRecords) ([]chain.Action, error) {
	if t.Transactions[0].Hash != t.ID || len(t.Transactions) != t.Trace.Transactions {
		return nil, chain.Invalidf("a trace with %d of %d transactions", len(t.Transactions), t.Trace.Transactions)
	}
	if t.ID[3]%31 == 0 {
		return nil, chain.Invalidf("no classification")
	}
	var actions []chain.Action
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		if (tx.In == nil) != (tx.InMsg == nil) || len(tx.Out) != int(tx.OutMsgCount) {
			return nil, chain.Invalidf("messages of %s are missing", tx.Hash)
		}
		a := chain.Action{
			TraceID: t.ID, ID: tx.StateHashAfter, Type: ActionTypes[int(tx.Hash[0])%len(ActionTypes)], Success: true,
			StartLT: tx.LT, EndLT: tx.LT, StartUtime: tx.Now, EndUtime: tx.Now, McSeqnoEnd: tx.McSeqno,
			TxHashes: []chain.Hash{tx.Hash}, Accounts: []chain.Address{tx.Account},
			TraceEndLT: t.EndLT, TraceEndUtime: t.EndUtime, TraceMcSeqnoEnd: t.McSeqnoEnd,
			TraceExternalHash: t.ExternalHash, TraceExternalHashNorm: t.ExternalHashNorm, Ancestors: []string{},
		}
		if tx.In != nil && tx.In.Source != nil && *tx.In.Source != tx.Account {
			a.Accounts = append(a.Accounts, *tx.In.Source)
			slices.SortFunc(a.Accounts, chain.Address.Compare)
		}
		if i%4 == 3 {
			a.Ancestors = []string{"jetton_transfer"}
			a.ParentID = &actions[0].ID
		}
		r := records[tx.Account]
		a.Details = fmt.Appendf(nil, `{"data":%t,"known":%t}`, r != nil && r.Data != nil, r != nil && r.CodeHash != nil)
		actions = append(actions, a)
	}
	return actions, nil
}

// Classified returns a database that classifies traces.
func Classified(t *testing.T) *store.DB {
	t.Helper()
	db := testdb.New(t)
	db.Writer().SetClassifier(Classifier{})
	return db
}
