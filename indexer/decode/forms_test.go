package decode_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/rebuild"
)

// requireForms decodes a block by itself and builds it again from its row, its frame and its transactions.
func requireForms(t *testing.T, raw chain.RawBlock, config *cell.Cell) (decode.Header, []decode.Single) {
	t.Helper()
	header, txs, err := decode.Block(&raw)
	require.NoError(t, err)
	frame, err := rebuild.EncodeFrame(&header.Block, raw.Root)
	require.NoError(t, err)
	parsed, err := rebuild.ParseFrame(frame)
	require.NoError(t, err)
	require.Nil(t, parsed.Cell, "the columns and the short form of the frame give the block")
	list := make([]rebuild.Transaction, len(txs))
	for i := range txs {
		root, err := cell.FromBOC(txs[i].BOC)
		require.NoError(t, err)
		list[i], err = rebuild.ReadTransaction(root)
		require.NoError(t, err)
	}
	accounts, err := rebuild.AccountBlocks(list)
	require.NoError(t, err)
	root, err := rebuild.Block(&header.Block, frame, accounts, config)
	require.NoError(t, err)
	require.Equal(t, raw.Root.HashKey(), root.HashKey(0))
	return header, txs
}

// Old blocks have no gen_software and an older value flow; merges, splits and vertical blocks have other references.
func TestBlock_EveryFormOfAHeaderIsRead(t *testing.T) {
	t.Parallel()
	const half = chain.Shard(0x4000000000000000)
	for bits := range 1 << 4 {
		f := mainnet.BlockForm{
			ID:       chain.BlockID{Shard: chain.FullShard, Seqno: 40},
			Software: bits&1 != 0, Vertical: bits&2 != 0, OldFlow: bits&4 != 0, Session: 0x01020304,
		}
		f.AfterMerge = bits&8 != 0
		for _, split := range []bool{false, true} {
			if split && f.AfterMerge {
				continue
			}
			if f.AfterSplit = split; split {
				f.ID.Shard = half
			}
			name := fmt.Sprintf("%+v", f)
			h, _ := requireForms(t, f.Build(t), nil)
			b := h.Block
			require.Equal(t, f.ID, b.BlockID, name)
			require.Equal(t, []bool{f.AfterMerge, f.AfterSplit, f.Vertical}, []bool{b.AfterMerge, b.AfterSplit, b.VertSeqnoIncr}, name)
			require.Equal(t, []any{int32(-239), uint32(1_573_821_854), uint64(1_000_000), uint64(1_000_009), uint32(0x01020304), uint32(17), uint32(3), uint32(2)},
				[]any{b.GlobalID, b.GenUtime, b.StartLT, b.EndLT, b.ValidatorListHashShort, b.GenCatchainSeqno, b.MinRefMcSeqno, b.PrevKeyBlockSeqno}, name)
			require.Equal(t, uint32(45), h.MasterRef.Seqno, name)
			var parents []string
			for _, p := range h.Parents {
				parents = append(parents, p.String())
			}
			want := []string{"(0,8000000000000000,39)"}
			if f.AfterMerge {
				want = []string{"(0,4000000000000000,39)", "(0,c000000000000000,38)"}
			}
			require.Equal(t, want, parents, name)
		}
	}
}

// A split appends a bit to the prefix of a shard, which a merge removes, at any depth.
func TestBlock_ParentsOfShardsThatSplitAndMerge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shard  chain.Shard
		split  string // the shard of the parent after a split
		merged []string
	}{
		{0x4000000000000000, "8000000000000000", []string{"2000000000000000", "6000000000000000"}},
		{0xc000000000000000, "8000000000000000", []string{"a000000000000000", "e000000000000000"}},
		{0x2000000000000000, "4000000000000000", []string{"1000000000000000", "3000000000000000"}},
		{0x6000000000000000, "4000000000000000", []string{"5000000000000000", "7000000000000000"}},
		{0xa000000000000000, "c000000000000000", []string{"9000000000000000", "b000000000000000"}},
		{0xe000000000000000, "c000000000000000", []string{"d000000000000000", "f000000000000000"}},
		{0x3000000000000000, "2000000000000000", []string{"2800000000000000", "3800000000000000"}},
	} {
		f := mainnet.BlockForm{ID: chain.BlockID{Shard: c.shard, Seqno: 40}, AfterSplit: true}
		h, _ := requireForms(t, f.Build(t), nil)
		require.Len(t, h.Parents, 1)
		require.Equal(t, "(0,"+c.split+",39)", h.Parents[0].String())
		f.AfterSplit, f.AfterMerge = false, true
		h, _ = requireForms(t, f.Build(t), nil)
		require.Len(t, h.Parents, 2)
		require.Equal(t, []string{"(0," + c.merged[0] + ",39)", "(0," + c.merged[1] + ",38)"}, []string{h.Parents[0].String(), h.Parents[1].String()})
	}
}

// The parts before the configuration of a key block are of any length, and it has no configuration if it is no key block.
func TestBlock_EveryFormOfAMasterchainPartIsRead(t *testing.T) {
	t.Parallel()
	value := cell.BeginCell().MustStoreUInt(7, 32).EndCell()
	params := cell.NewDict(32)
	require.NoError(t, params.SetIntKey(big.NewInt(34), cell.BeginCell().MustStoreRef(value).EndCell()))
	tops := []chain.BlockIDExt{
		{BlockID: chain.BlockID{Shard: 0x4000000000000000, Seqno: 12}, RootHash: chain.Hash{1}, FileHash: chain.Hash{2}},
		{BlockID: chain.BlockID{Shard: 0xc000000000000000, Seqno: 11}, RootHash: chain.Hash{3}, FileHash: chain.Hash{4}},
	}
	full := chain.BlockIDExt{BlockID: chain.BlockID{Shard: chain.FullShard, Seqno: 7}, RootHash: chain.Hash{5}, FileHash: chain.Hash{6}}
	for bits := range 1 << 6 {
		m := &mainnet.MasterForm{Fees: bits&1 != 0, Recover: bits&2 != 0, Mint: bits&4 != 0, Signatures: bits&8 != 0}
		if bits&16 != 0 {
			m.Config = params.AsCell()
		}
		if bits&32 != 0 {
			m.Shards = []mainnet.ShardForm{{ID: tops[0]}, {ID: tops[1], Old: true}}
		}
		f := mainnet.BlockForm{ID: chain.MasterBlockID(100), Master: m}
		raw := f.Build(t)
		h, _ := requireForms(t, raw, m.Config)
		require.Equal(t, m.Config != nil, h.Block.KeyBlock)
		decoded, err := decode.MasterBlock(t.Context(), &chain.RawMasterBlock{Master: raw})
		require.NoError(t, err)
		if m.Config == nil {
			require.Nil(t, decoded.Config)
		} else {
			require.Equal(t, decode.NewConfig(100, m.Config), decoded.Config)
		}
	}
	for _, old := range []bool{false, true} {
		for _, at := range []string{"none", "split", "merge"} {
			for _, extra := range []bool{false, true} {
				for _, two := range []bool{false, true} {
					s := mainnet.ShardForm{ID: full, Old: old, At: at, Extra: extra}
					m, want := &mainnet.MasterForm{Shards: []mainnet.ShardForm{s}}, []chain.BlockIDExt{full}
					if two {
						left, right := s, s
						left.ID, right.ID = tops[0], tops[1]
						m.Shards, want = []mainnet.ShardForm{left, right}, tops
					}
					got, err := rebuild.ShardTops((&mainnet.BlockForm{ID: chain.MasterBlockID(100), Master: m}).Build(t).Root)
					require.NoError(t, err)
					require.Equal(t, want, got)
				}
			}
		}
	}
}

// bits stores a text of bits.
func bits(tb testing.TB, text string) *cell.Builder {
	tb.Helper()
	b := cell.BeginCell()
	for _, c := range strings.ReplaceAll(text, " ", "") {
		require.Contains(tb, "01", string(c))
		b.MustStoreBoolBit(c == '1')
	}
	return b
}

// transactionCell writes transaction$0111 of an account whose id begins with 5, with a description and an in-message.
func transactionCell(lt uint64, description, in *cell.Cell) *cell.Cell {
	return transactionOf(5, lt, description, in)
}

// transactionOf is [transactionCell] of an account whose id begins with another byte.
func transactionOf(first byte, lt uint64, description, in *cell.Cell) *cell.Cell {
	id := append([]byte{first}, make([]byte, 31)...)
	messages := cell.BeginCell().MustStoreBoolBit(in != nil)
	if in != nil {
		messages.MustStoreRef(in)
	}
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(id, 256).MustStoreSlice(id, 256).EndCell()
	return cell.BeginCell().MustStoreUInt(0b0111, 4).MustStoreSlice(id, 256).MustStoreUInt(lt, 64).
		MustStoreSlice(id, 256).MustStoreUInt(lt-10, 64).MustStoreUInt(1_573_821_854, 32).MustStoreUInt(0, 15).
		MustStoreUInt(0b1010, 4).MustStoreRef(messages.MustStoreBoolBit(false).EndCell()).
		MustStoreUInt(0, 5).MustStoreRef(update).MustStoreRef(description).EndCell()
}

// blockOf writes a block with one account that has these transactions.
func blockOf(t *testing.T, txs ...*cell.Cell) chain.RawBlock {
	t.Helper()
	var list []rebuild.Transaction
	for _, c := range txs {
		tx, err := rebuild.ReadTransaction(c)
		require.NoError(t, err)
		list = append(list, tx)
	}
	accounts, err := rebuild.AccountBlocks(list)
	require.NoError(t, err)
	return (&mainnet.BlockForm{ID: chain.BlockID{Shard: chain.FullShard, Seqno: 40}, Accounts: accounts}).Build(t)
}

// Only ordinary and tick-tock transactions are in blocks that were recorded; TL-B has eight kinds.
func TestBlock_EveryFormOfADescriptionIsRead(t *testing.T) {
	t.Parallel()
	const (
		storage = "0001 00000101 0 0"                          // 5 nanotons, nothing due, unchanged
		due     = "0001 00000101 1 0001 00000111 1 0"          // 7 due, frozen
		skipped = "0 00"                                       // cskip_no_state
		split   = "000001 000010"                              // cur_shard_pfx_len, acc_split_depth
		credit  = "1 1 0001 00000011 0001 00000100 0"          // due fees of 3, a credit of 4
		nothing = "0"                                          // no action phase
		ends    = "1 0"                                        // aborted, not destroyed
		noFunds = "01 001 00000001 001 00000010 0001 00001001" // cells, bits and the fee
	)
	addresses := strings.Repeat("01", 128) + strings.Repeat("10", 128)
	prepare := transactionCell(500, bits(t, "0000 0 0 0"+skipped+nothing+"1 0 0").EndCell(), nil)
	for name, c := range map[string]struct {
		bits  string
		ref   *cell.Cell
		check func(*testing.T, *chain.TransactionDescription)
	}{
		"ordinary": {"0000 1 1" + storage + credit + skipped + nothing + "1 1" + noFunds + "0", nil, func(t *testing.T, d *chain.TransactionDescription) {
			t.Helper()
			require.Equal(t, chain.Ordinary, d.Kind)
			require.True(t, d.CreditFirst)
			require.EqualValues(t, 4, d.Credit.Credit)
			require.Equal(t, chain.BounceNoFunds, d.Bounce.Kind)
			require.EqualValues(t, 9, d.Bounce.ReqFwdFees)
		}},
		"ordinary without phases": {"0000 0 0 0 0 01 0 1 1 00 1", nil, func(t *testing.T, d *chain.TransactionDescription) {
			t.Helper()
			require.Nil(t, d.Storage)
			require.Equal(t, chain.SkipBadState, d.Compute.Reason)
			require.Equal(t, chain.BounceNegFunds, d.Bounce.Kind)
			require.True(t, d.Destroyed)
		}},
		"storage": {"0001" + due, nil, func(t *testing.T, d *chain.TransactionDescription) {
			t.Helper()
			require.Equal(t, chain.Storage, d.Kind)
			require.EqualValues(t, 7, *d.Storage.FeesDue)
			require.Equal(t, chain.StatusFrozen, d.Storage.StatusChange)
			require.Nil(t, d.Compute)
		}},
		"tick": {"001 0" + storage + skipped + nothing + ends, nil, func(t *testing.T, d *chain.TransactionDescription) {
			t.Helper()
			require.Equal(t, chain.TickTock, d.Kind)
			require.False(t, d.IsTock)
		}},
		"tock": {"001 1" + storage + "0 10" + nothing + ends, nil, func(t *testing.T, d *chain.TransactionDescription) {
			t.Helper()
			require.True(t, d.IsTock)
			require.Equal(t, chain.SkipNoGas, d.Compute.Reason)
			require.True(t, d.Aborted)
		}},
		"split prepare": {"0100" + split + addresses + "1" + storage + skipped + nothing + ends, nil, func(t *testing.T, d *chain.TransactionDescription) {
			t.Helper()
			require.Equal(t, chain.SplitPrepare, d.Kind)
			require.Equal(t, uint8(2), d.Split.AccSplitDepth)
			require.EqualValues(t, 5, d.Storage.FeesCollected)
		}},
		"split install": {"0101" + split + addresses + "1", prepare, func(t *testing.T, d *chain.TransactionDescription) {
			t.Helper()
			require.Equal(t, chain.SplitInstall, d.Kind)
			require.True(t, d.Installed)
		}},
		"merge prepare": {"0110" + split + addresses + storage + "1", nil, func(t *testing.T, d *chain.TransactionDescription) {
			t.Helper()
			require.Equal(t, chain.MergePrepare, d.Kind)
			require.True(t, d.Aborted)
		}},
		"merge install": {"0111" + split + addresses + "0" + credit + "0 110" + nothing + ends, prepare, func(t *testing.T, d *chain.TransactionDescription) {
			t.Helper()
			require.Equal(t, chain.MergeInstall, d.Kind)
			require.EqualValues(t, 3, *d.Credit.DueFeesCollected)
			require.Equal(t, chain.SkipSuspended, d.Compute.Reason)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bits(t, c.bits)
			if c.ref != nil {
				b.MustStoreRef(c.ref)
			}
			_, txs := requireForms(t, blockOf(t, transactionCell(1_000_001, b.EndCell(), nil), prepare), nil)
			require.Len(t, txs, 2)
			require.Equal(t, uint64(500), txs[0].LT)
			c.check(t, &txs[1].Description)
		})
	}
}

// Before version 10 addresses could have anycast prefixes, and TL-B has addresses of any length.
func TestBlock_EveryFormOfAnAddressIsRead(t *testing.T) {
	t.Parallel()
	const (
		none     = "00"
		external = "01 000000011 101" // three bits
		amount   = "0001 00000101 0"  // 5 nanotons, no other currency
	)
	ones, zeros := strings.Repeat("1", 256), strings.Repeat("0", 256)
	workchain := strings.Repeat("0", 8)
	std, anycast := "10 0"+workchain+ones, "10 1 00011 010"+workchain+ones // the first three bits become 010
	long := "11 0 100000000" + strings.Repeat("0", 32) + zeros
	short := "11 1 00001 1 000001000" + strings.Repeat("0", 32) + "11111111"
	filled := chain.Address{}
	for i := range filled.ID {
		filled.ID[i] = 0xff
	}
	rewritten := filled
	rewritten.ID[0] = 0b010_11111
	description := bits(t, "0000 0 0 0 0 00 0 1 0 0").EndCell()
	for name, c := range map[string]struct {
		bits                string
		source, destination *chain.Address
		kind                chain.MessageKind
	}{
		"standard":             {"0 1 0 0" + std + std + amount + "0000 0000", &filled, &filled, chain.InternalMessage},
		"anycast":              {"0 1 1 0" + anycast + std + amount + "0000 0000", &rewritten, &filled, chain.InternalMessage},
		"anycast, destination": {"0 1 1 1" + std + anycast + amount + "0000 0000", &filled, &rewritten, chain.InternalMessage},
		"variable":             {"0 1 0 0" + long + std + amount + "0000 0000", &chain.Address{}, &filled, chain.InternalMessage},
		"too short":            {"0 1 0 0" + short + std + amount + "0000 0000", nil, &filled, chain.InternalMessage},
		"without source":       {"0 1 0 0" + none + std + amount + "0000 0000", nil, &filled, chain.InternalMessage},
		"external":             {"10" + external + anycast + "0000", nil, &rewritten, chain.ExternalIn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bits(t, c.bits)
			if c.kind == chain.InternalMessage {
				b.MustStoreUInt(999, 64).MustStoreUInt(1_573_821_850, 32)
			}
			message := b.MustStoreUInt(0, 2).EndCell() // no state-init, an empty body
			_, txs := requireForms(t, blockOf(t, transactionCell(1_000_001, description, message)), nil)
			in := txs[0].InMessage
			require.Equal(t, c.kind, in.Kind)
			require.Equal(t, c.source, in.Source)
			require.Equal(t, c.destination, in.Destination)
			require.Equal(t, chain.Hash(message.HashKey()), in.Hash)
		})
	}
}

// A block by itself has the order of nodes: accounts by id, transactions of an account by LT. A message that a transaction received is
// none that it sent.
func TestBlock_TransactionsAreInTheOrderOfNodes(t *testing.T) {
	t.Parallel()
	description := bits(t, "0000 0 0 0 0 00 0 1 0 0").EndCell()
	in := bits(t, "10 00 10 0"+strings.Repeat("0", 8)+strings.Repeat("1", 256)+"0000 00").EndCell()
	_, txs := requireForms(t, blockOf(t,
		transactionOf(3, 900, description, in), transactionOf(3, 1000, description, nil),
		transactionOf(4, 500, description, nil), transactionOf(0xf0, 400, description, nil)), nil)
	var got []string
	for _, tx := range txs {
		got = append(got, fmt.Sprintf("%02x %d", tx.Account.ID[0], tx.LT))
		require.Equal(t, []any{tx.Account, tx.StateHashBefore}, []any{tx.StateBefore.Account, tx.StateBefore.Hash})
		require.Equal(t, []any{tx.Account, tx.StateHashAfter}, []any{tx.StateAfter.Account, tx.StateAfter.Hash})
		require.Equal(t, chain.BlockID{Shard: chain.FullShard, Seqno: 40}, tx.Block)
	}
	require.Equal(t, []string{"03 900", "03 1000", "04 500", "f0 400"}, got)
	require.NotNil(t, txs[0].InMessage)
	require.Equal(t, chain.Hash(in.HashKey()), txs[0].InMessage.Hash)
	require.Empty(t, txs[0].OutMessages)
	require.Nil(t, txs[1].InMessage)
}
