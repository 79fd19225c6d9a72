package decode_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/rebuild"
)

// fuzzedBlocks are small blocks of many forms, so that one instruction of a program changes a field.
func fuzzedBlocks(tb testing.TB) []chain.RawBlock {
	tb.Helper()
	params := cell.NewDict(32)
	for _, n := range []int64{8, 28, 34} {
		require.NoError(tb, params.SetIntKey(big.NewInt(n), cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreInt(n, 32).EndCell()).EndCell()))
	}
	top := mainnet.ShardForm{ID: chain.BlockIDExt{BlockID: chain.BlockID{Shard: chain.FullShard, Seqno: 7}}, Extra: true}
	forms := []mainnet.BlockForm{
		{ID: chain.BlockID{Shard: chain.FullShard, Seqno: 40}, Software: true, Accounts: fuzzedAccounts(tb)},
		{ID: chain.BlockID{Shard: chain.FullShard, Seqno: 40}, Vertical: true, OldFlow: true, AfterMerge: true},
		{ID: chain.BlockID{Shard: 0x4000000000000000, Seqno: 40}, AfterSplit: true},
		{ID: chain.MasterBlockID(100), Master: &mainnet.MasterForm{Shards: []mainnet.ShardForm{top}, Fees: true, Recover: true, Mint: true, Signatures: true}},
		{ID: chain.MasterBlockID(100), Software: true, Accounts: fuzzedAccounts(tb), Master: &mainnet.MasterForm{Config: params.AsCell()}},
	}
	list := make([]chain.RawBlock, len(forms))
	for i := range forms {
		list[i] = forms[i].Build(tb)
	}
	return list
}

// fuzzedAccounts has the transactions of an account: ordinary ones with each kind of message, and one that installs a merge.
func fuzzedAccounts(tb testing.TB) *cell.Cell {
	tb.Helper()
	const skipped, none = "0 00", "0"
	ordinary := bits(tb, "0000 0 0 0"+skipped+none+"1 0 0").EndCell()
	prepare := transactionCell(500, ordinary, nil)
	merge := bits(tb, "0111 000001 000010").MustStoreSlice(make([]byte, 64), 512).MustStoreRef(prepare)
	merge.MustStoreBuilder(bits(tb, "0 0 0 110 0 1 0"))
	to, code := address.NewAddress(0, 0, make([]byte, 32)), cell.BeginCell().MustStoreUInt(7, 8).EndCell()
	extra := cell.NewDict(32)
	require.NoError(tb, extra.SetIntKey(big.NewInt(5), cell.BeginCell().MustStoreBigVarUInt(big.NewInt(6), 32).EndCell()))
	internal, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, Bounce: true, SrcAddr: to, DstAddr: to, Amount: tlb.MustFromTON("1"), ExtraCurrencies: extra, CreatedLT: 77,
		StateInit: &tlb.StateInit{Code: code, Data: code}, Body: cell.BeginCell().MustStoreUInt(1, 32).MustStoreRef(code).EndCell(),
	})
	require.NoError(tb, err)
	external, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: to, Body: code})
	require.NoError(tb, err)
	var list []rebuild.Transaction
	for _, c := range []*cell.Cell{
		prepare, transactionCell(600, ordinary, internal), transactionCell(700, ordinary, external), transactionCell(800, merge.EndCell(), internal),
	} {
		tx, err := rebuild.ReadTransaction(c)
		require.NoError(tb, err)
		list = append(list, tx)
	}
	accounts, err := rebuild.AccountBlocks(list)
	require.NoError(tb, err)
	return accounts
}

// FuzzBlock_IsDecodedOrRefused changes the cells of blocks: each is decoded, and is what its rows and frame give, or it is refused with an
// error, without a panic.
func FuzzBlock_IsDecodedOrRefused(f *testing.F) {
	blocks := fuzzedBlocks(f)
	for i := range blocks {
		f.Add(byte(i), []byte{})
		f.Add(byte(i), []byte{1, 0, 3, 2, 9})
		f.Add(byte(i), []byte{8, 0, 5, 0, 0, 4, 0, 9, 0, 3})
	}
	f.Fuzz(func(t *testing.T, form byte, program []byte) {
		if len(program) > 20*cellgraphtest.MutationSize {
			return
		}
		raw := blocks[int(form)%len(blocks)]
		raw.Root = cellgraphtest.Mutate(raw.Root, program)
		m, err := decode.MasterBlock(t.Context(), &chain.RawMasterBlock{Master: raw})
		require.Equal(t, err == nil, m != nil)
		if err != nil {
			require.NotContains(t, err.Error(), "malformed cells", "a panic was caught")
			return
		}
		requireOneRowForEachKey(t, m)
		frame, err := rebuild.ParseFrame(m.Frames[0])
		require.NoError(t, err)
		if frame.Cell != nil {
			require.Equal(t, raw.Root.HashKey(0), frame.Cell.HashKey(0))
		}
	})
}

// requireOneRowForEachKey checks what the primary keys of the tables demand of rows.
func requireOneRowForEachKey(t *testing.T, m *decode.Master) {
	t.Helper()
	messages := map[chain.MessageKey]bool{}
	for i := range m.Messages {
		require.False(t, messages[m.Messages[i].Key])
		messages[m.Messages[i].Key] = true
	}
	for i := range m.Transactions {
		tx := &m.Transactions[i]
		require.True(t, tx.InMsg == nil || messages[*tx.InMsg])
	}
}

// FuzzAccount_IsRebuiltOrRefused changes the cells of accounts: each is read, and its row gives the cell, or it is refused.
func FuzzAccount_IsRebuiltOrRefused(f *testing.F) {
	accounts := fuzzedStates(f)
	for i := range accounts {
		f.Add(byte(i), []byte{})
		f.Add(byte(i), []byte{1, 0, 0, 1, 9})
		f.Add(byte(i), []byte{8, 0, 0, 0, 0})
	}
	f.Fuzz(func(t *testing.T, form byte, program []byte) {
		if len(program) > 20*cellgraphtest.MutationSize {
			return
		}
		root := cellgraphtest.Mutate(accounts[int(form)%len(accounts)], program)
		st, err := decode.Account(chain.Address{ID: chain.Hash{5}}, chain.TransactionRef{LT: 9}, root)
		if err != nil {
			return
		}
		require.Equal(t, chain.Hash(root.HashKey(0)), st.Row.Hash)
		rest := rebuild.AccountCells{Code: st.Code, Data: st.Data, Libraries: st.Libraries}
		if st.Row.Status != chain.Nonexist {
			built, err := rebuild.Account(&st.Row, st.Row.Rest, rest)
			require.NoError(t, err)
			require.Equal(t, root.HashKey(0), built.HashKey(0))
		}
		_, _ = decode.PublicLibraries(st.Libraries)
	})
}

// fuzzedStates are accounts of each status.
func fuzzedStates(tb testing.TB) []*cell.Cell {
	tb.Helper()
	id := append([]byte{5}, make([]byte, 31)...)
	code := cell.BeginCell().MustStoreUInt(1, 8).EndCell()
	libraries := cell.NewDict(256)
	require.NoError(tb, libraries.Set(cell.BeginCell().MustStoreSlice(code.Hash(), 256).EndCell(), cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(code).EndCell()))
	shell := func(info string) *cell.Builder {
		return bits(tb, "1 100").MustStoreUInt(0, 8).MustStoreSlice(id, 256).MustStoreBuilder(bits(tb, info)).MustStoreUInt(1_573_821_854, 32)
	}
	const used = "001 00000001 010 0000000100000000" // one cell, 256 bits
	balance := func(b *cell.Builder) *cell.Builder {
		return b.MustStoreUInt(77, 64).MustStoreBuilder(bits(tb, "0001 00000101 0"))
	}
	active := balance(shell(used + "000").MustStoreBoolBit(false)).MustStoreBuilder(bits(tb, "1 1 00101 1 10 1")).MustStoreRef(code).
		MustStoreBoolBit(true).MustStoreRef(code).MustStoreBoolBit(true).MustStoreRef(libraries.AsCell()).EndCell()
	hashed := cell.BeginCell().MustStoreBuilder(bits(tb, "1 100")).MustStoreUInt(0, 8).MustStoreSlice(id, 256).MustStoreBuilder(bits(tb, used+"001")).
		MustStoreSlice(id, 256).MustStoreUInt(1_573_821_854, 32).MustStoreBuilder(bits(tb, "1 0001 00000111"))
	frozen := balance(hashed).MustStoreBuilder(bits(tb, "01")).MustStoreSlice(id, 256).EndCell()
	uninit := balance(shell(used + "000").MustStoreBoolBit(false)).MustStoreBuilder(bits(tb, "00")).EndCell()
	list := []*cell.Cell{active, frozen, uninit, decode.NoAccount}
	for _, c := range list {
		_, err := decode.Account(chain.Address{}, chain.TransactionRef{}, c)
		require.NoError(tb, err)
	}
	return list
}
