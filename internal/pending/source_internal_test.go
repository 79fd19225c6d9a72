package pending

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// limitedIndex has complete traces with a message of so many bytes each, and refuses to read more than a bound at once.
type limitedIndex struct {
	Index

	traces []chain.Trace
	bytes  map[chain.Hash]int
	limit  int
}

func (x *limitedIndex) Traces(context.Context, chain.TraceFilter, chain.Page) ([]chain.Trace, error) {
	return x.traces, nil
}

func (x *limitedIndex) FullTraces(_ context.Context, traces []chain.Trace, _ chain.TraceInclude) (full []chain.FullTrace, err error) {
	size := 0
	for _, t := range traces {
		size += x.bytes[t.ID]
		tx := chain.FullTransaction{InMessage: &chain.Message{Body: make(chain.BOC, min(x.bytes[t.ID], x.limit))}}
		full = append(full, chain.FullTrace{Trace: t, Transactions: []chain.FullTransaction{tx}})
	}
	if size > x.limit {
		return nil, chain.Invalidf("more than %d bytes", x.limit)
	}
	return full, nil
}

func (x *limitedIndex) Actions(context.Context, chain.ActionFilter, chain.Page) ([]chain.Action, error) {
	return nil, nil
}

// Traces that are too large to be read together are read one by one; those that are too large by themselves, or do not fit into the
// memory of all, are there without transactions.
func TestIndexed_LargeTracesAreBounded(t *testing.T) {
	t.Parallel()
	const limit = maxIndexed / 2
	x := &limitedIndex{limit: limit, bytes: map[chain.Hash]int{}}
	for i, size := range []int{100, limit + 1, limit * 3 / 4, limit * 3 / 4, limit * 3 / 4, 200} {
		id := chain.Hash{byte(i)}
		x.traces, x.bytes[id] = append(x.traces, chain.Trace{ID: id, State: chain.TraceComplete}), size
	}
	found, err := (&Tracker{index: x}).Indexed(t.Context(), []chain.Hash{{}})
	require.NoError(t, err)
	require.Len(t, found, len(x.traces))
	for i, large := range []bool{false, true, false, false, true, false} {
		require.Equal(t, x.traces[i].ID, found[i].ID)
		require.Equal(t, large, found[i].TooLarge, i)
		require.Equal(t, large, len(found[i].Transactions) == 0, i)
	}
	// What can be read together is read at once.
	found, err = (&Tracker{index: &limitedIndex{traces: x.traces[:1], bytes: x.bytes, limit: limit}}).Indexed(t.Context(), []chain.Hash{{}})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Len(t, found[0].Transactions, 1)
}
