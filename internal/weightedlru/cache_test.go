package weightedlru_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/weightedlru"
)

func TestCache_IsBoundedByWeightAndNumber(t *testing.T) {
	t.Parallel()
	c := weightedlru.New[int, string](3, 100)
	c.Add(1, "one", 25)
	c.Add(2, "two", 25)
	c.Add(3, "three", 25)
	value, ok := c.Get(1)
	require.True(t, ok)
	require.Equal(t, "one", value)
	c.Add(4, "four", 1) // the fourth of three entries: the least recently used is evicted
	_, ok = c.Get(2)
	require.False(t, ok)
	c.Add(1, "one again", 20)
	entries, weight := c.Size()
	require.Equal(t, 3, entries)
	require.Equal(t, 25+1+20, weight)
	c.Remove(3)
	c.Purge()
	entries, weight = c.Size()
	require.Zero(t, entries)
	require.Zero(t, weight)
}

func TestCache_HugeValueIsNotCached(t *testing.T) {
	t.Parallel()
	c := weightedlru.New[int, int](100, 100)
	c.Add(1, 1, 10)
	c.Add(2, 2, 26)
	_, ok := c.Get(2)
	require.False(t, ok)
	_, ok = c.Get(1)
	require.True(t, ok)
	c.Add(1, 1, 26) // the old value is removed too
	_, ok = c.Get(1)
	require.False(t, ok)
}

func TestCache_AnyOrderStaysInBounds(t *testing.T) {
	t.Parallel()
	c := weightedlru.New[int, int](20, 1000)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		c.Add(rnd.IntN(50), 0, rnd.IntN(300)-10)
		if rnd.IntN(3) == 0 {
			c.Remove(rnd.IntN(50))
		}
		entries, weight := c.Size()
		require.LessOrEqual(t, entries, 20)
		require.LessOrEqual(t, weight, 1000)
		require.GreaterOrEqual(t, weight, entries)
	}
}
