package chain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestParseShard_ReadsHexAndSignedDecimalOnly(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]chain.Shard{
		"8000000000000000":     chain.FullShard,
		"0x8000000000000000":   chain.FullShard,
		"-9223372036854775808": chain.FullShard,
		"2000000000000000":     0x2000000000000000,
		"e000000000000000":     0xe000000000000000,
	} {
		got, err := chain.ParseShard(form)
		require.NoError(t, err, form)
		require.Equal(t, want, got, form)
	}
	for _, form := range []string{"", "0", "xyz", "800000000000000000000"} {
		_, err := chain.ParseShard(form)
		require.Equal(t, chain.Invalid, chain.KindOf(err), form)
	}
}

func TestShardContains_AccountsWithItsPrefix(t *testing.T) {
	t.Parallel()
	low, high := chain.Hash{0x3f}, chain.Hash{0xc0}
	require.True(t, chain.FullShard.Contains(low))
	require.True(t, chain.FullShard.Contains(high))
	require.True(t, chain.Shard(0x4000000000000000).Contains(low)) // left half
	require.False(t, chain.Shard(0x4000000000000000).Contains(high))
	require.True(t, chain.Shard(0xc000000000000000).Contains(high)) // right half
	require.Equal(t, 0, chain.FullShard.PrefixLen())
	require.Equal(t, 1, chain.Shard(0xc000000000000000).PrefixLen())
}

func TestGaps_LieBetweenRanges(t *testing.T) {
	t.Parallel()
	ranges := []chain.SeqnoRange{{First: 1, Last: 3}, {First: 5, Last: 5}, {First: 9, Last: 12}}
	require.Equal(t, []chain.SeqnoRange{{First: 4, Last: 4}, {First: 6, Last: 8}}, chain.Gaps(ranges))
	require.Empty(t, chain.Gaps(ranges[:1]))
}
