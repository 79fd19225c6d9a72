package resolvers_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract/nominator"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// poolHistory writes transactions of a pool, one in each masterchain block.
type poolHistory struct {
	t         *testing.T
	db        *store.DB
	pool      chain.Address
	code      chain.Hash
	before    chain.AccountState
	prev      chain.Transaction
	seqno     uint32
	nominator chain.Address
}

// poolCells are the data of a pool whose validator is 0x07….
func poolCells(validator int64, nominators *cell.Cell) *cell.Cell {
	config := cell.BeginCell().MustStoreSlice(append([]byte{7}, make([]byte, 31)...), 256).MustStoreUInt(0, 16+16).MustStoreUInt(0, 8).EndCell()
	return cell.BeginCell().MustStoreUInt(0, 24).MustStoreBigCoins(new(big.Int)).MustStoreBigCoins(big.NewInt(validator)).MustStoreRef(config).
		MustStoreMaybeRef(nominators).MustStoreBoolBit(false).MustStoreUInt(1_790_000_000, 32).EndCell()
}

func (h *poolHistory) data(balance, validator int64) *cell.Cell {
	h.t.Helper()
	d := cell.NewDict(256)
	if balance > 0 {
		value := cell.BeginCell().MustStoreBigCoins(big.NewInt(balance)).MustStoreBigCoins(new(big.Int)).EndCell()
		require.NoError(h.t, d.Set(cell.BeginCell().MustStoreSlice(h.nominator.ID[:], 256).EndCell(), value))
	}
	return poolCells(validator, d.AsCell())
}

// receive adds a transaction that received a message with an opcode; nil data are not in the index.
func (h *poolHistory) receive(source chain.Address, op uint64, data *cell.Cell) {
	h.t.Helper()
	h.seqno++
	mb := testdb.Master(h.seqno)
	tx := testdb.NewTransaction(mb, h.pool)
	m := testdb.NewMessage(mb, source, h.pool)
	code, body := uint32(op), cell.BeginCell().MustStoreUInt(op, 32).MustStoreUInt(uint64(h.seqno), 64).EndCell()
	m.Opcode, m.Body, m.BodyHash = &code, body.ToBOC(), chain.Hash(body.HashKey())
	testdb.Receive(&tx, &m)
	tx.PrevLT, tx.PrevHash, tx.StateHashBefore = h.prev.LT, h.prev.Hash, h.before.Hash
	state := chain.AccountState{
		Account: h.pool, LT: tx.LT, TxHash: tx.Hash, Hash: tx.StateHashAfter, Status: chain.Active, CodeHash: &h.code, UsedCells: 10,
	}
	if data != nil {
		hash := chain.Hash(data.HashKey())
		state.DataHash = &hash
		mb.Cells = map[chain.Hash]chain.BOC{hash: data.ToBOC()}
		mb.States = append(mb.States, state)
	}
	mb.Messages = append(mb.Messages, m)
	mb.Transactions = append(mb.Transactions, tx)
	require.NoError(h.t, h.db.Writer().Apply(h.t.Context(), mb))
	h.before, h.prev = state, tx
}

func newPoolHistory(t *testing.T) *poolHistory {
	t.Helper()
	code, err := chain.ParseHash("mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=")
	require.NoError(t, err)
	h := &poolHistory{t: t, db: testdb.New(t), code: code, pool: testdb.Address(), nominator: testdb.Address()}
	h.before.Hash = testdb.Hash()
	return h
}

// The elector of a real network pays rewards; deposits, junk and states that the index lacks lie between them.
func TestPoolEvents_FollowFromTheStatesAroundEachTransaction(t *testing.T) {
	t.Parallel()
	h := newPoolHistory(t)
	validator := chain.Address{Workchain: chain.MasterchainID, ID: chain.Hash{7}}
	h.receive(h.nominator, nominator.OpComment, h.data(100, 0)) // the state before is not in the index
	h.receive(validator, nominator.OpValidatorDeposit, h.data(100, 50))
	h.receive(testdb.Address(), 1, h.data(100, 50))
	h.receive(nominator.Elector, nominator.OpStakeRecovered, h.data(110, 54))
	h.receive(testdb.Address(), nominator.OpStakeRecovered, h.data(900, 54)) // not of the elector: the code would refuse it
	h.receive(h.nominator, nominator.OpComment, nil)
	h.receive(h.nominator, nominator.OpComment, h.data(200, 54)) // as the first one
	h.receive(nominator.Elector, nominator.OpStakeRecovered, h.data(190, 30))
	h.receive(testdb.Address(), nominator.OpProcessRequests, h.data(0, 30))
	svc := resolvers.New(h.db.Reader(), nil, resolvers.Options{})
	t.Cleanup(svc.Close)
	ctx, page := t.Context(), chain.Page{Limit: 10}

	events, err := svc.PoolEvents(ctx, chain.PoolEventFilter{Pool: h.pool, Nominator: &h.nominator}, page)
	require.NoError(t, err)
	type row struct {
		kind   chain.PoolEventType
		amount int64
	}
	got := []row{}
	for i := range events {
		got = append(got, row{events[i].Type, events[i].Amount.Int64()})
	}
	require.Equal(t, []row{{chain.PoolWithdrawal, 190}, {chain.PoolReward, -10}, {chain.PoolReward, 10}}, got)
	require.Equal(t, h.prev.Hash, events[0].TxHash)
	one, err := svc.PoolEvents(ctx, chain.PoolEventFilter{Pool: h.pool, StartUtime: &events[2].Now, EndUtime: &events[2].Now}, page)
	require.NoError(t, err)
	require.Equal(t, events[2:], one)
	other := testdb.Address()
	none, err := svc.PoolEvents(ctx, chain.PoolEventFilter{Pool: h.pool, Nominator: &other}, page)
	require.NoError(t, err)
	require.Empty(t, none)

	earned, err := svc.PoolValidatorEvents(ctx, chain.PoolValidatorEventFilter{Pool: &h.pool}, page)
	require.NoError(t, err)
	kinds := []row{}
	for i := range earned {
		kinds = append(kinds, row{earned[i].Type, earned[i].Amount().Int64()})
	}
	require.Equal(t, []row{{chain.PoolPenalty, 24}, {chain.PoolReward, 4}, {chain.PoolDeposit, 50}}, kinds)
	require.Equal(t, validator, earned[0].Validator)
	require.Equal(t, uint64(8), *earned[0].QueryID)

	pool, err := svc.NominatorPool(ctx, h.pool)
	require.NoError(t, err)
	require.Empty(t, pool.Nominators)
	require.Equal(t, int64(30), pool.ValidatorAmount.Int64())
	_, err = svc.NominatorPool(ctx, other)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
}

// Pages of events are parts of the complete list, in both orders, from both ends and between cursors, also where a page ends between the events of
// one transaction, and of several pools.
func TestPoolEvents_PagesArePartsOfTheList(t *testing.T) {
	t.Parallel()
	h := newPoolHistory(t)
	second := *h
	second.pool, second.before.Hash = testdb.Address(), testdb.Hash()
	const recoveries = 5
	nominators := []chain.Address{testdb.Address(), testdb.Address(), testdb.Address()}
	data := func(balance, validator int64) *cell.Cell {
		d := cell.NewDict(256)
		for i, n := range nominators {
			value := cell.BeginCell().MustStoreBigCoins(big.NewInt(balance + int64(i))).MustStoreBigCoins(new(big.Int)).EndCell()
			require.NoError(t, d.Set(cell.BeginCell().MustStoreSlice(n.ID[:], 256).EndCell(), value))
		}
		return poolCells(validator, d.AsCell())
	}
	for i := range int64(recoveries + 1) {
		h.receive(nominator.Elector, nominator.OpStakeRecovered, data(100+10*i, 50+i))
		second.seqno = h.seqno
		second.receive(nominator.Elector, nominator.OpStakeRecovered, data(100+10*i, 50+i))
		h.seqno = second.seqno
	}
	validator := chain.Address{Workchain: chain.MasterchainID, ID: chain.Hash{7}}
	mb := testdb.Master(h.seqno + 1)
	for _, pool := range []chain.Address{h.pool, second.pool} {
		testdb.AddContract(mb, pool, func(c *chain.Contract) {
			c.NominatorPool = &chain.NominatorPool{Address: pool, Validator: validator, LastTxLT: c.LT}
		})
	}
	require.NoError(t, h.db.Writer().Apply(t.Context(), mb))
	svc := resolvers.New(h.db.Reader(), nil, resolvers.Options{})
	t.Cleanup(svc.Close)
	for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
		events := func(p chain.Page) ([]chain.PoolEvent, error) {
			return svc.PoolEvents(t.Context(), chain.PoolEventFilter{Pool: h.pool}, p)
		}
		all, err := events(chain.Page{Limit: 100, Sort: sort})
		require.NoError(t, err)
		require.Len(t, all, recoveries*len(nominators))
		earned := func(p chain.Page) ([]chain.PoolValidatorEvent, error) {
			return svc.PoolValidatorEvents(t.Context(), chain.PoolValidatorEventFilter{Validator: &validator}, p)
		}
		rewards, err := earned(chain.Page{Limit: 100, Sort: sort})
		require.NoError(t, err)
		require.Len(t, rewards, 2*recoveries)
		for _, limit := range []int{2, len(nominators), 4} {
			storetest.RequirePages(t, all, limit, sort, (*chain.PoolEvent).Cursor, events)
			storetest.RequirePages(t, rewards, limit, sort, (*chain.PoolValidatorEvent).Cursor, earned)
		}
	}
	other := testdb.Address()
	none, err := svc.PoolValidatorEvents(t.Context(), chain.PoolValidatorEventFilter{Pool: &h.pool, Validator: &other}, chain.Page{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, none)
}

// Anyone can send transactions to a pool, and deploy pools that name a validator or endless nominators: a page ends, or the error names what is to be given.
func TestPoolEvents_HostilePoolsEndAPage(t *testing.T) {
	t.Parallel()
	h := newPoolHistory(t)
	endless := cellgraphtest.Dict(256, cell.BeginCell().MustStoreBigCoins(big.NewInt(1)).MustStoreBigCoins(big.NewInt(1)))
	for i := range int64(6) {
		h.receive(h.nominator, nominator.OpComment, poolCells(i, endless))
	}
	ctx, page := t.Context(), chain.Page{Limit: 10}
	svc := resolvers.New(h.db.Reader(), nil, resolvers.Options{Limits: resolvers.Limits{Walked: 6}})
	t.Cleanup(svc.Close)
	events, err := svc.PoolEvents(ctx, chain.PoolEventFilter{Pool: h.pool}, page)
	require.NoError(t, err)
	require.Empty(t, events)
	_, err = svc.NominatorPool(ctx, h.pool)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	few := resolvers.New(h.db.Reader(), nil, resolvers.Options{Limits: resolvers.Limits{Walked: 5}})
	t.Cleanup(few.Close)
	_, err = few.PoolEvents(ctx, chain.PoolEventFilter{Pool: h.pool}, page)
	require.EqualError(t, err, "the pool has more than 5 transactions in this time: give a shorter one (start_utime, end_utime)")
	_, err = few.PoolEvents(ctx, chain.PoolEventFilter{Pool: h.pool, EndUtime: new(h.prev.Now - 1)}, page)
	require.NoError(t, err)

	validator := testdb.Address()
	mb := testdb.Master(h.seqno + 1)
	for range 101 {
		testdb.AddContract(mb, testdb.Address(), func(c *chain.Contract) {
			c.NominatorPool = &chain.NominatorPool{Address: c.Account, Validator: validator, LastTxLT: c.LT}
		})
	}
	require.NoError(t, h.db.Writer().Apply(ctx, mb))
	_, err = svc.PoolValidatorEvents(ctx, chain.PoolValidatorEventFilter{Validator: &validator}, page)
	require.EqualError(t, err, "more than 100 pools name the validator: give the pool, too")
	_, err = svc.PoolValidatorEvents(ctx, chain.PoolValidatorEventFilter{}, page)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}
