package trace

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// newPaymentTrace makes the trace of a wallet that receives an external message and sends coins with a comment.
func newPaymentTrace(comment chain.BOC) *chain.TraceContent {
	wallet, friend := chain.Address{ID: [32]byte{1}}, chain.Address{ID: [32]byte{2}}
	order := &chain.Message{
		Key: chain.MessageKey{Account: wallet, LT: 10}, Hash: chain.Hash{10}, HashNorm: &chain.Hash{11}, Kind: chain.ExternalIn,
		Destination: &wallet, Body: cell.BeginCell().MustStoreUInt(1, 8).EndCell().ToBOC(),
	}
	coins := &chain.Message{
		Key: chain.MessageKey{Account: wallet, LT: 11}, Hash: chain.Hash{12}, Source: &wallet, Destination: &friend,
		Value: new(chain.Coins(5_000_000_000)), ValueExtra: chain.ExtraCurrencies{},
		CreatedLT: new(uint64(11)), CreatedAt: new(uint32(1000)), Opcode: new(uint32(0)), Body: comment,
	}
	ran := chain.TransactionDescription{Compute: &chain.ComputePhase{Success: true}}
	return &chain.TraceContent{
		Trace: chain.Trace{ID: chain.Hash{1}, ExternalHash: &order.Hash, EndLT: 20, EndUtime: 1001, McSeqnoEnd: 7},
		Transactions: []chain.TraceTransaction{
			{
				Transaction: &chain.Transaction{
					Account: wallet, LT: 10, Hash: chain.Hash{1}, Now: 1000, McSeqno: 6, OrigStatus: chain.Active, EndStatus: chain.Active, Description: ran,
				},
				In: order, Out: []*chain.Message{coins},
			},
			{
				Transaction: &chain.Transaction{
					Account: friend, LT: 20, Hash: chain.Hash{2}, Now: 1001, McSeqno: 7, OrigStatus: chain.Active, EndStatus: chain.Active, Description: ran,
				},
				In: coins,
			},
		},
	}
}

func TestClassifier_PaymentBecomesTonTransfer(t *testing.T) {
	t.Parallel()
	body := cell.BeginCell().MustStoreUInt(0, 32).MustStoreStringSnake("rent").EndCell().ToBOC()
	content := newPaymentTrace(body)
	r := Classifier{}.Read(content)
	require.False(t, r.NeedsData())
	records := chain.TraceRecords{}
	accounts := r.Accounts(records)
	require.ElementsMatch(t, []chain.Address{content.Transactions[0].Account, content.Transactions[1].Account}, accounts)
	for _, a := range accounts {
		records[a] = &chain.TraceRecord{}
	}
	require.Empty(t, r.Accounts(records))
	rows, err := r.Classify(records)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	a := rows[0]
	require.Equal(t, "ton_transfer", a.Type)
	require.True(t, a.Success)
	require.Equal(t, content.ID, a.TraceID)
	require.Equal(t, []chain.Hash{{1}, {2}}, a.TxHashes)
	require.Equal(t, accounts, a.Accounts)
	require.Equal(t, uint32(7), a.TraceMcSeqnoEnd)
	var details struct{ Value, Comment string }
	require.NoError(t, json.Unmarshal(a.Details, &details))
	require.Equal(t, "5000000000", details.Value)
	require.Equal(t, "rent", details.Comment)
}

// An action begins when its first message was made and ends with its last transaction; its row also has the end of the trace and both hashes of
// the message from outside that caused it.
func TestClassifier_RowHasTheSpanOfItsAction(t *testing.T) {
	t.Parallel()
	content := newPaymentTrace(cell.BeginCell().EndCell().ToBOC())
	content.EndLT, content.EndUtime, content.McSeqnoEnd = 30, 1002, 8 // of a later action
	content.ExternalHashNorm = content.Transactions[0].In.HashNorm
	r := Classifier{}.Read(content)
	rows, err := r.Classify(chain.TraceRecords{})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	a := rows[0]
	require.Equal(t, []uint64{11, 20}, []uint64{a.StartLT, a.EndLT})
	require.Equal(t, []uint32{1000, 1001, 7}, []uint32{a.StartUtime, a.EndUtime, a.McSeqnoEnd})
	require.Equal(t, []any{uint64(30), uint32(1002), uint32(8)}, []any{a.TraceEndLT, a.TraceEndUtime, a.TraceMcSeqnoEnd})
	require.Equal(t, []*chain.Hash{{10}, {11}}, []*chain.Hash{a.TraceExternalHash, a.TraceExternalHashNorm})
	require.Nil(t, a.ParentID)
}

// A message that is not a bag of cells fails its trace.
func TestClassifier_ReportsUnreadableMessage(t *testing.T) {
	t.Parallel()
	var failed error
	c := Classifier{Failed: func(id chain.Hash, err error) {
		require.Equal(t, chain.Hash{1}, id)
		failed = err
	}}
	r := c.Read(newPaymentTrace(chain.BOC{0xb5, 0xee, 0x9c, 0x72}))
	require.Empty(t, r.Accounts(chain.TraceRecords{}))
	rows, err := r.Classify(chain.TraceRecords{})
	require.Error(t, err)
	require.Equal(t, err, failed)
	require.Empty(t, rows)
}

// The messages of 4000 transactions may share cells and have gigabytes without them. In a trace of more than 32 MiB large bodies count as
// unknown; all others are read.
func TestClassifier_LargeBodiesOfHugeTracesAreNotRead(t *testing.T) {
	t.Parallel()
	text := func(size int) chain.BOC {
		return cell.BeginCell().MustStoreUInt(0, 32).MustStoreStringSnake(strings.Repeat("a", size)).EndCell().ToBOC()
	}
	log := text(100_000)
	for name, tc := range map[string]struct {
		comment, logs int
		read          bool
	}{
		"a large body of a trace of 30 MiB": {20_000, 300, true},
		"a large body of a trace of 33 MiB": {20_000, 340, false},
		"a body of a trace of 33 MiB":       {10_000, 340, true},
	} {
		content := newPaymentTrace(text(tc.comment))
		sender := &content.Transactions[0]
		for i := range tc.logs {
			sender.Out = append(sender.Out, &chain.Message{
				Hash: chain.Hash{13, byte(i), byte(i >> 8)}, Kind: chain.ExternalOut, Source: &sender.Account, CreatedLT: new(uint64(12 + i)), CreatedAt: new(uint32(1000)),
				Opcode: new(uint32(0)), Body: log,
			})
		}
		r := Classifier{}.Read(content)
		records := chain.TraceRecords{}
		for _, a := range r.Accounts(records) {
			records[a] = &chain.TraceRecord{}
		}
		rows, err := r.Classify(records)
		require.NoError(t, err, name)
		transfer := slices.IndexFunc(rows, func(a chain.Action) bool { return a.Type == "ton_transfer" })
		require.GreaterOrEqual(t, transfer, 0, name)
		var d struct {
			Comment *string `json:"comment"`
		}
		require.NoError(t, json.Unmarshal(rows[transfer].Details, &d), name)
		require.Equal(t, tc.read, d.Comment != nil, "%s: %.200s", name, rows[transfer].Details)
	}
}
