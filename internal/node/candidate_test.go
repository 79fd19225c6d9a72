package node_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
	"tonql/internal/node"
)

// candidates are valid candidates of one block in each form, as the client library serializes them.
func candidates() (block ton.BlockIDExt, forms map[string][]byte) {
	hash := func(fill byte) []byte { return slices.Repeat([]byte{fill}, 32) }
	block = ton.BlockIDExt{Workchain: -1, Shard: -1 << 63, SeqNo: 0xfedcba98, RootHash: hash(1), FileHash: hash(2)}
	id := ton.ConsensusCandidateID{Slot: 613, Hash: hash(3)}
	forms = map[string][]byte{}
	for name, v := range map[string]tl.Serializable{
		"ordinary":       ton.ConsensusCandidateHashDataOrdinary{Block: block, CollatedFileHash: hash(4), Parent: ton.ConsensusCandidateParent{ID: id}},
		"without parent": ton.ConsensusCandidateHashDataOrdinary{Block: block, CollatedFileHash: hash(4), Parent: ton.ConsensusCandidateWithoutParents{}},
		"empty":          ton.ConsensusCandidateHashDataEmpty{Block: block, Parent: id},
	} {
		data, err := tl.Serialize(v, true)
		if err != nil {
			panic(err)
		}
		forms[name] = data
	}
	return block, forms
}

// TestCandidate_HasOneLengthPerForm cuts each form at every byte and adds bytes to it.
func TestCandidate_HasOneLengthPerForm(t *testing.T) {
	t.Parallel()
	block, forms := candidates()
	for name, data := range forms {
		got, err := node.CandidateBlock(data)
		require.NoError(t, err, name)
		require.Equal(t, idOf(block), got)
		for n := range data {
			_, err := node.CandidateBlock(data[:n])
			require.Error(t, err, "%s, %d bytes", name, n)
		}
		for _, more := range []int{1, 4, 36, 40, 1 << 20} {
			_, err := node.CandidateBlock(append(slices.Clone(data), make([]byte, more)...))
			require.Error(t, err, "%s and %d bytes", name, more)
		}
	}
}

// FuzzCandidate_AgreesWithTheLibrary reads a candidate as the client library does, which must write it again byte for byte.
func FuzzCandidate_AgreesWithTheLibrary(f *testing.F) {
	_, forms := candidates()
	for _, data := range forms {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := node.CandidateBlock(data)
		var parsed tl.Serializable
		rest, libraryErr := tl.Parse(&parsed, data, true)
		var block *ton.BlockIDExt
		switch c := parsed.(type) {
		case ton.ConsensusCandidateHashDataOrdinary:
			block = &c.Block
		case ton.ConsensusCandidateHashDataEmpty:
			block = &c.Block
		}
		valid := libraryErr == nil && len(rest) == 0 && block != nil
		require.Equal(t, valid, err == nil, "%v, the library: %v", err, libraryErr)
		if !valid {
			return
		}
		require.Equal(t, idOf(*block), got)
		again, err := tl.Serialize(parsed, true)
		require.NoError(t, err)
		require.Equal(t, data, again)
	})
}

// TestDemandsSimplex_ReadsParameter30AsTheNodeDoes has every form the parameter can take; what the node cannot read
// demands nothing.
func TestDemandsSimplex_ReadsParameter30AsTheNodeDoes(t *testing.T) {
	t.Parallel()
	config := func(value *cell.Cell) *cell.Dictionary {
		dict := cell.NewDict(32)
		for _, id := range []int64{29, 31} {
			require.NoError(t, dict.SetIntKey(big.NewInt(id), cell.BeginCell().MustStoreRef(cell.BeginCell().EndCell()).EndCell()))
		}
		if value != nil {
			require.NoError(t, dict.SetIntKey(big.NewInt(30), value))
		}
		return dict
	}
	ref := func(c *cell.Cell) *cell.Cell { return cell.BeginCell().MustStoreRef(c).EndCell() }
	v1, err := tlb.ToCell(tlb.NewConsensusConfigSimplex{Flags: 5, UseQUIC: true, SlotsPerLeaderWindow: 4})
	require.NoError(t, err)
	v2 := func(withParams bool) *cell.Cell {
		b := cell.BeginCell().MustStoreUInt(0x22, 8).MustStoreUInt(3, 8).MustStoreUInt(4, 32).MustStoreBoolBit(withParams)
		if withParams {
			b.MustStoreRef(cell.BeginCell().EndCell())
		}
		return b.EndCell()
	}
	all := func(tag uint64, parts ...*cell.Cell) *cell.Cell {
		b := cell.BeginCell().MustStoreUInt(tag, 8)
		for _, p := range parts {
			b.MustStoreMaybeRef(p)
		}
		return b.EndCell()
	}
	devnet, err := genesis.ConsensusParam(genesis.Simplex, 400)
	require.NoError(t, err)
	longer := func(c *cell.Cell) *cell.Cell { return c.ToBuilder().MustStoreUInt(0, 1).EndCell() }
	moreRefs := func(c *cell.Cell) *cell.Cell { return c.ToBuilder().MustStoreRef(v1).EndCell() }
	for name, tc := range map[string]struct {
		value *cell.Cell
		want  bool
	}{
		"the local chain's":                  {ref(devnet), true},
		"older form":                         {ref(all(0x10, v1, nil)), true},
		"newer form":                         {ref(all(0x10, v2(false), v2(true))), true},
		"newer form with parameters":         {ref(all(0x10, v2(true), nil)), true},
		"absent":                             {nil, false},
		"of the shards only":                 {ref(all(0x10, nil, v2(true))), false},
		"of nothing":                         {ref(all(0x10, nil, nil)), false},
		"another constructor of both":        {ref(all(0x11, v2(true), nil)), false},
		"one part":                           {ref(all(0x10, v2(true))), false},
		"bits behind":                        {ref(longer(all(0x10, v2(true), nil))), false},
		"references behind":                  {ref(moreRefs(all(0x10, v2(true), nil))), false},
		"another constructor":                {ref(all(0x10, cell.BeginCell().MustStoreUInt(0x23, 8).MustStoreSlice(make([]byte, 6), 41).EndCell(), nil)), false},
		"no constructor":                     {ref(all(0x10, cell.BeginCell().EndCell(), nil)), false},
		"older form with bits behind":        {ref(all(0x10, longer(v1), nil)), false},
		"older form with a reference":        {ref(all(0x10, moreRefs(v1), nil)), false},
		"newer form with bits behind":        {ref(all(0x10, longer(v2(true)), nil)), false},
		"newer form with references behind":  {ref(all(0x10, moreRefs(v2(true)), nil)), false},
		"newer form without its parameters":  {ref(all(0x10, cell.BeginCell().MustStoreUInt(0x22, 8).MustStoreUInt(0, 40).MustStoreBoolBit(true).EndCell(), nil)), false},
		"a value that is not in a reference": {all(0x10, v2(true), nil), false},
		"two references":                     {moreRefs(ref(devnet)), false},
	} {
		require.Equal(t, tc.want, node.DemandsSimplex(config(tc.value)), name)
	}
}
