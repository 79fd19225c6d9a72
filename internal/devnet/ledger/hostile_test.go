package ledger

import (
	"bytes"
	"context"
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/devnet/genesis"
)

// hoarder is a contract that stores cells of levels, each with four references to the next one, for every external
// message.
func hoarder(t *testing.T, levels uint16) genesis.Account {
	t.Helper()
	// SETCP0; ACCEPT; NEWC; ENDC; levels PUSHINT; <{ 3 x DUP; NEWC; 4 x STREF; ENDC }> PUSHCONT; REPEAT; c4 POP
	code, err := hex.DecodeString("ff00f800c8c981" + hex.EncodeToString([]byte{byte(levels >> 8), byte(levels)}) + "99202020c8ccccccccc9e4ed54")
	require.NoError(t, err)
	c := cell.BeginCell().MustStoreSlice(code, uint(len(code)*8)).EndCell()
	init := &tlb.StateInit{Code: c, Data: cell.BeginCell().EndCell()}
	return genesis.Account{Address: init.CalcAddress(0), Balance: 100e9, Code: init.Code, Data: init.Data}
}

func externalTo(t *testing.T, to *address.Address, body *cell.Cell) *cell.Cell {
	t.Helper()
	c, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: to, Body: body})
	require.NoError(t, err)
	return c
}

// Contract data that is small as a bag of cells and large as a tree is written, read and written again.
func TestMine_ContinuesWithContractDataOfSharedCells(t *testing.T) {
	t.Parallel()
	for _, levels := range []uint16{10, 100, 500} {
		acc := hoarder(t, levels)
		c := openChain(t, Options{Genesis: []genesis.Account{acc}})
		for i := range uint64(3) {
			require.NoError(t, c.SendExternal(context.Background(), externalTo(t, acc.Address, cell.BeginCell().MustStoreUInt(i, 8).EndCell())))
			mine(t, c, 1)
		}
		st := accountState(t, c, acc.Address)
		require.Equal(t, levels, st.StateInit.Data.Depth())
		n, _, err := cellgraph.Count(st.StateInit.Data, 1000)
		require.NoError(t, err)
		require.EqualValues(t, levels+1, n)
		require.EqualValues(t, n+2, st.StorageInfo.StorageUsed.CellsUsed.Uint64()) // with the root and the code
	}
}

func TestSendExternal_MessagesOfSharedCellsAreRefused(t *testing.T) {
	t.Parallel()
	w := newTestWallet(t, 1, 0, 10e9)
	c := openChain(t, Options{Genesis: accountsOf(w)})
	leaf := cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(cell.BeginCell().EndCell())
	for _, levels := range cellgraphtest.Levels {
		dag := cellgraphtest.Shared(levels, nil)
		deploy := func(init *tlb.StateInit) *cell.Cell {
			c, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: w.address, StateInit: init, Body: cell.BeginCell().EndCell()})
			require.NoError(t, err)
			return c
		}
		for name, msg := range map[string]*cell.Cell{
			"body":      externalTo(t, w.address, dag),
			"code":      deploy(&tlb.StateInit{Code: dag, Data: cell.BeginCell().EndCell()}),
			"data":      deploy(&tlb.StateInit{Code: cell.BeginCell().EndCell(), Data: dag}),
			"libraries": deploy(&tlb.StateInit{Lib: cellgraphtest.Dict(256, leaf).AsDict(256)}),
		} {
			err := c.SendExternal(context.Background(), msg)
			require.Equal(t, chain.Invalid, chain.KindOf(err), name)
			require.ErrorContains(t, err, "this chain does not execute the message", name)
		}
		// The same number of cells in a chain is an ordinary message, which the code of the wallet refuses.
		var refused *ExternalError
		require.ErrorAs(t, c.SendExternal(context.Background(), externalTo(t, w.address, cellgraphtest.Chain(levels, nil))), &refused)
	}
	mine(t, c, 1)
}

// sender is a contract whose data is a message, which it sends for every message that it receives.
func sender(t *testing.T, to *address.Address, body *cell.Cell) genesis.Account {
	t.Helper()
	code, err := hex.DecodeString("ff00f800ed4470fb00") // SETCP0; ACCEPT; c4 PUSH; 0 PUSHINT; SENDRAWMSG
	require.NoError(t, err)
	m := pay(to, 1e9)
	m.Body = body
	data, err := tlb.ToCell(m)
	require.NoError(t, err)
	init := &tlb.StateInit{Code: cell.BeginCell().MustStoreSlice(code, uint(len(code)*8)).EndCell(), Data: data}
	return genesis.Account{Address: init.CalcAddress(0), Balance: 100e9, Code: init.Code, Data: init.Data}
}

// A contract that sends a message of shared cells does not stop the chain: no block contains the external message that
// triggers it, and an internal one bounces out of gas.
func TestMine_ContinuesAfterSentMessagesOfSharedCells(t *testing.T) {
	t.Parallel()
	w := newTestWallet(t, 1, 0, 10e9)
	small := sender(t, w.address, cellgraphtest.Shared(5, nil))
	large := sender(t, w.address, cellgraphtest.Shared(200, nil))
	c := openChain(t, Options{Genesis: append(accountsOf(w), small, large)})

	require.NoError(t, c.SendExternal(context.Background(), externalTo(t, small.Address, cell.BeginCell().EndCell())))
	require.NoError(t, c.SendExternal(context.Background(), externalTo(t, large.Address, cell.BeginCell().EndCell())))
	mine(t, c, 1)
	require.Less(t, accountState(t, c, small.Address).Balance.Nano().Uint64(), uint64(99e9))
	require.Equal(t, uint64(100e9), accountState(t, c, large.Address).Balance.Nano().Uint64())
	require.Zero(t, c.pool.len())

	before := accountState(t, c, w.address).Balance.Nano().Uint64()
	call := pay(large.Address, 2e9)
	call.Bounce = true
	require.NoError(t, c.SendExternal(context.Background(), w.transfer(t, 0, call)))
	mine(t, c, 3)
	require.Greater(t, accountState(t, c, w.address).Balance.Nano().Uint64(), before-1e9) // the message bounced
	exits := map[int32]int{}
	for seqno := uint32(1); seqno <= 4; seqno++ {
		blocks, err := c.Committed(seqno)
		require.NoError(t, err)
		for _, b := range blocks {
			for _, tx := range blockTxs(t, b) {
				if d, ok := tx.Description.(tlb.TransactionDescriptionOrdinary); ok && bytes.Equal(tx.AccountAddr, large.Address.Data()) {
					if vm, ok := d.ComputePhase.Phase.(tlb.ComputePhaseVM); ok {
						exits[vm.Details.ExitCode]++
					}
				}
			}
		}
	}
	require.Equal(t, map[int32]int{-14: 1}, exits)
}

// The update equals the library's, cell by cell, in all cases in which the library terminates.
func TestMerkleUpdate_EqualsTheLibrarys(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		dict := cell.NewDict(32)
		for range 1 + r.IntN(200) {
			require.NoError(t, dict.SetIntKey(key(r), value(r)))
		}
		from := cell.BeginCell().MustStoreUInt(seed, 64).MustStoreRef(dict.AsCell()).MustStoreRef(value(r)).EndCell()
		u := newUsage()
		s := from.WithTrace(u.tree.RootTrace()).MustBeginParse()
		seen, err := s.LoadUInt(64)
		require.NoError(t, err)
		next := s.MustLoadRef().MustToCell()
		if r.IntN(2) == 0 {
			s = from.WithTrace(u.tree.RootTrace()).MustBeginParse()
			next, err = s.LoadRefCell()
			require.NoError(t, err)
		}
		other, err := s.LoadRefCell()
		require.NoError(t, err)
		state := next.AsDict(32)
		for range r.IntN(40) {
			_, _ = state.LoadValueByIntKey(key(r))
			require.NoError(t, state.SetIntKey(key(r), value(r)))
		}
		to := cell.BeginCell().MustStoreUInt(seen+1, 64).MustStoreRef(state.AsCell()).MustStoreRef(other).MustStoreRef(other).EndCell()
		want, err := u.tree.CreateMerkleUpdate(from, to)
		require.NoError(t, err)
		got, err := u.merkleUpdate(from, to)
		require.NoError(t, err)
		require.Equal(t, want.ToBOC(), got.ToBOC(), "seed %d", seed)
		applied, _, err := cell.ApplyMerkleUpdate(from, got)
		require.NoError(t, err)
		require.Equal(t, to.HashKey(), applied.HashKey())
	}
}

func key(r *rand.Rand) *big.Int { return big.NewInt(int64(r.IntN(300)) << r.IntN(20) & (1<<31 - 1)) }

// value returns a unique cell, a Merkle proof, or one of a few shared cells.
func value(r *rand.Rand) *cell.Cell {
	inner := cell.BeginCell().MustStoreUInt(uint64(r.IntN(3)), 64).MustStoreRef(cellgraphtest.Shared(3, nil)).EndCell()
	switch r.IntN(4) {
	case 0:
		return cell.BeginCell().MustStoreUInt(r.Uint64(), 64).EndCell()
	case 1:
		return cell.BeginCell().MustStoreUInt(r.Uint64(), 64).MustStoreRef(inner).EndCell()
	case 2:
		b := cell.NewMerkleProofBuilder(inner)
		b.Root().MustBeginParse()
		proof, err := b.CreateProof()
		if err != nil {
			panic(err)
		}
		return cell.BeginCell().MustStoreRef(proof).EndCell()
	default:
		return cell.BeginCell().MustStoreRef(inner).MustStoreRef(inner).EndCell()
	}
}

// A Merkle update of new cells of the maximal depth of contract data terminates, and yields the new state.
func TestMerkleUpdate_SharedCellsAreVisitedOnce(t *testing.T) {
	t.Parallel()
	for _, levels := range cellgraphtest.Levels {
		from := cell.BeginCell().MustStoreRef(cellgraphtest.Shared(levels, cell.BeginCell().MustStoreUInt(1, 8))).EndCell()
		u := newUsage()
		old, err := from.WithTrace(u.tree.RootTrace()).MustBeginParse().LoadRefCell()
		require.NoError(t, err)
		to := cell.BeginCell().MustStoreRef(cellgraphtest.Shared(levels, cell.BeginCell().MustStoreUInt(2, 8))).MustStoreRef(old).EndCell()
		update, err := u.merkleUpdate(from, to)
		require.NoError(t, err)
		update, err = detach(update, map[cell.Hash]*cell.Cell{})
		require.NoError(t, err)
		applied, _, err := cell.ApplyMerkleUpdate(from, update)
		require.NoError(t, err)
		require.Equal(t, to.HashKey(), applied.HashKey())
	}
}
