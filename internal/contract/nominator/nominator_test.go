package nominator_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/nominator"
	"tonql/internal/devnet/contracts"
)

// coins are what a nominator has in the data of a pool: the balance, and the pending balance.
type coins struct {
	balance, pending int64
	requested        bool
}

// data makes the data of a pool; extra is written into the values of nominators.
func data(t testing.TB, sent, validator int64, nominators map[chain.Address]coins) *cell.Cell {
	t.Helper()
	list, requests := cell.NewDict(256), cell.NewDict(256)
	for who, n := range nominators {
		key := cell.BeginCell().MustStoreSlice(who.ID[:], 256).EndCell()
		value := cell.BeginCell().MustStoreBigCoins(big.NewInt(n.balance)).MustStoreBigCoins(big.NewInt(n.pending)).EndCell()
		require.NoError(t, list.Set(key, value))
		if n.requested {
			require.NoError(t, requests.Set(key, cell.BeginCell().EndCell()))
		}
	}
	return dataOf(sent, validator, list.AsCell(), requests.AsCell())
}

func dataOf(sent, validator int64, nominators, requests *cell.Cell) *cell.Cell {
	config := cell.BeginCell().MustStoreSlice(bytes.Repeat([]byte{7}, 32), 256).MustStoreUInt(4000, 16).MustStoreUInt(40, 16).
		MustStoreBigCoins(big.NewInt(50)).MustStoreBigCoins(big.NewInt(10)).EndCell()
	return cell.BeginCell().MustStoreUInt(2, 8).MustStoreUInt(3, 16).MustStoreBigCoins(big.NewInt(sent)).
		MustStoreBigCoins(big.NewInt(validator)).MustStoreRef(config).MustStoreMaybeRef(nominators).MustStoreMaybeRef(requests).
		MustStoreUInt(1_790_000_000, 32).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 8+32+32).MustStoreBoolBit(false).EndCell()
}

func parse(t testing.TB, data *cell.Cell) *chain.NominatorPool {
	t.Helper()
	p, err := nominator.Parse(data)
	require.NoError(t, err)
	return p
}

func TestDetect_PoolNeedsPublishedCode(t *testing.T) {
	t.Parallel()
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	r := contracttest.Runner(t, config, contract.Env{}, contract.Options{})
	made := contracts.NominatorPool(address.NewAddress(0, 0xff, bytes.Repeat([]byte{7}, 32)), 10)
	st := contracttest.Deployed(made.Address, made.Init)
	empty := contracttest.Detect(t, r, contracttest.Snapshot{}, st).NominatorPool
	require.NotNil(t, empty)
	require.Empty(t, empty.Nominators)

	a, b := contracttest.Address("a"), contracttest.Address("b")
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	st.Data = data(t, 900, 500, map[chain.Address]coins{a: {balance: 300, pending: 5}, b: {balance: 100, requested: true}})
	require.Equal(t, &chain.NominatorPool{
		Address: st.Address, State: 2, NominatorCount: 3, StakeAmountSent: big.NewInt(900), ValidatorAmount: big.NewInt(500),
		Validator: chain.Address{Workchain: -1, ID: chain.HashFrom(bytes.Repeat([]byte{7}, 32))}, ValidatorRewardShare: 4000, MaxNominatorCount: 40,
		MinValidatorStake: big.NewInt(50), MinNominatorStake: big.NewInt(10), StakeAt: 1_790_000_000,
		Nominators: []chain.PoolNominator{
			{Address: a, Balance: big.NewInt(300), PendingBalance: big.NewInt(5)},
			{Address: b, Balance: big.NewInt(100), PendingBalance: big.NewInt(0), WithdrawalRequested: true},
		},
		CodeHash: st.CodeHash(), DataHash: st.DataHash(), LastTxLT: st.LastTxLT,
	}, contracttest.Detect(t, r, contracttest.Snapshot{}, st).NominatorPool)

	liar := contracttest.Account("liar", map[string]*cell.Cell{"get_pool_data": contracttest.MethodReturning(0, 1)})
	liar.Data = st.Data
	require.Nil(t, contracttest.Detect(t, r, contracttest.Snapshot{}, liar).NominatorPool, "anyone can deploy such data with another code")
	st.Data = cell.BeginCell().MustStoreUInt(1, 8).EndCell()
	require.Nil(t, contracttest.Detect(t, r, contracttest.Snapshot{}, st).NominatorPool)
	published, err := chain.ParseHash("mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=")
	require.NoError(t, err)
	require.True(t, nominator.IsPool(published))
}

// 2^256 nominators fit into 257 cells.
func TestParse_PoolsOfTooManyNominatorsAreRefused(t *testing.T) {
	t.Parallel()
	endless := cellgraphtest.Dict(256, cell.BeginCell().MustStoreBigCoins(big.NewInt(1)).MustStoreBigCoins(big.NewInt(1)))
	for _, d := range []*cell.Cell{dataOf(1, 1, endless, nil), dataOf(1, 1, nil, endless)} {
		_, err := nominator.Parse(d)
		require.Equal(t, chain.Invalid, chain.KindOf(err))
	}
	many := map[chain.Address]coins{}
	for i := range 1024 {
		many[chain.Address{ID: chain.Hash{byte(i), byte(i >> 8), 1}}] = coins{balance: 1}
	}
	require.Len(t, parse(t, data(t, 1, 1, many)).Nominators, 1024)
	many[chain.Address{ID: chain.Hash{9, 9, 2}}] = coins{balance: 1}
	_, err := nominator.Parse(data(t, 1, 1, many))
	require.Error(t, err)
}

// change is an event without what the transaction adds.
type change struct {
	who             chain.Address
	kind            chain.PoolEventType
	amount          int64
	balance, before int64
	pending         int64
}

func TestEvents_SayWhatATransactionChanged(t *testing.T) {
	t.Parallel()
	a, b, c := chain.Address{ID: chain.Hash{1}}, chain.Address{ID: chain.Hash{2}}, chain.Address{ID: chain.Hash{3}}
	type state = map[chain.Address]coins
	for name, tc := range map[string]struct {
		before, after state
		recovered     bool
		want          []change
	}{
		"nothing":            {before: state{a: {balance: 1}}, after: state{a: {balance: 1}}},
		"first deposit":      {after: state{b: {balance: 7}}, want: []change{{b, chain.PoolDeposit, 7, 7, 0, 0}}},
		"while staked":       {before: state{a: {balance: 5}}, after: state{a: {5, 7, false}}, want: []change{{a, chain.PoolDeposit, 7, 0, 5, 7}}},
		"withdrawal of both": {before: state{a: {5, 7, true}, b: {balance: 1}}, after: state{b: {balance: 1}}, want: []change{{a, chain.PoolWithdrawal, 12, -5, 5, -7}}},
		"request":            {before: state{a: {balance: 5}}, after: state{a: {5, 0, true}}, want: []change{{a, chain.PoolWithdrawalRequest, 0, 0, 5, 0}}},
		"reward": {
			before: state{a: {balance: 100}, b: {50, 20, false}, c: {pending: 30}}, recovered: true,
			after: state{a: {balance: 110}, b: {balance: 75}, c: {balance: 30}},
			want: []change{
				{a, chain.PoolReward, 10, 10, 100, 0}, {b, chain.PoolReward, 5, 5, 50, 0}, {b, chain.PoolActivation, 20, 20, 55, -20},
				{c, chain.PoolActivation, 30, 30, 0, -30},
			},
		},
		"loss": {
			before: state{a: {balance: 100}}, after: state{a: {balance: 90}}, recovered: true,
			want: []change{{a, chain.PoolReward, -10, -10, 100, 0}},
		},
	} {
		got := []change{}
		for i, e := range nominator.Events(parse(t, data(t, 0, 0, tc.before)), parse(t, data(t, 0, 0, tc.after)), tc.recovered) {
			require.Equal(t, uint32(i), e.Index)
			require.Equal(t, e.Before.Address, e.After.Address)
			got = append(got, change{e.Nominator(), e.Type, e.Amount.Int64(), e.BalanceDelta().Int64(), e.Before.Balance.Int64(), e.PendingBalanceDelta().Int64()})
		}
		require.Equal(t, append([]change{}, tc.want...), got, name)
	}
}

// message makes an internal message to a pool.
func message(source chain.Address, op uint64, body *cell.Builder) *chain.Message {
	root := cell.BeginCell().MustStoreUInt(op, 32)
	if body != nil {
		root.MustStoreBuilder(body)
	}
	value, code := chain.Coins(5), uint32(op)
	return &chain.Message{Kind: chain.InternalMessage, Source: &source, Opcode: &code, Body: root.EndCell().ToBOC(), Value: &value}
}

func TestValidatorEvent_NeedsAnOrderOfTheValidatorOrTheElector(t *testing.T) {
	t.Parallel()
	someone := chain.Address{Workchain: -1, ID: chain.Hash{7}}
	query := cell.BeginCell().MustStoreUInt(77, 64)
	for name, tc := range map[string]struct {
		before, after int64
		m             *chain.Message
		recovered     bool
		kind          chain.PoolEventType // 0: none
		cycle         bool
	}{
		"reward":             {100, 140, message(nominator.Elector, nominator.OpStakeRecovered, query), true, chain.PoolReward, true},
		"penalty":            {100, 40, message(nominator.Elector, nominator.OpStakeRecovered, query), true, chain.PoolPenalty, true},
		"no reward":          {100, 100, message(nominator.Elector, nominator.OpStakeRecovered, query), true, 0, false},
		"deposit":            {100, 140, message(someone, nominator.OpValidatorDeposit, query), false, chain.PoolDeposit, false},
		"withdrawal":         {100, 40, message(someone, nominator.OpValidatorWithdraw, query), false, chain.PoolWithdrawal, false},
		"another message":    {100, 40, message(someone, 1, query), false, 0, false},
		"a bounced one":      {100, 40, &chain.Message{Kind: chain.InternalMessage, Source: &someone, Opcode: new(uint32(5)), Bounced: new(true)}, false, 0, false},
		"without a message ": {100, 40, nil, false, 0, false},
	} {
		e := nominator.ValidatorEvent(parse(t, data(t, 0, tc.before, nil)), parse(t, data(t, 0, tc.after, nil)), tc.m, tc.recovered)
		if tc.kind == 0 {
			require.Nil(t, e, name)
			continue
		}
		require.Equal(t, tc.kind, e.Type, name)
		require.Equal(t, uint64(77), *e.QueryID, name)
		require.Equal(t, tc.cycle, e.CycleStart != nil, name)
		require.Equal(t, max(tc.after-tc.before, tc.before-tc.after), e.Amount().Int64(), name)
	}
	short := nominator.ValidatorEvent(parse(t, data(t, 0, 1, nil)), parse(t, data(t, 0, 2, nil)), message(someone, nominator.OpValidatorDeposit, nil), false)
	require.Nil(t, short.QueryID)
}

func TestChangesNominators_NamesTheMessagesThatThePoolTakes(t *testing.T) {
	t.Parallel()
	one, other := chain.Address{ID: chain.Hash{1}}, chain.Address{ID: chain.Hash{2}}
	require.True(t, nominator.ChangesNominators(message(one, nominator.OpComment, nil), nil))
	require.True(t, nominator.ChangesNominators(message(one, nominator.OpComment, nil), &one))
	require.False(t, nominator.ChangesNominators(message(one, nominator.OpComment, nil), &other))
	for _, op := range []uint64{nominator.OpProcessRequests, nominator.OpProcessRequest} {
		require.True(t, nominator.ChangesNominators(message(one, op, nil), &other))
	}
	require.True(t, nominator.ChangesNominators(message(nominator.Elector, nominator.OpStakeRecovered, nil), &other))
	require.False(t, nominator.ChangesNominators(message(one, nominator.OpStakeRecovered, nil), nil))
	require.False(t, nominator.ChangesNominators(message(one, nominator.OpValidatorDeposit, nil), nil))
	require.False(t, nominator.ChangesNominators(nil, nil))
	require.True(t, nominator.ChangesValidator(message(one, nominator.OpValidatorDeposit, nil)))
	require.False(t, nominator.ChangesValidator(message(one, nominator.OpComment, nil)))
	require.False(t, nominator.ChangesValidator(message(one, nominator.OpStakeRecovered, nil)))
}

func FuzzParse_EndsWithAPoolOrAnError(f *testing.F) {
	f.Add(contracttest.Seed(data(f, 1, 2, map[chain.Address]coins{{ID: chain.Hash{1}}: {3, 4, true}})))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := nominator.Parse(contracttest.Tree(data))
		require.Equal(t, err != nil, p == nil)
	})
}
