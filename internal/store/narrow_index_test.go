package store_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// tieClassifier makes an action of each transaction of a trace, all with one end.
type tieClassifier struct{ storetest.Classifier }

func (tieClassifier) Read(t *chain.TraceContent) chain.TraceReading {
	return tieReading{storetest.Reading{TraceContent: t}}
}

type tieReading struct{ storetest.Reading }

func (tieReading) NeedsData() bool                             { return false }
func (tieReading) Accounts(chain.TraceRecords) []chain.Address { return nil }
func (t tieReading) Classify(chain.TraceRecords) ([]chain.Action, error) {
	actions := make([]chain.Action, len(t.Transactions))
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		actions[i] = chain.Action{
			TraceID: t.ID, ID: sha256.Sum256(tx.Hash[:]), Type: storetest.ActionTypes[i%len(storetest.ActionTypes)], Success: true,
			StartLT: tx.LT, EndLT: t.EndLT, StartUtime: tx.Now, EndUtime: t.EndUtime, McSeqnoEnd: tx.McSeqno,
			TxHashes: []chain.Hash{tx.Hash}, Accounts: []chain.Address{tx.Account},
			TraceEndLT: t.EndLT, TraceEndUtime: t.EndUtime, TraceMcSeqnoEnd: t.McSeqnoEnd,
		}
	}
	return actions, nil
}

// Indexes have 7 bytes of an id. Neither thousands of traces that end at one LT and second nor a trace of thousands of actions make
// a page of a list read more than these, and every page is in order.
func TestNarrowIndexes_ManyTiesReadABoundedNumberOfPages(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const ties = 3000
	db := newDBWithoutAutovacuum(t)
	db.Writer().SetClassifier(tieClassifier{})
	blocks := storetest.GiantTrace(chain.MaxTraceTransactions, 200, 400)
	var full uint64 // the LT of many traces
	for range 40 {
		mb := testdb.Master(uint32(len(blocks) + 1))
		n := 20
		if len(blocks)%20 == 7 {
			n, full = ties, mb.Block.StartLT
		}
		for range n {
			tx := testdb.NewTransaction(mb, testdb.Address())
			tx.LT, tx.Hash = mb.Block.StartLT, sha256.Sum256(tx.Hash[:])
			mb.Transactions = append(mb.Transactions, tx)
		}
		mb.ShardBlocks[0].TxCount = int32(n)
		blocks = append(blocks, mb)
	}
	storetest.Apply(t, db.Writer(), blocks)
	r := db.Reader()
	everything := chain.Page{Limit: 20_000}
	readTraces := func(p chain.Page) ([]chain.Trace, error) { return r.Traces(t.Context(), chain.TraceFilter{}, p) }
	traces, err := readTraces(everything)
	require.NoError(t, err)
	require.Greater(t, len(traces), 2*ties)
	require.True(t, slices.IsSortedFunc(traces, func(a, b chain.Trace) int {
		return -cmp.Or(cmp.Compare(a.EndLT, b.EndLT), bytes.Compare(a.ID[:], b.ID[:]))
	}))
	storetest.RequirePages(t, traces, 700, chain.Descending, (*chain.Trace).Cursor, readTraces)
	f := chain.ActionFilter{Types: storetest.ActionTypes}
	readActions := func(p chain.Page) ([]chain.Action, error) { return r.Actions(t.Context(), f, p) }
	actions, err := readActions(everything)
	require.NoError(t, err)
	require.Greater(t, len(actions), 2*ties)
	require.True(t, slices.IsSortedFunc(actions, func(a, b chain.Action) int {
		return -cmp.Or(cmp.Compare(a.TraceEndLT, b.TraceEndLT), bytes.Compare(a.TraceID[:], b.TraceID[:]), cmp.Compare(a.EndLT, b.EndLT), bytes.Compare(a.ID[:], b.ID[:]))
	}))
	storetest.RequirePages(t, actions, 700, chain.Descending, (*chain.Action).Cursor, readActions)

	tied := slices.IndexFunc(traces, func(x chain.Trace) bool { return x.EndLT == full })
	require.GreaterOrEqual(t, tied, 0)
	middle := tied + ties/2
	require.Equal(t, traces[tied].EndLT, traces[middle].EndLT)
	within := slices.IndexFunc(actions, func(a chain.Action) bool { return a.TraceEndLT == traces[middle].EndLT }) + ties/4
	giant := slices.IndexFunc(actions, func(a chain.Action) bool { return a.TraceID == blocks[0].Transactions[0].Hash })
	until := traces[middle].EndUtime
	list := []planCase{}
	for name, p := range map[string]chain.Page{
		"before ties": {Limit: 10}, "in ties": {Limit: 10, After: new(traces[middle].Cursor())}, "backwards": {Limit: 10, Before: new(traces[middle].Cursor()), Last: true},
		"from the start to ties": {Limit: 10, Before: new(traces[middle].Cursor())},
		"by offset":              {Limit: 10, Offset: middle},
	} {
		list = append(list, planCase{"traces " + name, 1000, store.TracesStatement(chain.TraceFilter{}, p)})
		if p.After == nil && p.Before == nil {
			list = append(list, planCase{"traces of a time " + name, 1000, store.TracesStatement(chain.TraceFilter{EndUtime: &until}, p)})
		}
	}
	for name, at := range map[string]int{"in ties": within, "in the giant trace": giant + 100} {
		page := chain.Page{Limit: 10, After: new(actions[at].Cursor())}
		list = append(list, planCase{"actions " + name, 1000, store.ActionsStatement(chain.ActionFilter{}, page)},
			planCase{"actions of types " + name, 1000, store.ActionsStatement(f, page)},
			planCase{"actions of a time " + name, 1000, store.ActionsStatement(chain.ActionFilter{EndUtime: &until}, page)})
	}
	requirePlans(t, db, list)

	for _, offset := range []int{1, tied, middle, len(traces) - 5, len(traces) + 5} {
		got, err := readTraces(chain.Page{Limit: 10, Offset: offset})
		require.NoError(t, err)
		storetest.RequireSame(t, traces[min(offset, len(traces)):min(offset+10, len(traces))], got)
		before := slices.DeleteFunc(slices.Clone(traces), func(x chain.Trace) bool { return x.EndUtime > until })
		got, err = r.Traces(t.Context(), chain.TraceFilter{EndUtime: &until}, chain.Page{Limit: 10, Offset: offset})
		require.NoError(t, err)
		storetest.RequireSame(t, before[min(offset, len(before)):min(offset+10, len(before))], got)
	}
}

// Actions that are left of traces whose rows are gone are not written twice.
func TestNarrowIndexes_LeftActionsAreReplaced(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := newTraceFixture(t)
	want, err := w.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	storetest.ExecSQL(t, w.DB, `UPDATE transactions SET trace_id = NULL, trace_external_hash = NULL`)
	storetest.ExecSQL(t, w.DB, `DELETE FROM traces`)
	within := chain.SeqnoRange{First: 1, Last: w.Masters[len(w.Masters)-1].Block.Seqno}
	for {
		n, err := w.DB.Writer().Retrace(t.Context(), within, 50)
		require.NoError(t, err)
		if n == 0 {
			break
		}
	}
	got, err := w.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want.String(), got.String())
}

// The migration runs while lists are read and blocks are written. Repeated after an interruption, it replaces what that left.
func TestNarrowIndexes_MigrationRunsBesideReadersAndWriters(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	past, first := storetest.HistoryOf(blocks), len(blocks)-3
	index := func() *traceFixture {
		w := &traceFixture{Chain: &storetest.Chain{DB: testdb.New(t)}}
		w.Reader = w.DB.Reader()
		w.DB.Writer().SetClassifier(storetest.Classifier{})
		storetest.Apply(t, w.DB.Writer(), storetest.WithBases(blocks[:first], past))
		return w
	}
	w := index()
	want, err := w.Reader.Actions(t.Context(), chain.ActionFilter{}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	require.NotEmpty(t, want)
	handle := w.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	storetest.Undo(t, handle, "00066_narrow_indexes.sql")
	var behind *migrations.SchemaError
	require.ErrorAs(t, migrations.Check(t.Context(), handle), &behind)
	require.Equal(t, []int64{66}, behind.Missing)
	require.Contains(t, behind.Error(), "run 'tonql migrate'")
	// An interrupted build leaves an index that is not valid.
	storetest.ExecSQL(t, w.DB, `CREATE INDEX traces_lt ON traces (end_lt) WHERE pending = 0`)
	storetest.ExecSQL(t, w.DB, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'traces_lt'::regclass`)

	group, ctx := errgroup.WithContext(t.Context())
	done := make(chan struct{})
	for _, of := range []chain.ActionFilter{{}, {Types: storetest.ActionTypes}} {
		group.Go(func() error {
			for n := 0; ; n++ {
				select {
				case <-done:
					if n == 0 {
						return errors.New("nothing was read beside the migration")
					}
					return nil
				default:
				}
				got, err := w.Reader.Actions(ctx, of, chain.Page{Limit: 1000})
				if err != nil || len(got) < len(want) {
					return fmt.Errorf("%d actions: %w", len(got), err)
				}
			}
		})
	}
	group.Go(func() error { return w.DB.Writer().Apply(ctx, storetest.WithBases(blocks[first:], past)...) })
	n, err := migrations.Up(ctx, handle)
	close(done)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoError(t, group.Wait())
	require.NoError(t, migrations.Check(t.Context(), handle))
	require.Zero(t, storetest.Count(t, handle, `SELECT count(*) FROM pg_index WHERE NOT indisvalid`))
	require.Equal(t, 2, storetest.Count(t, handle, `SELECT indnatts FROM pg_index WHERE indexrelid = 'traces_lt'::regclass`))

	other := index()
	storetest.Apply(t, other.DB.Writer(), storetest.WithBases(blocks[first:], past))
	expected, err := other.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	got, err := w.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, expected.String(), got.String())
}
