package chain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestExpandActionTypes_ExpandsVersionsAndGroupsInOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		count int
		has   string
		lacks string
	}{
		{[]string{"v1"}, 23, "tick_tock", "unknown"},
		{[]string{"v2"}, 46, "coffee_mev_protect_failed_swap", "nft_purchase"},
		{[]string{"v3"}, 63, "layerzero_send", "cocoon_grant_refund"},
		{[]string{"v4"}, 75, "cocoon_grant_refund", "gasless_request"},
		{[]string{"v5"}, 79, "gasless_request", "tgbtc_mint"},
		{nil, 75, "cocoon_grant_refund", "gasless_request"},
		{[]string{"dns.v2", "tgbtc"}, 23 + 2 + 7, "dns_release", "nft_purchase"},
		{[]string{"jettons", "strange", "strange"}, 24, "strange", "latest"},
	} {
		types := chain.ExpandActionTypes(c.names)
		require.Len(t, types, c.count, "%v", c.names)
		require.Contains(t, types, c.has)
		require.NotContains(t, types, c.lacks)
		require.IsIncreasing(t, types)
	}
}
