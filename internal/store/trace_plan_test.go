package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
)

// tracePlans are plans of queries of traces and actions.
func tracePlans(t *testing.T, r *store.Reader, last chain.Block) []planCase {
	t.Helper()
	hot, idle := synthetic.Address(0), synthetic.Address(4000)
	old, from, to, seqno := uint32(synthetic.Epoch+100), last.EndLT/4, last.EndLT/2, last.Seqno/2
	ten, ascending := chain.Page{Limit: 10}, chain.Page{Limit: 10, Sort: chain.Ascending}
	traces, err := r.Traces(t.Context(), chain.TraceFilter{}, chain.Page{Limit: 1, Offset: 1000})
	require.NoError(t, err)
	require.Len(t, traces, 1)
	deep := chain.Page{Limit: 10, After: new(traces[0].Cursor())}
	actions, err := r.Actions(t.Context(), chain.ActionFilter{}, chain.Page{Limit: 1, Offset: 1000})
	require.NoError(t, err)
	require.Len(t, actions, 1)
	deepActions := chain.Page{Limit: 10, After: new(actions[0].Cursor())}

	list := []planCase{}
	trace := func(name string, pages int, f chain.TraceFilter, p chain.Page) {
		list = append(list, planCase{"traces " + name, pages, store.TracesStatement(f, p)})
	}
	trace("newest", 60, chain.TraceFilter{}, ten)
	trace("oldest", 60, chain.TraceFilter{}, ascending)
	trace("by cursor", 60, chain.TraceFilter{}, deep)
	trace("by offset", 80, chain.TraceFilter{}, chain.Page{Limit: 10, Offset: 2000})
	trace("long ago by offset", 80, chain.TraceFilter{EndUtime: new(last.GenUtime)}, chain.Page{Limit: 10, Offset: 2000})
	trace("long ago", 60, chain.TraceFilter{EndUtime: &old}, ten)
	trace("between LTs", 60, chain.TraceFilter{StartLT: &from, EndLT: &to}, ten)
	trace("between LTs, long ago", 800, chain.TraceFilter{StartUtime: &old, EndLT: &from}, ten)
	trace("of masterchain block", 60, chain.TraceFilter{McSeqno: &seqno}, ten)
	trace("of hot account", 80, chain.TraceFilter{Account: &hot}, ten)
	trace("of hot account by cursor", 80, chain.TraceFilter{Account: &hot}, deep)
	trace("of hot account, long ago", 1500, // half a minute of the chain in addition to the requested range
		chain.TraceFilter{Account: &hot, EndUtime: &old}, ten)
	trace("of hot account in a block", 400, chain.TraceFilter{Account: &hot, McSeqno: &seqno}, ten)
	trace("of idle account", 60, chain.TraceFilter{Account: &idle}, ten)
	list = append(list, planCase{"traces in full of hot account", 80, store.TracesInFullStatement(chain.TraceFilter{Account: &hot}, ten)})

	act := func(name string, pages int, f chain.ActionFilter, p chain.Page) {
		list = append(list, planCase{"actions " + name, pages, store.ActionsStatement(f, p)})
	}
	rare := []string{"tick_tock"}
	common := []string{"ton_transfer", "jetton_transfer"}
	act("newest", 150, chain.ActionFilter{}, ten)
	act("oldest", 150, chain.ActionFilter{}, ascending)
	act("by cursor", 150, chain.ActionFilter{}, deepActions)
	act("long ago", 150, chain.ActionFilter{EndUtime: &old}, ten)
	act("between LTs", 150, chain.ActionFilter{StartLT: &from, EndLT: &to}, ten)
	act("of masterchain block", 400, chain.ActionFilter{McSeqno: &seqno}, ten)
	act("of hot account", 250, chain.ActionFilter{Account: &hot}, ten)
	act("of hot account by cursor", 250, chain.ActionFilter{Account: &hot}, deepActions)
	act("of hot account, long ago", 2500, chain.ActionFilter{Account: &hot, EndUtime: &old}, ten)
	act("of hot account with common type", 250, chain.ActionFilter{Account: &hot, Types: common}, ten)
	act("of hot account with rare type", 2000, chain.ActionFilter{Account: &hot, Types: rare}, ten)
	act("of rare type", 100, chain.ActionFilter{Types: rare}, ten)
	act("of common types", 250, chain.ActionFilter{Types: common}, ten)
	act("of common types, long ago", 2500, chain.ActionFilter{Types: common, EndUtime: &old}, ten)
	act("of all types but one", 250, chain.ActionFilter{ExcludeTypes: common[:1]}, ten)
	act("by trace", 100, chain.ActionFilter{TraceIDs: []chain.Hash{traces[0].ID}}, ten)
	act("by id", 100, chain.ActionFilter{IDs: []chain.Hash{actions[0].ID}}, ten)
	act("by transaction", 100, chain.ActionFilter{TraceIDs: []chain.Hash{traces[0].ID}, TxHashes: actions[0].TxHashes}, ten)

	list = append(list,
		planCase{"traces of hot and idle account", 160, store.TracesOfEachStatement([]chain.Address{hot, idle}, ten)},
		planCase{"actions of hot and idle account", 500, store.ActionsOfEachStatement([]chain.Address{hot, idle}, ten)})

	hashes := [][]byte{traces[0].ID[:]}
	key := []any{[][]byte{hot.Bytes()}, []int64{1}, int32(4000)}
	return append(list,
		planCase{"traces by id", 60, store.Statement{Text: store.SelectTraces, Args: []any{hashes}}},
		planCase{"nodes of traces", 60, store.Statement{Text: store.SelectNodes, Args: []any{hashes}}},
		planCase{"accounts of large traces", 60, store.Statement{Text: store.SelectLargeTraceAccounts, Args: []any{hashes, [][]byte{hot.Bytes(), idle.Bytes()}}}},
		planCase{"traces by transaction", 60, store.Statement{Text: store.SelectTracesByHash, Args: []any{hashes}}},
		planCase{"traces by message", 60, store.Statement{Text: store.SelectTracesByMessage, Args: []any{hashes}}},
		planCase{"beginnings of broken traces", 60, store.Statement{Text: store.Climb, Args: key}},
		planCase{"tree of a trace", 4000, store.Statement{Text: store.BoundedTree, Args: []any{
			hashes, [][]byte{traces[0].Root.Account.Bytes()}, []int64{int64(traces[0].Root.LT)}, int64(4001),
		}}},
	)
}
