package contracts_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

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

// poolData is what get_pool_data and get_nominator_data return of a pool: state, count, stake sent, coins of the validator; then of each
// nominator amount, pending amount and whether it requested them.
func (s *sandbox) poolData(pool *address.Address, nominators ...*address.Address) (got []int64) {
	s.t.Helper()
	res, err := s.RunGetMethod(s.t.Context(), nil, pool, "get_pool_data")
	require.NoError(s.t, err)
	for i := range 4 {
		got = append(got, int64(res.MustInt(uint(i)).Uint64()))
	}
	for _, who := range nominators {
		res, err := s.RunGetMethod(s.t.Context(), nil, pool, "get_nominator_data", new(big.Int).SetBytes(who.Data()))
		require.NoError(s.t, err)
		for i := range 3 {
			got = append(got, res.MustInt(uint(i)).Int64())
		}
	}
	return got
}

func TestNominatorPool_StakesAndSharesRewardsAndLosses(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	validator := address.NewAddress(0, 0xff, admin.Data())
	elector := address.NewAddress(0, 0xff, bytes.Repeat([]byte{0x33}, 32))
	pool := contracts.NominatorPool(validator, tons("10"))
	s.deploy(pool)
	const gram = int64(1e9)
	do := func(from *address.Address, value string, body *cell.Cell) {
		t.Helper()
		require.Zero(t, s.send(from, contracts.Call(pool.Address, tons(value), body))[0].Exit)
	}
	fee := func(tc string) string { return tc + ".05" }
	do(alice, fee("300"), contracts.Comment(contracts.PoolDeposit))
	do(validator, fee("500"), contracts.PoolValidatorDeposit(1))
	require.Equal(t, []int64{0, 1, 0, 500 * gram, 300 * gram, 0, 0}, s.poolData(pool.Address, alice))

	steps := s.send(alice, contracts.Call(pool.Address, tons("2"), contracts.PoolStake(2, tons("700"), 1_790_003_600)))
	require.Equal(t, int32(73), steps[0].Exit, "the validator alone stakes")
	do(validator, "2", contracts.PoolStake(2, tons("700"), 1_790_003_600))
	do(elector, "1", contracts.PoolStakeAccepted(1))
	do(bob, fee("100"), contracts.Comment(contracts.PoolDeposit))
	do(alice, "1", contracts.Comment(contracts.PoolWithdraw))
	require.Equal(t, []int64{2, 2, 699 * gram, 500 * gram, 300 * gram, 0, -1, 0, 100 * gram, 0}, s.poolData(pool.Address, alice, bob))

	do(elector, "709", contracts.PoolStakeRecovered(3)) // 10 more than the stake: 4 are the validator's
	require.Equal(t, []int64{0, 2, 0, 504 * gram, 306 * gram, 0, -1, 100 * gram, 0, 0}, s.poolData(pool.Address, alice, bob))
	do(bob, "1", contracts.PoolProcess(4, 40))
	require.Equal(t, []int64{0, 1, 0, 504 * gram, 100 * gram, 0, 0}, s.poolData(pool.Address, bob))
	require.False(t, contracts.PoolHolds(s.data(pool.Address), alice))
	do(validator, "1", contracts.PoolValidatorWithdraw(5, tons("404")))

	do(validator, "2", contracts.PoolStake(6, tons("150"), 1_790_010_000))
	do(elector, "39", contracts.PoolStakeRecovered(7)) // 110 less: the validator pays first
	require.Equal(t, []int64{0, 1, 0, 0, 90 * gram, 0, 0}, s.poolData(pool.Address, bob))
}
