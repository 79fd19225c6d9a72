package chain_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// The bits are stored and never change.
func TestActionTypeBits_NeverChange(t *testing.T) {
	t.Parallel()
	for name, bit := range map[string]int{
		"ton_transfer": 0, "jetton_transfer": 1, "call_contract": 2, "tick_tock": 9, "nft_purchase": 15, "election_deposit": 25,
		"vesting_add_whitelist": 38, "unknown": 39, "evaa_supply": 40, "coffee_staking_deposit": 54, "tgbtc_burn": 61,
		"tgbtc_burn_fallback": 62, "tgbtc_mint": 40, "layerzero_send": 42, "cocoon_client_withdraw": 58, "of_a_newer_program": 63,
	} {
		require.Equal(t, uint64(1)<<bit, chain.ActionTypeBits(name), name)
	}
	require.Zero(t, chain.ActionTypeBits())
	require.Equal(t, uint64(0b11), chain.ActionTypeBits("jetton_transfer", "ton_transfer", "ton_transfer"))
	require.Equal(t, uint64(1)<<63|1, chain.AnyActionTypeBits([]string{"ton_transfer"}))
	require.Equal(t, ^uint64(0), chain.AnyActionTypeBits([]string{"ton_transfer", "of_a_newer_program"}))
}

func TestActionTypeBits_EveryPublishedTypeHasANumber(t *testing.T) {
	t.Parallel()
	types := chain.ExpandActionTypes([]string{chain.LatestActionTypes, "tgbtc"})
	var all uint64
	for _, name := range types {
		bit := chain.ActionTypeBits(name)
		require.NotEqual(t, uint64(1)<<63, bit, "append %q to the numbered types", name)
		all |= bit
	}
	require.Equal(t, 63, bits.OnesCount64(all))
}
