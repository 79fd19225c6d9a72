package payment

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// The messages of a transfer may be in different masterchain blocks, so the keys of each are sufficient to look it up.
func TestMatchKeys_EachMessageOfAJettonTransferSuffices(t *testing.T) {
	t.Parallel()
	tr, m := registered(t, ofJetton)
	require.GreaterOrEqual(t, tr.QueryID, uint64(drawnQueryID))
	record := KeysOf(map[string]*Record{tr.Reference: {Transfer: *tr}})
	payload, plain := text("x "+tr.Reference), text("x")
	keysOf := func(source, to chain.Address, body *cell.Cell, edits ...edit) *MatchKeys {
		s := newTrace(t)
		s.send(-1, source, to, 1, body, edits...)
		var keys MatchKeys
		keys.Add(&s.trace)
		return &keys
	}
	bounce := func(tx *chain.TraceTransaction) { tx.In.Bounced = new(true) }
	for _, c := range []struct {
		name string
		keys *MatchKeys
		want MatchKeys // without the body hash, which each has
	}{
		{"order with the reference", keysOf(payer, payerWallet, order(1, 1000, payee, payload)), MatchKeys{References: []string{tr.Reference}}},
		{"order with the query id", keysOf(payer, payerWallet, order(tr.QueryID, 1000, payee, plain)), MatchKeys{Queries: []Query{{tr.QueryID, payer}}}},
		{"credit with the reference", keysOf(payerWallet, payeeWallet, internalTransfer(1, 1000, payer, payload)), MatchKeys{References: []string{tr.Reference}}},
		{"credit with the query id", keysOf(payerWallet, payeeWallet, internalTransfer(tr.QueryID, 1000, payer, plain)), MatchKeys{Queries: []Query{{tr.QueryID, payer}}}},
		{"notification with the reference", keysOf(payeeWallet, payee, notification(1, 1000, payer, payload)), MatchKeys{References: []string{tr.Reference}}},
		{"notification with the query id", keysOf(payeeWallet, payee, notification(tr.QueryID, 1000, payer, plain)), MatchKeys{Queries: []Query{{tr.QueryID, payer}}}},
		{"comment", keysOf(payer, payee, payload), MatchKeys{References: []string{tr.Reference}}},
		{"invoice", keysOf(payer, payee, invoice(t, tr.Reference)), MatchKeys{References: []string{tr.Reference}}},
	} {
		require.Len(t, c.keys.BodyHashes, 1, c.name)
		require.Equal(t, c.want.References, c.keys.References, c.name)
		require.Equal(t, c.want.Queries, c.keys.Queries, c.name)
		require.True(t, record.Match(c.keys), c.name)
		other, _ := registered(t, ofJetton)
		require.False(t, KeysOf(map[string]*Record{other.Reference: {Transfer: *other}}).Match(c.keys), c.name)
	}
	require.True(t, record.Match(keysOf(payer, payerWallet, m.Body)))
	require.True(t, record.Match(&MatchKeys{BodyHashes: []chain.Hash{tr.BodyHash}}))
	first := keysOf(payer, payerWallet, order(drawnQueryID, 1000, payee, plain))
	require.Equal(t, []Query{{drawnQueryID, payer}}, first.Queries, "the smallest number that is drawn")
	for name, keys := range map[string]*MatchKeys{
		"bounced":           keysOf(payer, payerWallet, m.Body, bounce),
		"counted query id":  keysOf(payer, payerWallet, order(drawnQueryID-1, 1000, payee, plain)),
		"opcode alone":      keysOf(payer, payerWallet, cell.BeginCell().MustStoreUInt(0x0f8a7ea5, 32).EndCell()),
		"nothing in common": keysOf(payer, payerWallet, order(drawnQueryID, 1000, payee, plain)),
	} {
		require.Empty(t, keys.References, name)
		require.False(t, record.Match(keys), name)
	}
}

// A query id that the merchant chose is no key, whatever sends it.
func TestMatchKeys_CountedQueryIDIsNone(t *testing.T) {
	t.Parallel()
	for _, body := range []*cell.Cell{
		order(drawnQueryID-1, 1000, payee, text("x")), internalTransfer(drawnQueryID-1, 1000, payer, text("x")), notification(drawnQueryID-1, 1000, payer, text("x")),
	} {
		s := newTrace(t)
		s.send(-1, payer, payerWallet, 1, body)
		var keys MatchKeys
		keys.Add(&s.trace)
		require.Empty(t, keys.Queries)
	}
	tr, _ := registered(t, ofJetton, func(tr *Transfer) { tr.QueryID = 5 })
	require.False(t, KeysOf(map[string]*Record{tr.Reference: {Transfer: *tr}}).Match(&MatchKeys{Queries: []Query{{5, payer}}}))
}

// A paid record is matched by the transfers between its recipient and its payer, which may be refunds.
func TestRecordKeys_PairsOfPaidRecords(t *testing.T) {
	t.Parallel()
	r := paidRecord(t)
	pair := &MatchKeys{Pairs: []Pair{{From: payee, To: payer}}}
	require.True(t, KeysOf(map[string]*Record{r.Reference: r}).Match(pair))
	require.False(t, KeysOf(map[string]*Record{r.Reference: r}).Match(&MatchKeys{Pairs: []Pair{{From: payer, To: payee}}}))
	r.TxHash = nil
	require.False(t, KeysOf(map[string]*Record{r.Reference: r}).Match(pair), "not paid yet")
}

// Cells share cells: the tree of this request has 2^60 leaves.
func TestRequestedMessages_SharedCellsAreSearchedOnce(t *testing.T) {
	t.Parallel()
	c := relaxed(payee, text("x"), false)
	for range 60 {
		c = cell.BeginCell().MustStoreRef(c).MustStoreRef(c).EndCell()
	}
	require.Len(t, requestedMessages(c, payer), 1)
}
