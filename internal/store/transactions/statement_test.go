package transactions_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/store/transactions"
)

// Queries of one shape have one text, so that statements stay prepared.
func TestStatements_QueriesOfOneShapeHaveOneText(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	shapes := map[string]string{}
	texts := map[string]bool{}
	for range 4000 {
		f := randomTransactions(w)
		p := chain.Page{Limit: 1 + w.Rand.IntN(900), Sort: chain.Sort(w.Rand.IntN(2))}
		if w.Chance(2) {
			p.After = randomCursor(w)
		}
		shape := shapeOf(&f, p)
		text := listText(&f, p)
		if found, ok := shapes[shape]; ok {
			require.Equal(t, found, text, shape)
		}
		shapes[shape] = text
		texts[text] = true
	}
	require.Less(t, len(texts), len(shapes)+1)
}

// shapeOf returns the conditions that a filter has, without their values.
func shapeOf(f *chain.TransactionFilter, p chain.Page) string {
	return fmt.Sprint(f.Workchain != nil, f.Shard != nil, f.Seqno != nil, f.McSeqno != nil, several(f.Accounts),
		len(f.ExcludeAccounts) > 0, several(f.Hashes), f.LT != nil, f.StartUtime != nil, f.EndUtime != nil, f.StartLT != nil,
		f.EndLT != nil, p.Sort, p.After != nil)
}

// several returns the number of different values: 0, 1, or 2 for more.
func several[T comparable](list []T) int {
	different := map[T]bool{}
	for _, v := range list {
		different[v] = true
	}
	return min(len(different), 2)
}

// listText returns the text of the statement that lists transactions.
func listText(f *chain.TransactionFilter, p chain.Page) string {
	if len(f.Hashes) > 0 {
		return transactions.AmongStatement(f).Text.String()
	}
	s, _ := transactions.ListStatement(f, p)
	return s.Text.String()
}
