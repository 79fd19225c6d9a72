package node_test

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/validator"
)

// halves are the shards of a split workchain, and full is the one of an undivided one.
var (
	halves = []chain.BlockIDExt{
		{BlockID: chain.BlockID{Shard: 0x4000000000000000, Seqno: 12}, RootHash: chain.Hash{1}, FileHash: chain.Hash{2}},
		{BlockID: chain.BlockID{Shard: 0xc000000000000000, Seqno: 11}, RootHash: chain.Hash{3}, FileHash: chain.Hash{4}},
	}
	full = []chain.BlockIDExt{{BlockID: chain.BlockID{Shard: chain.FullShard, Seqno: 7}, RootHash: chain.Hash{5}, FileHash: chain.Hash{6}}}
)

// shardForms lists both forms of ShardDescr with each future, for one and for two shards.
func shardForms() (forms [][]mainnet.ShardForm) {
	for _, old := range []bool{false, true} {
		for _, at := range []string{"none", "split", "merge"} {
			for _, ids := range [][]chain.BlockIDExt{full, halves} {
				list := make([]mainnet.ShardForm, len(ids))
				for i, id := range ids {
					list[i] = mainnet.ShardForm{ID: id, Old: old != (i > 0), At: at, Extra: i == 0} // two shards have both forms
				}
				forms = append(forms, list)
			}
		}
	}
	return forms
}

func shardIDs(list []mainnet.ShardForm) []chain.BlockIDExt {
	ids := make([]chain.BlockIDExt, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return ids
}

func checked(t *testing.T, response tl.Serializable, q node.Expectation) string {
	t.Helper()
	raw, err := tl.Serialize(response, true)
	require.NoError(t, err)
	believed, err := node.CheckResponse(raw, q)
	require.NoError(t, err)
	return believed
}

func TestBlock_EveryFormOfShardHashesIsRead(t *testing.T) {
	t.Parallel()
	for _, shards := range shardForms() {
		for _, software := range []bool{false, true} {
			f := mainnet.BlockForm{
				ID: chain.MasterBlockID(100), Software: software, Vertical: software, OldFlow: !software,
				Master: &mainnet.MasterForm{Shards: shards, Fees: true, Recover: true, Mint: software, Signatures: true},
			}
			raw := f.Build(t)
			believed := checked(t, ton.BlockData{ID: tlID(raw.ID), Payload: raw.Root.ToBOC()}, node.Expectation{Block: raw.ID})
			require.Contains(t, believed, fmt.Sprint(shardIDs(shards)), "%+v", f)
			require.Contains(t, believed, "(-1,8000000000000000,99)")

			extra, err := raw.Root.PeekRef(3)
			require.NoError(t, err)
			custom, err := extra.PeekRef(3)
			require.NoError(t, err)
			dict, err := custom.PeekRef(0)
			require.NoError(t, err)
			data := cell.BeginCell().MustStoreMaybeRef(dict).EndCell()
			proof := provenBy(raw.Root, func(root *cell.Cell) {
				s := root.MustBeginParse()
				for range 3 {
					s.MustLoadRef()
				}
				extra := s.MustLoadRef()
				for range 3 {
					extra.MustLoadRef()
				}
				visit(extra.MustLoadRef().MustLoadRef())
			})
			believed = checked(t, ton.AllShardsInfo{ID: tlID(raw.ID), Proof: []*cell.Cell{proof}, Data: data}, node.Expectation{Master: raw.ID})
			require.Equal(t, fmt.Sprint("shards ", shardIDs(shards)), believed)
		}
	}
}

func TestBlock_EveryFormOfAHeaderLeadsToItsParents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f       mainnet.BlockForm
		parents string
	}{
		{mainnet.BlockForm{}, "[(0,8000000000000000,39)"},
		{mainnet.BlockForm{Vertical: true}, "[(0,8000000000000000,39)"},
		{mainnet.BlockForm{AfterMerge: true}, "[(0,4000000000000000,39)"},
		{mainnet.BlockForm{AfterMerge: true, Vertical: true}, "[(0,4000000000000000,39)"},
		{mainnet.BlockForm{AfterSplit: true}, "[(0,8000000000000000,39)"},
	} {
		for _, software := range []bool{false, true} {
			f := c.f
			f.ID, f.Software, f.OldFlow = chain.BlockID{Shard: chain.FullShard, Seqno: 40}, software, !software
			if f.AfterSplit {
				f.ID.Shard = 0x4000000000000000
			}
			raw := f.Build(t)
			believed := checked(t, ton.BlockData{ID: tlID(raw.ID), Payload: raw.Root.ToBOC()}, node.Expectation{Block: raw.ID})
			require.Contains(t, believed, c.parents, "%+v", f)
		}
	}
}

// signer is a validator of a constructed key block.
type signer struct {
	key   ed25519.PrivateKey
	entry validator.Validator
}

func newSigners(n int) []signer {
	list := make([]signer, n)
	for i := range list {
		seed := make([]byte, ed25519.SeedSize)
		binary.BigEndian.PutUint32(seed, uint32(i+1))
		key := ed25519.NewKeyFromSeed(seed)
		list[i] = signer{key: key, entry: validator.Validator{Weight: uint64(10 + i)}}
		copy(list[i].entry.Key[:], key[ed25519.SeedSize:])
	}
	return list
}

// validatorSet writes validators#11 or validators_ext#12 with entries of the form validator#53 or validator_addr#73.
func validatorSet(t *testing.T, list []signer, extended, addressed bool) *cell.Cell {
	t.Helper()
	d, total := cell.NewDict(16), uint64(0)
	for i := range list {
		v := &list[i].entry
		total += v.Weight
		tag := uint64(0x53)
		if addressed {
			tag = 0x73
		}
		b := cell.BeginCell().MustStoreUInt(tag, 8).MustStoreUInt(0x8e81278a, 32).MustStoreSlice(v.Key[:], 256).MustStoreUInt(v.Weight, 64)
		if v.ADNL = (chain.Hash{}); addressed {
			v.ADNL = chain.Hash{9, byte(i)}
			b.MustStoreSlice(v.ADNL[:], 256)
		}
		require.NoError(t, d.SetIntKey(big.NewInt(int64(i)), b.EndCell()))
	}
	tag := uint64(0x11)
	if extended {
		tag = 0x12
	}
	b := cell.BeginCell().MustStoreUInt(tag, 8).MustStoreUInt(1573800000, 32).MustStoreUInt(1573900000, 32).
		MustStoreUInt(uint64(len(list)), 16).MustStoreUInt(uint64(len(list)), 16)
	if extended {
		return b.MustStoreUInt(total, 64).MustStoreMaybeRef(d.AsCell()).EndCell()
	}
	return b.MustStoreBuilder(d.AsCell().ToBuilder()).EndCell()
}

// A key block of any form signs its successors: parameter 28 absent or in either form, both forms of sets and of entries, a block with
// and without gen_software. No recorded key block of 2019 is at hand.
func TestBlockProof_KeyBlocksOfEveryFormSign(t *testing.T) {
	t.Parallel()
	numbers := cell.BeginCell().MustStoreUInt(250, 32).MustStoreUInt(250, 32).MustStoreUInt(1000, 32).MustStoreUInt(7, 32)
	for name, catchain := range map[string]*cell.Cell{
		"no parameter 28":     nil,
		"catchain_config":     cell.BeginCell().MustStoreUInt(0xc1, 8).MustStoreBuilder(numbers).EndCell(),
		"catchain_config_new": cell.BeginCell().MustStoreUInt(0xc2, 8).MustStoreUInt(0, 8).MustStoreBuilder(numbers).EndCell(),
		"shuffled":            cell.BeginCell().MustStoreUInt(0xc2, 8).MustStoreUInt(1, 8).MustStoreBuilder(numbers).EndCell(),
	} {
		for bits := range 1 << 4 {
			extended, addressed, software, temporary := bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0
			what := fmt.Sprintf("%s %04b", name, bits)
			list, others := newSigners(5), newSigners(9)[5:]
			params := cell.NewDict(32)
			set := func(number int64, value *cell.Cell) {
				require.NoError(t, params.SetIntKey(big.NewInt(number), cell.BeginCell().MustStoreRef(value).EndCell()))
			}
			if temporary {
				set(34, validatorSet(t, others, !extended, !addressed))
				set(35, validatorSet(t, list, extended, addressed))
			} else {
				set(34, validatorSet(t, list, extended, addressed))
			}
			if catchain != nil {
				set(28, catchain)
			}
			session, err := validator.MasterSession(params, 17)
			require.NoError(t, err, what)
			require.Len(t, session.Validators, 5)
			key := (&mainnet.BlockForm{
				ID: chain.MasterBlockID(100), Software: software, OldFlow: !software,
				Master: &mainnet.MasterForm{Config: params.AsCell(), Shards: []mainnet.ShardForm{{ID: full[0], Old: !software}}, Signatures: true},
			}).Build(t)
			next := (&mainnet.BlockForm{
				ID: chain.MasterBlockID(107), Software: software, OldFlow: !software, Vertical: temporary, Session: session.ListHash,
				Master: &mainnet.MasterForm{Shards: []mainnet.ShardForm{{ID: full[0], Old: software}}, Recover: true},
			}).Build(t)
			payload := append(binary.LittleEndian.AppendUint32(nil, 0xc50b6e70), append(slices.Clone(next.ID.RootHash[:]), next.ID.FileHash[:]...)...)
			link := ton.BlockLinkForward{
				From: tlID(key.ID), To: tlID(next.ID),
				DestProof: provenBy(next.Root, func(root *cell.Cell) { visitHeader(root) }).ToBOC(),
				ConfigProof: provenBy(key.Root, func(root *cell.Cell) {
					visitHeader(root)
					s := root.MustBeginParse()
					for range 3 {
						s.MustLoadRef()
					}
					visit(s.MustLoadRef())
				}).ToBOC(),
			}
			signatures := ton.SignatureSet{ValidatorSetHash: int32(session.ListHash), CatchainSeqno: 17}
			for i := range list[:4] { // 46 of 60
				id := list[i].entry.NodeID()
				signatures.Signatures = append(signatures.Signatures, ton.Signature{NodeIDShort: id[:], Signature: ed25519.Sign(list[i].key, payload)})
			}
			link.SignatureSet = signatures
			part := ton.PartialBlockProof{Complete: true, From: tlID(key.ID), To: tlID(next.ID), Steps: []any{link}}
			proven, err := node.CheckPart(part, key.ID, next.ID)
			require.NoError(t, err, what)
			require.Equal(t, []chain.BlockIDExt{next.ID}, proven)

			other := (&mainnet.BlockForm{
				ID: chain.MasterBlockID(107), Session: session.ListHash + 1, Master: &mainnet.MasterForm{Shards: []mainnet.ShardForm{{ID: full[0]}}},
			}).Build(t)
			foreign := link
			foreign.To, foreign.DestProof = tlID(other.ID), provenBy(other.Root, func(root *cell.Cell) { visitHeader(root) }).ToBOC()
			part.To, part.Steps = foreign.To, []any{foreign}
			_, err = node.CheckPart(part, key.ID, other.ID)
			require.ErrorContains(t, err, "of another validator session than the configuration says", what)
			part.To = link.To

			signatures.Signatures = signatures.Signatures[:3] // 33 of 60
			link.SignatureSet = signatures
			part.Steps = []any{link}
			_, err = node.CheckPart(part, key.ID, next.ID)
			require.ErrorContains(t, err, "not more than two thirds", what)
		}
	}
}

// visitHeader reads what proofs of a header contain.
func visitHeader(root *cell.Cell) {
	s := root.MustBeginParse()
	visit(s.MustLoadRef())
}

// The state after a masterchain block lists older ones: with and without block_create_stats, a last key block, libraries.
func TestBlockProof_StatesOfEveryFormListOlderBlocks(t *testing.T) {
	t.Parallel()
	old := chain.BlockIDExt{BlockID: chain.MasterBlockID(5), RootHash: chain.Hash{1, 2}, FileHash: chain.Hash{3, 4}}
	for bits := range 1 << 5 {
		isKey, stats, last, afterKey, extra := bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0, bits&16 != 0
		state := masterState(t, old, isKey, stats, last, afterKey, extra)
		from := (&mainnet.BlockForm{ID: chain.MasterBlockID(100), StateAfter: state, OldFlow: stats, Master: &mainnet.MasterForm{}}).Build(t)
		link := ton.BlockLinkBackward{
			ToKeyBlock: isKey, From: tlID(from.ID), To: tlID(old),
			Proof: provenBy(from.Root, func(root *cell.Cell) {
				visitHeader(root)
				s := root.MustBeginParse()
				s.MustLoadRef()
				s.MustLoadRef()
				s.MustLoadRef()
			}).ToBOC(),
			StateProof: provenBy(state, func(root *cell.Cell) { visit(root.MustBeginParse()) }).ToBOC(),
		}
		part := ton.PartialBlockProof{Complete: true, From: tlID(from.ID), To: tlID(old), Steps: []any{link}}
		proven, err := node.CheckPart(part, from.ID, old)
		require.NoError(t, err, "%05b", bits)
		require.Equal(t, []chain.BlockIDExt{old}, proven)
		wrong := old
		wrong.FileHash[0] ^= 1
		link.To, part.To = tlID(wrong), tlID(wrong)
		part.Steps = []any{link}
		_, err = node.CheckPart(part, from.ID, wrong)
		require.ErrorContains(t, err, "lists another block 5")
	}
}

// masterState writes shard_state#9023afe2 of the masterchain that lists one older block.
func masterState(t *testing.T, old chain.BlockIDExt, isKey, stats, last, afterKey, extra bool) *cell.Cell {
	t.Helper()
	ref := func(b *cell.Builder) *cell.Builder {
		return b.MustStoreUInt(777, 64).MustStoreUInt(uint64(old.Seqno), 32).MustStoreSlice(old.RootHash[:], 256).MustStoreSlice(old.FileHash[:], 256)
	}
	amount := func() *cell.Builder {
		b := cell.BeginCell().MustStoreUInt(1, 4).MustStoreUInt(9, 8).MustStoreBoolBit(extra)
		if extra {
			b.MustStoreRef(cell.BeginCell().MustStoreUInt(0b10, 2).MustStoreUInt(32, 6).MustStoreUInt(9, 32).MustStoreUInt(1, 5).MustStoreUInt(200, 8).EndCell())
		}
		return b
	}
	// HashmapAugE 32 KeyExtBlkRef KeyMaxLt of one leaf: hml_long$10 of 32 bits, extra, value.
	leaf := ref(cell.BeginCell().MustStoreUInt(0b10, 2).MustStoreUInt(32, 6).MustStoreUInt(uint64(old.Seqno), 32).
		MustStoreBoolBit(isKey).MustStoreUInt(777, 64).MustStoreBoolBit(isKey)).EndCell()
	flags := uint64(0)
	if stats {
		flags = 1
	}
	info := cell.BeginCell().MustStoreUInt(flags, 16).MustStoreUInt(1, 32).MustStoreUInt(17, 32).MustStoreBoolBit(false).
		MustStoreBoolBit(true).MustStoreRef(leaf).MustStoreBoolBit(isKey).MustStoreUInt(777, 64).
		MustStoreBoolBit(afterKey).MustStoreBoolBit(last)
	if last {
		ref(info)
	}
	if stats { // block_create_stats#17 with an empty dictionary
		info.MustStoreUInt(0x17, 8).MustStoreBoolBit(false)
	}
	params := cell.NewDict(32)
	require.NoError(t, params.SetIntKey(big.NewInt(0), cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 256).EndCell()).EndCell()))
	custom := cell.BeginCell().MustStoreUInt(0xcc26, 16).MustStoreBoolBit(false).
		MustStoreSlice(make([]byte, 32), 256).MustStoreRef(params.AsCell()).
		MustStoreRef(info.EndCell()).MustStoreBuilder(amount()).EndCell()
	empty := cell.BeginCell().MustStoreUInt(0, 16).EndCell()
	accounts := cell.BeginCell().MustStoreBoolBit(false).MustStoreUInt(0, 5).MustStoreUInt(0, 5).EndCell() // depth_balance
	overload := cell.BeginCell().MustStoreUInt(0, 128).MustStoreBuilder(amount()).MustStoreBuilder(cell.BeginCell().MustStoreUInt(0, 5)).
		MustStoreBoolBit(extra)
	if extra {
		overload.MustStoreRef(empty) // libraries
	}
	return cell.BeginCell().MustStoreUInt(0x9023afe2, 32).MustStoreInt(-239, 32).
		MustStoreUInt(0, 8).MustStoreInt(-1, 32).MustStoreUInt(0, 64).
		MustStoreUInt(100, 32).MustStoreUInt(0, 32).MustStoreUInt(1573821854, 32).MustStoreUInt(1_000_009, 64).MustStoreUInt(3, 32).
		MustStoreRef(empty).MustStoreBoolBit(false).MustStoreRef(accounts).
		MustStoreRef(overload.MustStoreBoolBit(false).EndCell()).MustStoreBoolBit(true).MustStoreRef(custom).EndCell()
}
