package balance

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// A repeated claim, recognized by the wallet's balances, adds nothing. The number of balance reads is bounded.
func TestCredit_RepeatedClaimsAddNothingAndReadsAreBounded(t *testing.T) {
	t.Parallel()
	wallet := &chain.JettonWallet{Address: chain.Address{ID: chain.Hash{1}}, Owner: chain.Address{ID: chain.Hash{2}}}
	credited := func(claims int, status chain.AccountStatus, before, after int64) (*big.Int, int) {
		c := newChanges(map[chain.Address]*chain.JettonWallet{wallet.Address: wallet})
		for range claims {
			tx := &chain.FullTransaction{Transaction: chain.Transaction{LT: 10, OrigStatus: status}}
			c.claims = append(c.claims, claim{tx: tx, wallet: wallet, amount: big.NewInt(100), moved: big.NewInt(-1)})
		}
		reads := 0
		require.NoError(t, c.Credit(t.Context(), func(context.Context, chain.Address, chain.Page) ([]chain.JettonBalancePoint, error) {
			reads++
			return []chain.JettonBalancePoint{{LT: 10, Balance: big.NewInt(after)}, {LT: 5, Balance: big.NewInt(before)}}, nil
		}))
		return c.jettons[wallet.Owner][wallet.Jetton], reads
	}
	sum, reads := credited(1, chain.Uninit, 0, 0)
	require.Equal(t, "100", sum.String(), "the wallet was deployed by the claim")
	require.Zero(t, reads)
	sum, _ = credited(1, chain.Active, 50, 149)
	require.Equal(t, "100", sum.String())
	sum, _ = credited(1, chain.Active, 50, 49)
	require.Nil(t, sum, "it was claimed before")
	_, reads = credited(5000, chain.Active, 50, 49)
	require.Equal(t, maxClaimLookups, reads)
}
