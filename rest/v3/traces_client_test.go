package v3_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tonql/internal/action/details"
	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// The fixture of traces has no J14 in block 14, so that the message to it is in flight. Each block k
// then has two traces: Wk, of Wk and Jk, and Tk, a tick. Their actions are:
//
//	Sk  jvault_stake, of Wk and Jk, whose part is
//	Pk  jetton_transfer, of Jk
//	Ck  ton_transfer, of Wk, with extra currencies when k is even
//	Uk  unknown, of Tk
const inPart = "jvault_stake"

type classifier struct{}

func (classifier) Version() int16 { return 1 }

func (classifier) Read(t *chain.TraceContent) chain.TraceReading { return reading{t} }

type reading struct{ *chain.TraceContent }

func (reading) Accounts(chain.TraceRecords) []chain.Address { return nil }

func (reading) NeedsData() bool { return false }

func (r reading) Classify(chain.TraceRecords) ([]chain.Action, error) {
	k := r.McSeqnoEnd
	if r.ExternalHash == nil {
		return []chain.Action{r.action('U', "unknown", &details.Unknown{Error: "unsupported action type: 'unknown'"}, 0)}, nil
	}
	stake := r.action('S', inPart, &details.JVaultStake{
		Source: &chaintest.Wallet, StakeWallet: &chaintest.JettonWallet, Pool: &poolAddress, Amount: new(details.Number("5")),
	}, 0, 1)
	part := r.action('P', "jetton_transfer", &details.JettonTransfer{
		Sender: &chaintest.Wallet, Receiver: &poolAddress, Amount: new(details.Number("5")), Comment: new(chaintest.Ticker.String()),
	}, 1)
	part.ParentID, part.Ancestors, part.Opcode = &stake.ID, []string{inPart}, new(uint32(chaintest.TransferOp))
	coins := &details.TonTransfer{Source: &chaintest.Wallet, Destination: &chaintest.JettonWallet, ValueExtraCurrencies: details.Currencies{}}
	if k%2 == 0 {
		coins.ValueExtraCurrencies["100"] = "7"
	}
	return []chain.Action{stake, part, r.action('C', "ton_transfer", coins, 0)}, nil
}

var poolAddress = chain.Address{Workchain: 0, ID: chain.Hash{0: 0x55}}

// action returns an action that covers some transactions of the trace.
func (r reading) action(name byte, kind string, d details.Details, covers ...int) chain.Action {
	first, last := r.Transactions[covers[0]], r.Transactions[covers[len(covers)-1]]
	a := chain.Action{
		TraceID: r.ID, ID: chaintest.Action.Hash(name, r.McSeqnoEnd), Type: kind, Success: true, StartLT: first.LT, EndLT: last.LT,
		StartUtime: first.Now, EndUtime: last.Now, McSeqnoEnd: last.McSeqno, Ancestors: []string{},
		TraceEndLT: r.EndLT, TraceEndUtime: r.EndUtime, TraceMcSeqnoEnd: r.McSeqnoEnd,
		TraceExternalHash: r.ExternalHash, TraceExternalHashNorm: r.ExternalHashNorm,
	}
	for _, i := range covers {
		a.TxHashes = append(a.TxHashes, r.Transactions[i].Hash)
		a.Accounts = append(a.Accounts, r.Transactions[i].Account)
	}
	a.Details, _ = json.Marshal(d)
	return a
}

// tracesClient also sends GraphQL queries.
type tracesClient struct {
	*testClient

	svc *resolvers.Service
}

func serveTraces(t testing.TB) *tracesClient {
	t.Helper()
	db := testdb.New(t)
	db.Writer().SetClassifier(classifier{})
	chaintest.Index(t, db, lastMc, func(b *chain.MasterBlock) {
		if b.Block.Seqno == lastMc {
			b.Transactions, b.BOCs, b.States, b.Messages = b.Transactions[:2], b.BOCs[:2], b.States[:2], b.Messages[:2]
			b.Messages[1].ReceivedBy = nil
			b.ShardBlocks[0].TxCount = 1
		}
	})
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test", TestOnly: true})
	t.Cleanup(svc.Close)
	return &tracesClient{open(t, db), svc}
}

// by lists the rows by the names of the hashes in one member.
func by(member string, rows any) string {
	var list []string
	for _, row := range rows.([]any) {
		list = append(list, nameOf(map[string]any{"hash": row.(map[string]any)[member]}))
	}
	return strings.Join(list, " ")
}
