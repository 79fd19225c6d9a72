package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/contracts"
)

func TestNominatorPool_RefusesBadDepositsAndPaysBack(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	pool := contracts.NominatorPool(admin, tons("10"))
	s.deploy(pool)
	for text, tc := range map[string]struct {
		value string
		exit  int32
	}{contracts.PoolDeposit: {"10.04", 62}, "x": {"11", 64}, contracts.PoolWithdraw: {"1", 69}} {
		steps := s.send(alice, contracts.Call(pool.Address, tons(tc.value), contracts.Comment(text)))
		require.Equal(t, tc.exit, steps[0].Exit, text)
		require.True(t, steps[0].Bounced, text)
	}
	s.send(alice, contracts.Call(pool.Address, tons("20.05"), contracts.Comment(contracts.PoolDeposit)))
	require.True(t, contracts.PoolHolds(s.data(pool.Address), alice))
	require.False(t, contracts.PoolHolds(s.data(pool.Address), bob))
	res, err := s.RunGetMethod(t.Context(), nil, pool.Address, "get_pool_data")
	require.NoError(t, err)
	require.Equal(t, int64(1), res.MustInt(1).Int64())

	steps := s.send(alice, contracts.Call(pool.Address, tons("0.1"), contracts.Comment(contracts.PoolWithdraw)))
	require.Len(t, steps, 2)
	require.Greater(t, s.balance(alice), tons("20"))
	require.False(t, contracts.PoolHolds(s.data(pool.Address), alice))
}
