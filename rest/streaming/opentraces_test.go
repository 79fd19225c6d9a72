package streaming

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func numbered(n int) (h chain.Hash) {
	binary.BigEndian.PutUint64(h[:], uint64(n))
	return h
}

// A trace stays open however many others begin and become final after it.
func TestOpenTraces_FinalOnesTakeNoPlace(t *testing.T) {
	t.Parallel()
	var o openTraces
	o.add(numbered(0))
	for n := 1; n <= 10*maxOpen; n++ {
		o.add(numbered(n))
		require.True(t, o.remove(numbered(n)))
		require.LessOrEqual(t, len(o.order), 2*maxOpen)
	}
	require.True(t, o.remove(numbered(0)))
	require.False(t, o.remove(numbered(0)))
}

// Of more traces than a session remembers, the oldest are forgotten. One that is open again is as old as the last time.
func TestOpenTraces_TheOldestAreForgotten(t *testing.T) {
	t.Parallel()
	var o openTraces
	for n := range maxOpen {
		o.add(numbered(n))
	}
	require.True(t, o.remove(numbered(0)))
	o.add(numbered(0))
	o.add(numbered(1)) // is open already
	o.add(numbered(maxOpen))
	require.Len(t, o.by, maxOpen)
	require.False(t, o.remove(numbered(1)))
	require.True(t, o.remove(numbered(0)))
	require.True(t, o.remove(numbered(2)))
	require.True(t, o.remove(numbered(maxOpen)))
}
