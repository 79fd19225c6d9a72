package store_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
)

// Tables that are partitioned by LT while blocks are written and the index is read, with statements that were prepared before, have the
// rows of tables that are not, and every statement returns the same. Blocks before and after the first ones are written to both, so
// that rows of earlier blocks are completed in other ranges.
func TestPartitions_RowsAreThoseOfOneTable(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	if pacetest.Short() {
		t.Skip("fills two databases")
	}
	var batches [][]*chain.MasterBlock
	c := synthetic.New(synthetic.Options{Transactions: 20_000, Accounts: 2_000, PerBlock: 38, Shards: 2, Seed: 1, Contracts: true})
	for {
		batch, n := c.Batch(66)
		if n == 0 {
			break
		}
		batches = append(batches, batch)
	}
	require.Len(t, batches, 8)
	end := func(i int) uint64 { return batches[i][len(batches[i])-1].Block.EndLT }

	one, ranges := newDBWithoutAutovacuum(t), newDBWithoutAutovacuum(t)
	apply := func(i int) {
		for _, db := range []*store.DB{one, ranges} {
			require.NoError(t, db.Writer().Apply(t.Context(), batches[i]...))
		}
	}
	one.Writer().SetClassifier(storetest.Classifier{})
	ranges.Writer().SetClassifier(storetest.Classifier{})
	apply(3)
	apply(1)
	requireSameRows(t, one, ranges, plans, tracePlans)
	handle := ranges.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	storetest.Partition(t, handle, end(3), end(5))
	requireSameRows(t, one, ranges, plans, tracePlans)
	for _, i := range []int{4, 5, 7, 6, 2, 0} {
		apply(i)
	}
	requireSameRows(t, one, ranges, plans, tracePlans, contractPlans)

	want, err := one.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	got, err := ranges.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
	requireRanges(t, ranges, end(5))
}

// lastOrder matches statements whose rows have an order, and no order inside alone.
var lastOrder = regexp.MustCompile(`ORDER BY [^()]*$`)

// requireSameRows runs golden statements in two databases.
func requireSameRows(t *testing.T, a, b *store.DB, lists ...func(*testing.T, *store.Reader, chain.Block) []planCase) {
	t.Helper()
	info, err := a.Reader().MasterchainInfo(t.Context())
	require.NoError(t, err)
	for _, list := range lists {
		for _, c := range list(t, a.Reader(), info.Last) {
			want, got := rowsOf(t, a, c), rowsOf(t, b, c)
			if !lastOrder.MatchString(c.Text) {
				slices.Sort(want)
				slices.Sort(got)
			}
			require.True(t, slices.Equal(want, got), "%s: %d and %d rows", c.name, len(want), len(got))
		}
	}
}

// rowsOf returns the rows of a statement as bytes.
func rowsOf(t *testing.T, db *store.DB, c planCase) []string {
	t.Helper()
	rows, err := db.Reader().Pool().Query(t.Context(), c.Text, c.Args...)
	require.NoError(t, err, c.name)
	defer rows.Close()
	var list []string
	for rows.Next() {
		list = append(list, fmt.Sprintf("%x", rows.RawValues()))
	}
	require.NoError(t, rows.Err(), c.name)
	return list
}

// requireRanges checks which ranges statements touch: a key one, lists in the order of LTs those that have their rows.
func requireRanges(t *testing.T, db *store.DB, newest uint64) {
	t.Helper()
	hot, ten := synthetic.Address(0), chain.Page{Limit: 10}
	old := chain.Page{Limit: 10, Sort: chain.Ascending}
	for i, c := range []struct {
		name   string
		filter chain.TransactionFilter
		page   chain.Page
		want   []string
	}{
		{"newest", chain.TransactionFilter{}, ten, []string{"transactions_2_of_3"}},
		{"oldest", chain.TransactionFilter{}, old, []string{"transactions_before"}},
		{"of account", chain.TransactionFilter{Accounts: []chain.Address{hot}}, ten, []string{"transactions_2_of_3"}},
		{"of account, oldest", chain.TransactionFilter{Accounts: []chain.Address{hot}}, old, []string{"transactions_before"}},
		{"of account in one LT", chain.TransactionFilter{Accounts: []chain.Address{hot}, LT: &newest}, ten, []string{"transactions_2_of_3"}},
		{"up to an LT", chain.TransactionFilter{EndLT: new(newest - 1)}, ten, []string{"transactions_1_of_3"}},
	} {
		p := explain(t, db.Reader(), i, store.TransactionsStatement(c.filter, c.page))
		require.Equal(t, c.want, p.root.executed(nil), "%s\n%s", c.name, p.text)
	}
}

// executed lists the relations that a plan has read, in their order.
func (n *node) executed(list []string) []string {
	if n.Loops > 0 && strings.HasPrefix(n.Relation, "transactions") && !slices.Contains(list, n.Relation) {
		list = append(list, n.Relation)
	}
	for i := range n.Plans {
		list = n.Plans[i].executed(list)
	}
	return list
}
