package store_test

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// fixture has the same small chain in memory and in a database: results of the database are compared with those of a
// search over the rows in memory.
type fixture struct {
	db       *store.DB
	r        *store.Reader
	masters  []*chain.MasterBlock
	blocks   []chain.Block
	txs      []chain.Transaction
	messages []chain.Message
	traces   map[chain.Hash]*chain.Trace
	rng      *rand.Rand
}

// smallChain has shards, hot and idle accounts and messages across blocks.
func smallChain() []*chain.MasterBlock {
	o := synthetic.Options{Transactions: 1200, Accounts: 60, PerBlock: 17, Shards: 4, Seed: 7, BOCs: true, Cells: true}
	blocks, _ := synthetic.New(o).Batch(1 << 20)
	return blocks
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	db := testdb.New(t)
	w := &fixture{db: db, r: db.Reader(), masters: smallChain(), rng: rand.New(rand.NewPCG(3, 4))}
	apply(t, db.Writer(), w.masters)
	joined := map[chain.MessageKey]int{}
	for _, mb := range w.masters {
		w.blocks = append(append(w.blocks, mb.Block), mb.ShardBlocks...)
		w.txs = append(w.txs, mb.Transactions...)
		for _, m := range mb.Messages {
			i, ok := joined[m.Key]
			if !ok {
				joined[m.Key] = len(w.messages)
				w.messages = append(w.messages, m)
				continue
			}
			w.messages[i].SentBy = cmp.Or(w.messages[i].SentBy, m.SentBy)
			w.messages[i].ReceivedBy = cmp.Or(w.messages[i].ReceivedBy, m.ReceivedBy)
		}
	}
	w.traces = assignTraces(w.txs, w.messages)
	return w
}

// chance is true once in n.
func (w *fixture) chance(n int) bool { return w.rng.IntN(n) == 0 }

func pick[T any](w *fixture, rows []T) T { return rows[w.rng.IntN(len(rows))] }

// selected filters and sorts rows in memory.
func selected[T any](rows []T, keep func(*T) bool, compare func(a, b *T) int) []T {
	matching := []T{}
	for i := range rows {
		if keep(&rows[i]) {
			matching = append(matching, rows[i])
		}
	}
	slices.SortFunc(matching, func(a, b T) int { return compare(&a, &b) })
	return matching
}

// cutOffset returns the rows of an offset page.
func cutOffset[T any](rows []T, p chain.Page) []T {
	rows = rows[min(p.Offset, len(rows)):]
	return rows[:min(p.Limit, len(rows))]
}

// in reports whether v lies in an inclusive range with optional ends.
func in[T cmp.Ordered](v T, low, high *T) bool {
	return (low == nil || v >= *low) && (high == nil || v <= *high)
}

func is[T comparable](want *T, v T) bool { return want == nil || *want == v }

// directed reverses a comparison for descending lists.
func directed(s chain.Sort, c int) int {
	if s == chain.Descending {
		return -c
	}
	return c
}

func compareHash(a, b chain.Hash) int { return bytes.Compare(a[:], b[:]) }

// requirePages reads a list page by page with cursors, in both directions, and compares it with want.
func requirePages[T any](t *testing.T, want []T, limit int, sort chain.Sort, cursor func(*T) chain.Cursor,
	read func(chain.Page) ([]T, error),
) {
	t.Helper()
	forward := []T{}
	p := chain.Page{Limit: limit, Sort: sort}
	for len(forward) <= len(want) {
		rows, err := read(p)
		require.NoError(t, err)
		forward = append(forward, rows...)
		if len(rows) < limit {
			break
		}
		p.After = new(cursor(&rows[len(rows)-1]))
	}
	require.Equal(t, want, forward, "forward by cursor")
	backward := []T{}
	p = chain.Page{Limit: limit, Sort: sort, Last: true}
	for len(backward) <= len(want) {
		rows, err := read(p)
		require.NoError(t, err)
		backward = append(slices.Clone(rows), backward...)
		if len(rows) < limit {
			break
		}
		p = chain.Page{Limit: limit, Sort: sort, Before: new(cursor(&rows[0]))}
	}
	require.Equal(t, want, backward, "backward by cursor")
	if len(want) > 4 { // a window between two cursors
		p = chain.Page{Limit: len(want), Sort: sort, After: new(cursor(&want[1])), Before: new(cursor(&want[len(want)-1]))}
		rows, err := read(p)
		require.NoError(t, err)
		require.Equal(t, want[2:len(want)-1], rows, "between two cursors")
	}
}

// applyTied applies a masterchain block in which all transactions have one LT.
func (w *fixture) applyTied(t *testing.T, n int) *chain.MasterBlock {
	t.Helper()
	ranges, err := w.r.Ranges(t.Context())
	require.NoError(t, err)
	mb := testdb.Master(ranges[len(ranges)-1].Last + 1)
	for range n {
		tx := testdb.NewTransaction(mb, testdb.Address())
		tx.LT = mb.Block.StartLT + 7
		tx.Account.ID[0] = byte(w.rng.IntN(256))
		mb.Transactions = append(mb.Transactions, tx)
	}
	apply(t, w.db.Writer(), []*chain.MasterBlock{mb})
	for i := range mb.Transactions {
		mb.Transactions[i].TraceID = &mb.Transactions[i].Hash // each is the root of a trace
	}
	return mb
}
