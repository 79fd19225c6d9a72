package lite

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
)

// probeCode returns the parameters and SmartContractInfo from every get-method:
// SETCP0, DROP the method id, PUSH c7, its INDEX 0.
var probeCode = code("ff0030ed476f10")

// loopCode never ends: SETCP0, then PUSHCONT of nothing and AGAIN.
var loopCode = code("ff0090ea")

func code(bytecode string) *cell.Cell {
	raw, err := hex.DecodeString(bytecode)
	if err != nil {
		panic(err)
	}
	return cell.BeginCell().MustStoreSlice(raw, uint(len(raw))*8).EndCell()
}

var (
	probe   = address.NewAddress(0, 0, bytes.Repeat([]byte{0x71}, 32))
	looper  = address.NewAddress(0, 0, bytes.Repeat([]byte{0x72}, 32))
	byHash  = address.NewAddress(0, 0, bytes.Repeat([]byte{0x73}, 32))
	libAcc  = address.NewAddress(0, 0xff, bytes.Repeat([]byte{0x74}, 32))
	branchy = address.NewAddress(0, 0, bytes.Repeat([]byte{0x75}, 32))
	noState = cell.BeginCell().EndCell()
)

// methodNetwork has contracts that return the context of get-methods, one of them by
// the code of a library that a masterchain account publishes.
func methodNetwork(t testing.TB) *network {
	t.Helper()
	libs := cell.NewDict(256)
	require.NoError(t, libs.Set(bytesKey(probeCode.Hash()),
		cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(probeCode).EndCell()))
	hidden := code("ff00")
	require.NoError(t, libs.Set(bytesKey(hidden.Hash()),
		cell.BeginCell().MustStoreBoolBit(false).MustStoreRef(hidden).EndCell()))
	return newNetworkWith(t, []genesis.Account{
		{Address: probe, Balance: 7_000_000_000, Code: probeCode, Data: noState},
		{Address: looper, Balance: 1_000_000_000, Code: loopCode, Data: noState},
		{Address: byHash, Balance: 1_000_000_000, Code: contracts.LibraryCode(probeCode), Data: noState},
		{Address: branchy, Balance: 7_000_000_000, Code: contracts.Emitter().Init.Code, Data: noState},
		{Address: libAcc, Balance: 1_000_000_000, Code: probeCode, Data: noState, Libraries: libs},
	})
}

func TestRunMethod_ContextIsThatOfTheBlock(t *testing.T) {
	t.Parallel()
	n := methodNetwork(t)
	n.mine(20)
	head := n.chain.Head()
	res, err := n.client(ton.ProofCheckPolicySecure).RunGetMethod(n.ctx, &head.ID, probe, "anything")
	require.NoError(t, err)
	info := res.MustTuple(0)
	require.Len(t, info, 18)
	num := func(i int) int64 { return info[i].(*big.Int).Int64() }

	acc := call[ton.AccountState](n, ton.GetAccountState{ID: &head.ID, Account: ton.AccountID{ID: probe.Data()}})
	block, err := n.chain.Block(*acc.Shard)
	require.NoError(t, err)
	require.EqualValues(t, contextMagic, num(0))
	require.EqualValues(t, block.GenUtime, num(3))
	require.EqualValues(t, block.EndLT, num(4))
	require.EqualValues(t, block.EndLT, num(5))
	require.Equal(t, "7000000000", info[7].([]any)[0].(*big.Int).String())
	addr, err := info[8].(*cell.Slice).LoadAddr()
	require.NoError(t, err)
	require.True(t, addr.Equals(probe))
	require.Equal(t, n.chain.Config().Hash(), info[9].(*cell.Cell).Hash())
	require.Equal(t, probeCode.Hash(), info[10].(*cell.Cell).Hash())
	require.Len(t, info[11], 2)
	require.Zero(t, num(12))
	requirePrevBlocks(t, n, info[13].([]any))
	require.Len(t, info[14], 7)
	require.Zero(t, num(15))
	require.Nil(t, info[16])
	require.Len(t, info[17], 10)

	again, err := n.client(ton.ProofCheckPolicyFast).RunGetMethod(n.ctx, &head.ID, probe, "anything")
	require.NoError(t, err)
	require.Equal(t, info[6], again.MustTuple(0)[6], "equal queries have equal results")
}

func requirePrevBlocks(t *testing.T, n *network, prev []any) {
	t.Helper()
	require.Len(t, prev, 3)
	last := prev[0].([]any)
	require.Len(t, last, prevBlocksLen)
	head := n.chain.Head().ID.SeqNo
	for i, v := range last {
		want, err := n.chain.BySeqno(-1, rootShard, head-uint32(i))
		require.NoError(t, err)
		requireBlockTuple(t, &want.ID, v)
	}
	first, err := n.chain.BySeqno(-1, rootShard, 1)
	require.NoError(t, err)
	require.True(t, first.KeyBlock)
	requireBlockTuple(t, &first.ID, prev[1])
	hundreds := prev[2].([]any)
	require.Len(t, hundreds, 1, "only block 0 is a multiple of hundred so far")
	zero := n.chain.ZerostateID(-1)
	requireBlockTuple(t, &zero, hundreds[0])
}

func requireBlockTuple(t *testing.T, want *ton.BlockIDExt, got any) {
	t.Helper()
	vals := got.([]any)
	require.Len(t, vals, 5)
	require.EqualValues(t, want.Workchain, vals[0].(*big.Int).Int64())
	require.Equal(t, uint64(want.Shard), vals[1].(*big.Int).Uint64())
	require.EqualValues(t, want.SeqNo, vals[2].(*big.Int).Int64())
	require.Equal(t, new(big.Int).SetBytes(want.RootHash), vals[3])
	require.Equal(t, new(big.Int).SetBytes(want.FileHash), vals[4])
}

// TestRunMethod_EveryKindOfValueRoundTrips sends values of every kind, which the get-method returns.
func TestRunMethod_EveryKindOfValueRoundTrips(t *testing.T) {
	t.Parallel()
	n := methodNetwork(t)
	huge := new(big.Int).Lsh(big.NewInt(1), 255)
	leaf := cell.BeginCell().MustStoreUInt(0xabc, 12).EndCell()
	slice := cell.BeginCell().MustStoreUInt(0xdef, 12).MustStoreRef(leaf).ToSlice()
	res, err := n.client(ton.ProofCheckPolicySecure).RunGetMethod(n.ctx, &n.chain.Head().ID, probe, "anything",
		int64(-5), huge, nil, leaf, slice, []any{int64(1), []any{leaf, nil}, huge})
	require.NoError(t, err)
	all := res.AsTuple()
	require.Len(t, all, 7)
	require.EqualValues(t, -5, all[0].(*big.Int).Int64())
	require.Equal(t, huge, all[1])
	require.Nil(t, all[2])
	require.Equal(t, leaf.Hash(), all[3].(*cell.Cell).Hash())
	back, err := all[4].(*cell.Slice).ToCell()
	require.NoError(t, err)
	sent, err := slice.ToCell()
	require.NoError(t, err)
	require.Equal(t, sent.Hash(), back.Hash())
	tup := all[5].([]any)
	require.Len(t, tup, 3)
	require.Equal(t, leaf.Hash(), tup[1].([]any)[0].(*cell.Cell).Hash())
	require.Equal(t, huge, tup[2])
}

// TestRunMethod_EachModeReturnsItsPart requests one part of the response at a time.
func TestRunMethod_EachModeReturnsItsPart(t *testing.T) {
	t.Parallel()
	n := methodNetwork(t)
	head := &n.chain.Head().ID
	run := func(mode uint32) ton.RunMethodResult {
		return call[ton.RunMethodResult](n, ton.RunSmcMethod{
			Mode: mode, ID: head, Account: ton.AccountID{ID: probe.Data()}, MethodID: 1,
		})
	}
	none := run(0)
	require.Zero(t, none.ExitCode)
	require.Nil(t, none.Result)
	require.Nil(t, none.Proof)
	require.Nil(t, none.StateProof)
	require.Nil(t, none.InitC7)
	require.Len(t, run(methodProof).Proof, 2)
	require.Len(t, run(methodProof).ShardProof, 2)
	require.NotNil(t, run(methodResult).Result)
	require.NotNil(t, run(methodStateProof).StateProof)
	require.Nil(t, run(methodLibraries).LibExtras)

	for mode, length := range map[uint32]int{methodC7: shortContextLen + 1, methodC7 | methodC7Config: 18} {
		s, err := run(mode).InitC7.BeginParse()
		require.NoError(t, err)
		v, err := tlb.ParseStackValue(s)
		require.NoError(t, err)
		require.Len(t, v.([]any), 1)
		require.Len(t, v.([]any)[0].([]any), length)
	}
}

func TestRunMethod_EndlessCodeRunsOutOfGas(t *testing.T) {
	t.Parallel()
	n := methodNetwork(t)
	_, err := n.client(ton.ProofCheckPolicySecure).RunGetMethod(n.ctx, &n.chain.Head().ID, looper, "forever")
	require.ErrorIs(t, err, ton.ContractExecError{Code: -14}, "out of gas")
}

func TestGetLibraries_PublicOnesAreProven(t *testing.T) {
	t.Parallel()
	n := methodNetwork(t)
	head := n.chain.Head()
	c := n.client(ton.ProofCheckPolicySecure)
	hidden := code("ff00").Hash()
	libs, err := c.GetLibraries(n.ctx, hidden, probeCode.Hash(), probeCode.Hash())
	require.NoError(t, err)
	require.Nil(t, libs[0], "not public")
	require.Equal(t, probeCode.Hash(), libs[1].Hash())

	res, err := c.RunGetMethod(n.ctx, &head.ID, byHash, "anything")
	require.NoError(t, err, "the code is a library")
	require.Len(t, res.MustTuple(0), 18)

	for mode := range uint32(4) {
		r := call[ton.LibraryResultWithProof](n, ton.GetLibrariesWithProof{
			ID: &head.ID, Mode: mode, LibraryList: [][]byte{hidden, probeCode.Hash()},
		})
		require.Len(t, r.Result, 1)
		require.Equal(t, probeCode.Hash(), r.Result[0].Hash)
		require.Equal(t, mode&libraryNoData != 0, len(r.Result[0].Data) == 0)
		requireLibraryProven(t, &head.ID, r, mode)
	}
}

// requireLibraryProven finds the library in the proof, and that the other one is absent.
func requireLibraryProven(t *testing.T, head *ton.BlockIDExt, r ton.LibraryResultWithProof, mode uint32) {
	t.Helper()
	state, err := ton.CheckBlockShardStateProof(
		append(roots(t, r.StateProof), roots(t, r.DataProof)...), head.RootHash)
	require.NoError(t, err)
	libs, err := openLibraries(state.Stats)
	require.NoError(t, err)
	v, err := lookup(libs, bytesKey(probeCode.Hash()), 256)
	require.NoError(t, err)
	require.NotNil(t, v)
	tag, err := v.LoadUInt(2)
	require.NoError(t, err)
	require.Zero(t, tag)
	lib, err := v.LoadRefCell()
	require.NoError(t, err)
	require.Equal(t, probeCode.Hash(), lib.Hash(0))
	gone, err := lookup(libs, bytesKey(code("ff00").Hash()), 256)
	require.NoError(t, err)
	require.Nil(t, gone)
	if mode&libraryPublishers != 0 {
		publishers, err := v.ToCell()
		require.NoError(t, err)
		_, err = publishers.AsDict(256).LoadValue(bytesKey(libAcc.Data()))
		require.NoError(t, err)
	}
}

func TestGetAccountState_PrunedHasOnlyHashesOfCode(t *testing.T) {
	t.Parallel()
	n := methodNetwork(t)
	head := &n.chain.Head().ID
	id := ton.AccountID{ID: branchy.Data()}
	full := call[ton.AccountState](n, ton.GetAccountState{ID: head, Account: id})
	pruned := call[ton.AccountState](n, ton.GetAccountStatePruned{ID: head, Account: id})
	body, err := cell.UnwrapProof(pruned.State, full.State.Hash())
	require.NoError(t, err)
	acc, err := openAccount(body)
	require.NoError(t, err)
	require.Equal(t, "7000000000", acc.balance.String())
	require.Equal(t, cell.PrunedCellType, acc.code.GetType())
	require.Equal(t, contracts.Emitter().Init.Code.Hash(), acc.code.Hash(0))

	newest := call[ton.AccountState](n, ton.GetAccountState{
		ID:      &ton.BlockIDExt{Workchain: -1, Shard: rootShard, SeqNo: ^uint32(0), RootHash: make([]byte, 32), FileHash: make([]byte, 32)},
		Account: id,
	})
	require.True(t, newest.ID.Equals(head), "this id means the newest block")
	require.Equal(t, full.State.Hash(), newest.State.Hash())
}
