package store_test

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/digests"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// Traces, participants and actions are equal byte for byte in every order of blocks, also when the writer restarts
// between them.
func TestApply_TracesAreEqualInAnyOrder(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	past := storetest.HistoryOf(blocks)
	rng := rand.New(rand.NewPCG(5, 6))
	single := slices.Collect(slices.Chunk(blocks, 1))
	backwards, shuffled := slices.Clone(single), slices.Clone(single)
	slices.Reverse(backwards)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	pieces := slices.Collect(slices.Chunk(blocks, 9))
	rng.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	var want digests.Digest
	for _, order := range []struct {
		name    string
		batches [][]*chain.MasterBlock
	}{
		{"forward", single},
		{"at once", [][]*chain.MasterBlock{blocks}},
		{"backwards", backwards},
		{"shuffled", shuffled},
		{"pieces", pieces},
	} {
		db := testdb.New(t)
		db.Writer().SetClassifier(storetest.Classifier{})
		for i, batch := range order.batches {
			storetest.Apply(t, db.Writer(), storetest.WithBases(batch, past))
			if i%5 == 0 {
				db.Writer().Forget()
			}
		}
		got, err := db.Reader().Digest(t.Context(), nil)
		require.NoError(t, err)
		if want.Tables == nil {
			want = got
		}
		require.Equal(t, want.String(), got.String(), order.name)
	}
}

type traceFixture struct {
	*storetest.Chain

	list    []chain.Trace // complete ones
	actions []chain.Action
}

func newTraceFixture(t *testing.T) *traceFixture {
	t.Helper()
	return newTraceFixtureWithKeys(t, math.MaxInt64)
}

// newTraceFixtureWithKeys makes the keys of the accounts one of a few.
func newTraceFixtureWithKeys(t *testing.T, different int64) *traceFixture {
	t.Helper()
	return traceFixtureOf(t, storetest.IndexChain(t), different)
}

func traceFixtureOf(t *testing.T, c *storetest.Chain, different int64) *traceFixture {
	t.Helper()
	w := &traceFixture{Chain: c}
	w.DB.TruncateAccountKeys(different)
	byTrace := map[chain.Hash][]chain.TransactionKey{}
	for i := range w.Transactions {
		if id := w.Transactions[i].TraceID; id != nil {
			byTrace[*id] = append(byTrace[*id], w.Transactions[i].Key())
		}
	}
	var ids []chain.Hash
	for id, trace := range w.Traces {
		require.Len(t, byTrace[id], trace.Transactions)
		if trace.State == chain.TraceComplete {
			ids = append(ids, id)
		}
	}
	w.DB.Writer().SetClassifier(storetest.Classifier{})
	require.NoError(t, w.DB.Writer().Reclassify(t.Context(), ids))
	for _, id := range ids {
		trace := *w.Traces[id]
		rows, err := w.Reader.TracesByID(t.Context(), []chain.Hash{id})
		require.NoError(t, err)
		require.NotEqual(t, chain.Unclassified, rows[0].Classification)
		trace.Classification = rows[0].Classification
		w.list = append(w.list, trace)
	}
	actions, err := w.Reader.ActionsOfTraces(t.Context(), ids, []string{"none"})
	require.NoError(t, err)
	require.Empty(t, actions)
	all, err := w.Reader.Actions(t.Context(), chain.ActionFilter{Types: storetest.ActionTypes, Supported: []string{"none"}}, chain.Page{Limit: 10_000})
	require.NoError(t, err)
	w.actions = all
	require.Greater(t, len(w.actions), 300)
	require.Greater(t, len(w.list), 100)
	return w
}

func compareTraces(byTime bool) func(a, b *chain.Trace) int {
	return func(a, b *chain.Trace) int {
		by := cmp.Compare(a.EndLT, b.EndLT)
		if byTime {
			by = cmp.Compare(a.EndUtime, b.EndUtime)
		}
		return cmp.Or(by, storetest.CompareHash(a.ID, b.ID))
	}
}

// TestTraces_EveryFilterEqualsASearchInMemory compares every filter, page by page, with a search in memory.
func TestTraces_EveryFilterEqualsASearchInMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	requireTraceFilters(t, newTraceFixture(t))
}

func requireTraceFilters(t *testing.T, w *traceFixture) {
	t.Helper()
	takesPart := func(trace *chain.Trace, account chain.Address) bool {
		return slices.ContainsFunc(w.Transactions, func(tx chain.Transaction) bool {
			return tx.Account == account && tx.TraceID != nil && *tx.TraceID == trace.ID
		})
	}
	for n := range 40 {
		some := storetest.Pick(w.Chain, w.list)
		f := chain.TraceFilter{}
		switch n % 5 {
		case 0:
			f.Account = &some.Root.Account
		case 1:
			f.McSeqno = &some.McSeqnoEnd
		case 2:
			f.Account = &some.Root.Account
			f.McSeqno = &some.McSeqnoEnd
		}
		if w.Chance(3) {
			f.StartUtime = new(some.EndUtime - 5)
		}
		if w.Chance(3) {
			f.EndUtime = new(some.EndUtime + 5)
		}
		if w.Chance(4) {
			f.StartLT = &some.EndLT
		}
		if w.Chance(4) {
			f.EndLT = new(some.EndLT + 5_000_000)
		}
		byTime := f.StartUtime != nil || f.EndUtime != nil
		for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
			want := storetest.Select(w.list, func(trace *chain.Trace) bool {
				return (f.Account == nil || takesPart(trace, *f.Account)) && storetest.Is(f.McSeqno, trace.McSeqnoEnd) &&
					storetest.In(trace.EndUtime, f.StartUtime, f.EndUtime) && storetest.In(trace.EndLT, f.StartLT, f.EndLT)
			}, func(a, b *chain.Trace) int { return storetest.Directed(sort, compareTraces(byTime)(a, b)) })
			storetest.RequirePages(t, want, 7, sort, (*chain.Trace).Cursor, func(p chain.Page) ([]chain.Trace, error) { return w.Reader.Traces(t.Context(), f, p) })
			rows, err := w.Reader.Traces(t.Context(), f, chain.Page{Limit: 4, Offset: 3, Sort: sort})
			require.NoError(t, err)
			require.Equal(t, storetest.CutOffset(want, chain.Page{Limit: 4, Offset: 3}), append([]chain.Trace{}, rows...))
		}
	}
}

// The hash of each transaction and message finds its trace, in every state of the trace, with the complete tree.
func TestTraces_AnyHashFindsTheCompleteTree(t *testing.T) {
	t.Parallel()
	w := newTraceFixture(t)
	full := func(f chain.TraceFilter) *chain.FullTrace {
		traces, err := w.Reader.Traces(t.Context(), f, chain.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, traces, 1)
		out, err := w.Reader.FullTraces(t.Context(), traces, chain.TraceInclude{Actions: true, Supported: storetest.ActionTypes})
		require.NoError(t, err)
		require.Len(t, out[0].Transactions, traces[0].Transactions)
		require.False(t, out[0].Incomplete())
		require.NotNil(t, out[0].Actions)
		nodes := 0
		var count func(n *chain.TraceNode)
		count = func(n *chain.TraceNode) {
			nodes++
			for _, c := range n.Children {
				count(c)
			}
		}
		count(out[0].Tree)
		require.Equal(t, traces[0].Transactions, nodes)
		return &out[0]
	}
	seen := map[chain.TraceState]int{}
	for range 60 {
		tx := storetest.Pick(w.Chain, w.Transactions)
		trace := full(chain.TraceFilter{TxHashes: []chain.Hash{tx.Hash}})
		seen[trace.State]++
		if tx.TraceID == nil {
			require.Equal(t, chain.TraceBroken, trace.State)
		} else {
			require.Equal(t, *tx.TraceID, trace.ID)
			require.Equal(t, w.Traces[trace.ID].PendingMessages, trace.PendingMessages)
		}
		require.Equal(t, trace.ID, full(chain.TraceFilter{IDs: []chain.Hash{trace.ID}}).ID)
		for _, m := range w.Messages {
			if m.ReceivedBy != nil && m.ReceivedBy.Hash == tx.Hash || m.SentBy != nil && m.SentBy.Hash == tx.Hash {
				require.Equal(t, trace.ID, full(chain.TraceFilter{MsgHashes: []chain.Hash{m.Hash}}).ID)
				if m.HashNorm != nil {
					require.Equal(t, trace.ID, full(chain.TraceFilter{MsgHashes: []chain.Hash{*m.HashNorm}}).ID)
				}
			}
		}
	}
	require.Positive(t, seen[chain.TraceComplete])
	require.Positive(t, seen[chain.TracePending])
	none, err := w.Reader.Traces(t.Context(), chain.TraceFilter{IDs: []chain.Hash{testdb.Hash()}}, chain.Page{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, none)
}

// TestActions_EveryFilterEqualsASearchInMemory compares every filter, page by page, with a search in memory.
func TestActions_EveryFilterEqualsASearchInMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	requireActionFilters(t, newTraceFixture(t))
}

func requireActionFilters(t *testing.T, w *traceFixture) {
	t.Helper()
	for n := range 60 {
		some := storetest.Pick(w.Chain, w.actions)
		f := chain.ActionFilter{}
		switch n % 6 {
		case 0:
			f.Account = &some.Accounts[0]
		case 1:
			f.McSeqno = &some.TraceMcSeqnoEnd
		case 2:
			f.TxHashes = []chain.Hash{some.TxHashes[0], testdb.Hash()}
		case 3:
			f.TraceIDs = []chain.Hash{some.TraceID}
		case 4:
			f.IDs = []chain.Hash{some.ID}
		}
		if w.Chance(3) {
			f.Types = []string{"tgbtc_mint", some.Type}
		} else {
			f.Supported = chain.ExpandActionTypes([]string{[]string{"v1", "v4", "latest", "tgbtc"}[w.Rand.IntN(4)]})
		}
		if w.Chance(4) {
			f.ExcludeTypes = []string{"nft_mint"}
		}
		if w.Chance(3) {
			f.StartUtime = new(some.TraceEndUtime - 5)
		}
		if w.Chance(4) {
			f.EndLT = new(some.TraceEndLT + 5_000_000)
		}
		supported := f.Supported
		if supported == nil {
			supported = chain.ExpandActionTypes(nil)
		}
		byTime := f.StartUtime != nil || f.EndUtime != nil
		for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
			want := storetest.Select(w.actions, func(a *chain.Action) bool {
				return (f.Account == nil || slices.Contains(a.Accounts, *f.Account)) && storetest.Is(f.McSeqno, a.TraceMcSeqnoEnd) &&
					(f.TxHashes == nil || slices.ContainsFunc(a.TxHashes, func(h chain.Hash) bool { return slices.Contains(f.TxHashes, h) })) &&
					(len(f.TraceIDs) == 0 || a.TraceID == f.TraceIDs[0]) && (len(f.IDs) == 0 || a.ID == f.IDs[0]) &&
					(f.Types == nil && slices.Contains(supported, a.Type) || slices.Contains(f.Types, a.Type)) &&
					!slices.Contains(f.ExcludeTypes, a.Type) &&
					!slices.ContainsFunc(a.Ancestors, func(s string) bool { return slices.Contains(supported, s) }) &&
					storetest.In(a.TraceEndUtime, f.StartUtime, f.EndUtime) && storetest.In(a.TraceEndLT, f.StartLT, f.EndLT)
			}, func(a, b *chain.Action) int {
				by := cmp.Or(cmp.Compare(a.TraceEndLT, b.TraceEndLT), bytes.Compare(a.TraceID[:], b.TraceID[:]), cmp.Compare(a.EndLT, b.EndLT))
				if byTime {
					by = cmp.Or(cmp.Compare(a.TraceEndUtime, b.TraceEndUtime), bytes.Compare(a.TraceID[:], b.TraceID[:]), cmp.Compare(a.EndUtime, b.EndUtime))
				}
				return storetest.Directed(sort, cmp.Or(by, bytes.Compare(a.ID[:], b.ID[:])))
			})
			storetest.RequirePages(t, want, 7, sort, (*chain.Action).Cursor, func(p chain.Page) ([]chain.Action, error) { return w.Reader.Actions(t.Context(), f, p) })
		}
	}
}
