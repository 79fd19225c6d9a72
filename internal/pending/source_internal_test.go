package pending

import (
	"context"
	"encoding/binary"
	"slices"
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
	// actions are those of the traces, by position.
	actions []chain.Action
}

func (x *limitedIndex) Traces(_ context.Context, _ chain.TraceFilter, p chain.Page) ([]chain.Trace, error) {
	return x.traces[:min(p.Limit, len(x.traces))], nil
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

func (x *limitedIndex) Actions(_ context.Context, _ chain.ActionFilter, p chain.Page) ([]chain.Action, error) {
	first := 0
	if p.After != nil {
		first = 1 + slices.IndexFunc(x.actions, func(a chain.Action) bool { return a.Cursor() == *p.After })
	}
	return x.actions[first:min(first+p.Limit, len(x.actions))], nil
}

// A trace has all its actions, however many those of other traces have, and a message that was executed many times hides the trace of no other: its
// newest trace counts.
func TestIndexed_TracesHideNoOthers(t *testing.T) {
	t.Parallel()
	x := &limitedIndex{limit: 1 << 20, bytes: map[chain.Hash]int{}}
	again, once := chain.Hash{1}, chain.Hash{2}
	for i := range byte(20) {
		id := chain.Hash{10 + i}
		x.traces = append(x.traces, chain.Trace{ID: id, EndLT: 100 - uint64(i), ExternalHash: &again, ExternalHashNorm: &again, State: chain.TraceComplete})
	}
	x.traces = append(x.traces, chain.Trace{ID: chain.Hash{50}, EndLT: 1, ExternalHash: &once, ExternalHashNorm: &once, State: chain.TraceComplete})
	for i := range 2500 {
		a := chain.Action{TraceID: x.traces[0].ID, StartLT: uint64(i)}
		if i >= 1900 {
			a.TraceID = chain.Hash{50}
		}
		binary.BigEndian.PutUint16(a.ID[:], uint16(i))
		x.actions = append(x.actions, a)
	}
	found, err := (&Tracker{index: x}).Indexed(t.Context(), []chain.Hash{again, once})
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, []chain.Hash{x.traces[0].ID, {50}}, []chain.Hash{found[0].ID, found[1].ID})
	require.Equal(t, []int{1900, 600}, []int{len(found[0].Actions), len(found[1].Actions)})
}

// Traces that are too large to be read together are read one by one; those that are too large by themselves, or do not fit into the
// memory of all, are there without transactions.
func TestIndexed_LargeTracesAreBounded(t *testing.T) {
	t.Parallel()
	const limit = maxIndexed / 2
	x := &limitedIndex{limit: limit, bytes: map[chain.Hash]int{}}
	var messages []chain.Hash
	for i, size := range []int{100, limit + 1, limit * 3 / 4, limit * 3 / 4, limit * 3 / 4, 200} {
		id := chain.Hash{byte(i)}
		messages = append(messages, id)
		x.traces = append(x.traces, chain.Trace{ID: id, ExternalHash: &id, ExternalHashNorm: &id, State: chain.TraceComplete})
		x.bytes[id] = size
	}
	found, err := (&Tracker{index: x}).Indexed(t.Context(), messages)
	require.NoError(t, err)
	require.Len(t, found, len(x.traces))
	for i, large := range []bool{false, true, false, false, true, false} {
		require.Equal(t, x.traces[i].ID, found[i].ID)
		require.Equal(t, large, found[i].TooLarge, i)
		require.Equal(t, large, len(found[i].Transactions) == 0, i)
	}
	// What can be read together is read at once.
	found, err = (&Tracker{index: &limitedIndex{traces: x.traces[:1], bytes: x.bytes, limit: limit}}).Indexed(t.Context(), messages[:1])
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Len(t, found[0].Transactions, 1)
}
