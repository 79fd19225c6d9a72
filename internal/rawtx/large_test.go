package rawtx_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// sharing is a body, or a state-init, of which all cells but the first are those of below.
func sharing(below *cell.Cell, number uint64) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(number, 64).MustStoreRef(below).EndCell()
}

// largestTree has 8188 cells of 32 bytes.
func largestTree() *cell.Cell {
	const leaves = 8188/2 + 1
	list := make([]*cell.Cell, 0, leaves)
	for i := range leaves {
		list = append(list, cell.BeginCell().MustStoreUInt(uint64(i), 64).MustStoreSlice(make([]byte, 24), 192).EndCell())
	}
	for i := uint64(0); len(list) > 1; i++ {
		list = append(list[2:], cell.BeginCell().MustStoreUInt(1<<63|i, 64).MustStoreSlice(make([]byte, 24), 192).MustStoreRef(list[0]).MustStoreRef(list[1]).EndCell())
	}
	return list[0]
}

const sharingMessages = 255

// sharingTransaction sends as many messages as a transaction may, of the largest size that a message may have: 2^21 bits in 8192 cells, of
// which they share almost all.
func sharingTransaction(t testing.TB) chain.BOC {
	t.Helper()
	below := largestTree()
	address := cell.BeginCell().MustStoreUInt(0b100, 3).MustStoreInt(0, 8).MustStoreSlice(make([]byte, 32), 256)
	messages := cell.NewDict(15)
	for i := range sharingMessages {
		m := cell.BeginCell().MustStoreUInt(0b0100, 4).MustStoreUInt(0, 2).MustStoreBuilder(address).MustStoreCoins(1).MustStoreBoolBit(false)
		m.MustStoreUInt(0, 8).MustStoreUInt(uint64(8+i), 64).MustStoreUInt(7, 32)
		m.MustStoreUInt(0b11, 2).MustStoreRef(sharing(below, uint64(1000+i))).MustStoreBoolBit(true).MustStoreRef(sharing(below, uint64(i))) // init, body
		require.NoError(t, messages.SetIntKey(big.NewInt(int64(i)), cell.BeginCell().MustStoreRef(m.EndCell()).EndCell()))
	}
	io := cell.BeginCell().MustStoreBoolBit(false).MustStoreBoolBit(true).MustStoreRef(messages.AsCell()).EndCell()
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(make([]byte, 64), 512).EndCell()
	description := cell.BeginCell().MustStoreUInt(0b0001, 4).MustStoreUInt(0, 4).MustStoreUInt(0, 2).EndCell() // storage phase
	tx := cell.BeginCell().MustStoreUInt(0b0111, 4).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(7, 64)
	tx.MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 64+32).MustStoreUInt(sharingMessages, 15).MustStoreUInt(0, 4).MustStoreRef(io).MustStoreUInt(0, 5)
	return serialize(tx.MustStoreRef(update).MustStoreRef(description).EndCell())
}

// A transaction may send 255 messages of 2^21 bits in 8192 cells, all of which they share: 300 kB, and 180 MB as bags of cells of their
// own. They are read, and not in memory at once.
func TestMessages_ThatShareCellsAreMadeOneByOne(t *testing.T) {
	t.Parallel()
	boc, below := sharingTransaction(t), largestTree()
	_, found, err := read(boc)
	require.NoError(t, err)
	require.Len(t, found, sharingMessages)
	inMemory, large := 0, 0
	for i := range found {
		m := &found[i]
		require.Equal(t, chain.Hash(sharing(below, uint64(i)).HashKey()), m.BodyHash)
		require.NotNil(t, m.InitHash)
		inMemory += len(m.Body) + len(m.Init)
		if m.Large == nil {
			continue
		}
		require.Empty(t, m.Body)
		require.Empty(t, m.Init)
		if large++; large%50 == 0 {
			requireAsLibrary(t, m.BodyBOC(), m.BodyHash)
			requireAsLibrary(t, m.InitBOC(), *m.InitHash)
		}
	}
	require.Less(t, len(boc), 400<<10)
	require.Less(t, inMemory, 17<<20)
	require.Greater(t, large, 200)
}

func BenchmarkLargeBody(b *testing.B) {
	_, found, err := read(sharingTransaction(b))
	require.NoError(b, err)
	large := slices.DeleteFunc(found, func(m chain.Message) bool { return m.Large == nil })
	b.ReportAllocs()
	for i := range b.N {
		if len(large[i%len(large)].BodyBOC()) == 0 {
			b.Fatal("no body")
		}
	}
}
