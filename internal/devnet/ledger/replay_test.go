package ledger

import (
	"math/big"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
	"tonql/internal/devnet/layout"
)

// replayer re-executes a chain from public data only: zerostates and block
// bytes. It uses none of the engine's execution or bookkeeping code.
type replayer struct {
	t       *testing.T
	states  map[blockKey]*cell.Cell
	masters []ton.BlockIDExt // by seqno
	keys    []bool
	txs     int
	tickers int
	actions *actionphase.Config // of the block
}

// replayAll replays every block of the chain and returns the replayer's counts.
func replayAll(t *testing.T, c *Chain) *replayer {
	t.Helper()
	r := &replayer{t: t, states: map[blockKey]*cell.Cell{}}
	for _, wc := range []int32{layout.Masterchain, layout.Basechain} {
		root, err := c.ZerostateCell(wc)
		require.NoError(t, err)
		r.states[keyOf(c.ZerostateID(wc))] = root
	}
	r.masters = []ton.BlockIDExt{c.ZerostateID(layout.Masterchain)}
	r.keys = []bool{true}
	for seqno := uint32(1); seqno <= c.Head().ID.SeqNo; seqno++ {
		blocks, err := c.Committed(seqno)
		require.NoError(t, err)
		master, err := c.Block(masterID(seqno))
		require.NoError(t, err)
		for _, b := range append(blocks, master) {
			data, err := c.arch.Read(entryAt(t, c, b))
			require.NoError(t, err)
			r.block(data)
		}
		r.masters = append(r.masters, master.ID)
		r.keys = append(r.keys, master.KeyBlock)
	}
	return r
}

// block replays one block from its bytes.
func (r *replayer) block(data []byte) {
	t := r.t
	b, err := parseBlock(data)
	require.NoError(t, err)
	var blk tlb.Block
	require.NoError(t, tlb.Parse(&blk, b.Root))

	next, err := applyBlock(b, func(id ton.BlockIDExt) *cell.Cell { return r.states[keyOf(id)] })
	require.NoError(t, err)
	r.states[keyOf(b.ID)] = next

	ref := r.masters[len(r.masters)-1]
	if blk.BlockInfo.MasterRef != nil {
		require.Equal(t, ref.RootHash, blk.BlockInfo.MasterRef.RootHash)
	}
	context := r.context(&blk, ref.SeqNo)
	txs, err := blk.ListTransactions()
	require.NoError(t, err)
	sort.Slice(txs, func(i, j int) bool { return txs[i].LT < txs[j].LT })
	accounts := map[string]*tvm.PreparedAccount{}
	stats := map[string]*cell.Cell{}
	for _, tx := range txs {
		r.transaction(b, tx, context, accounts, stats)
	}
	after, err := newTip(b.ID, b.EndLT, next)
	require.NoError(t, err)
	for key, acc := range accounts {
		got, _, err := findAccount(after.accounts, [32]byte([]byte(key)))
		require.NoError(t, err)
		require.Equal(t, got.Account.Hash(), acc.ShardAccount().Account.Hash(), "account %x after %s", key, blockName(b.ID))
	}
}

func (r *replayer) context(blk *tlb.Block, ref uint32) *tvm.BlockContext {
	t := r.t
	st, err := layout.ParseState(r.states[keyOf(r.masters[ref])])
	require.NoError(t, err)
	extra, err := layout.ParseMcExtra(st.Extra)
	require.NoError(t, err)
	config, err := tvm.PrepareBlockchainConfig(extra.Config)
	require.NoError(t, err)
	r.actions, err = actionphase.NewConfig(extra.Config)
	require.NoError(t, err)
	opts := tvm.BlockOptions{
		Now: blk.BlockInfo.GenUtime, BlockLT: int64(blk.BlockInfo.StartLt),
		RandSeed: blk.Extra.RandSeed, PrevBlocks: r.prevBlocks(ref),
	}
	if st.Libraries != nil {
		opts.Libraries = []*cell.Cell{st.Libraries}
	}
	context, err := config.NewBlockContext(opts)
	require.NoError(t, err)
	return context
}

// prevBlocks builds c7's list from the masterchain block ids alone.
func (r *replayer) prevBlocks(ref uint32) tuple.Tuple {
	id := func(seqno uint32) any {
		b := r.masters[seqno]
		return tuple.NewTupleValue(big.NewInt(-1), new(big.Int).SetUint64(1<<63), big.NewInt(int64(seqno)),
			new(big.Int).SetBytes(b.RootHash), new(big.Int).SetBytes(b.FileHash))
	}
	key := ref
	for !r.keys[key] {
		key--
	}
	var last, hundreds []any
	for n := int(ref); n >= 0 && len(last) < 16; n-- {
		last = append(last, id(uint32(n)))
	}
	for n := int(ref) / 100 * 100; n >= 0 && len(hundreds) < 16; n -= 100 {
		hundreds = append(hundreds, id(uint32(n)))
	}
	return tuple.NewTupleValue(tuple.NewTupleOwned(last), id(key), tuple.NewTupleOwned(hundreds))
}

func (r *replayer) transaction(b *Block, tx *tlb.Transaction, context *tvm.BlockContext, accounts map[string]*tvm.PreparedAccount, stats map[string]*cell.Cell) {
	t := r.t
	key := string(tx.AccountAddr)
	acc := accounts[key]
	if acc == nil {
		acc = r.accountBefore(b, tx.AccountAddr)
	}
	opts := tvm.TransactionOptions{LogicalTime: int64(tx.LT), AccountStorageStat: stats[key]}
	var res *tvm.TransactionExecutionResult
	var msgCell *cell.Cell
	var err error
	if desc, ok := tx.Description.(tlb.TransactionDescriptionTickTock); ok {
		r.tickers++
		res, err = boundedvm.New().EmulateTickTockTransaction(context, acc, desc.IsTock, opts)
	} else {
		msgCell, err = tx.IO.In.ToCell()
		require.NoError(t, err)
		msg, prepErr := tvm.PrepareMessage(msgCell)
		require.NoError(t, prepErr)
		res, err = boundedvm.New().EmulateTransaction(context, acc, msg, opts)
	}
	require.NoError(t, err)
	res, err = actionphase.Correct(r.actions, acc, acc.Address(), msgCell, res)
	require.NoError(t, err)
	require.NotNil(t, res.TransactionCell)
	require.Equal(t, tx.Hash, res.TransactionCell.Hash(), "transaction %d of %x in %s", tx.LT, tx.AccountAddr, blockName(b.ID))
	accounts[key], stats[key] = res.NextAccount, res.AccountStorageStat
	r.txs++
}

func (r *replayer) accountBefore(b *Block, addr []byte) *tvm.PreparedAccount {
	for _, id := range b.Prev {
		parent, err := newTip(id, 0, r.states[keyOf(id)])
		require.NoError(r.t, err)
		if len(b.Prev) == 2 && !layout.ShardContains(parent.shard(), layout.AccountPrefix(addr)) {
			continue
		}
		acc, _, err := findAccount(parent.accounts, [32]byte(addr))
		require.NoError(r.t, err)
		prepared, err := tvm.PrepareAccount(acc, address.NewAddress(0, byte(b.ID.Workchain), addr))
		require.NoError(r.t, err)
		return prepared
	}
	r.t.Fatalf("no parent of %s contains account %x", blockName(b.ID), addr)
	return nil
}
