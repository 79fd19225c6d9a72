package rawtx_test

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/rawtx"
)

// contents are the raw transactions of recorded blocks of the main network.
func contents(tb testing.TB) (list []decode.Single) {
	tb.Helper()
	for _, recording := range mainnet.Blocks(tb) {
		raw := recording.Master(tb)
		for _, block := range append([]chain.RawBlock{raw.Master}, raw.Shards...) {
			_, txs, err := decode.Block(&block)
			require.NoError(tb, err)
			list = append(list, txs...)
		}
	}
	return list
}

// read reads all that a raw transaction says.
func read(boc chain.BOC) (t chain.Transaction, messages []chain.Message, err error) {
	var raw rawtx.Transaction
	if err := raw.Parse(boc, nil); err != nil {
		return t, nil, err
	}
	if err := raw.Read(&t); err != nil {
		return t, nil, err
	}
	add := func(m *chain.Message) { messages = append(messages, *m) }
	return t, messages, raw.Messages(&t, add, add)
}

func serialize(c *cell.Cell) chain.BOC {
	return c.ToBOCWithOptions(cell.BOCSerializeOptions{WithCRC32C: true})
}

func requireAsLibrary(t *testing.T, boc chain.BOC, hash chain.Hash) {
	t.Helper()
	c, err := cell.FromBOC(boc)
	require.NoError(t, err)
	require.Equal(t, hash, chain.Hash(c.HashKey()))
	require.Equal(t, serialize(c), boc)
}

func TestMessages_OfMainnetAreSerializedAndHashedAsByTheLibrary(t *testing.T) {
	t.Parallel()
	n := 0
	for _, tx := range contents(t) {
		_, messages, err := read(tx.BOC)
		require.NoError(t, err)
		for i := range messages {
			m := &messages[i]
			requireAsLibrary(t, m.Body, m.BodyHash)
			if m.Init != nil {
				requireAsLibrary(t, m.Init, *m.InitHash)
			}
			n++
		}
	}
	require.Greater(t, n, 4000)
}

// tree makes random cells, of which some are shared and some are deep.
func tree(rng *rand.Rand, cells int) *cell.Cell {
	list := []*cell.Cell{cell.BeginCell().EndCell()}
	for range cells {
		bits := uint(rng.IntN(200))
		b := cell.BeginCell().MustStoreSlice(binary.BigEndian.AppendUint64(make([]byte, 24), rng.Uint64()), bits)
		for range rng.IntN(5) {
			near := min(len(list), 1+rng.IntN(12))
			b.MustStoreRef(list[len(list)-1-rng.IntN(near)])
		}
		list = append(list, b.EndCell())
	}
	return list[len(list)-1]
}

// external is the raw transaction with an external in-message.
func external(body *cell.Cell, inline bool) chain.BOC {
	address := cell.BeginCell().MustStoreUInt(0b100, 3).MustStoreInt(0, 8).MustStoreSlice(make([]byte, 32), 256)
	m := cell.BeginCell().MustStoreUInt(0b1000, 4).MustStoreBuilder(address).MustStoreUInt(0, 4).MustStoreBoolBit(false)
	if inline {
		m.MustStoreBoolBit(false).MustStoreBuilder(body.ToBuilder())
	} else {
		m.MustStoreBoolBit(true).MustStoreRef(body)
	}
	io := cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(m.EndCell()).MustStoreBoolBit(false).EndCell()
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(make([]byte, 64), 512).EndCell()
	description := cell.BeginCell().MustStoreUInt(0b0001, 4).MustStoreUInt(0, 4).MustStoreUInt(0, 2).EndCell() // storage phase
	tx := cell.BeginCell().MustStoreUInt(0b0111, 4).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(7, 64)
	tx.MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 64+32+15+4).MustStoreRef(io).MustStoreUInt(0, 5)
	return serialize(tx.MustStoreRef(update).MustStoreRef(description).EndCell())
}

func TestMessages_BodiesOfEveryShapeAreSerializedAndHashedAsByTheLibrary(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		body := tree(rng, rng.IntN(400))
		_, messages, err := read(external(body, rng.IntN(2) == 0))
		require.NoError(t, err)
		require.Len(t, messages, 1)
		require.Equal(t, chain.Hash(body.HashKey()), messages[0].BodyHash)
		require.Equal(t, serialize(body), messages[0].Body)
	}
}

// A cell with a level has several hashes, of which a message shows one.
func TestMessages_BodyWithPrunedBranchIsReadByTheLibrary(t *testing.T) {
	t.Parallel()
	full := cell.BeginCell().MustStoreUInt(5, 32).MustStoreRef(tree(rand.New(rand.NewPCG(2, 2)), 20)).EndCell()
	proof, err := full.CreateProof(cell.CreateProofSkeleton()) //nolint:staticcheck // the shortest way to a pruned branch
	require.NoError(t, err)
	body := cell.BeginCell().MustStoreUInt(6, 32).MustStoreRef(proof).EndCell()
	_, messages, err := read(external(body, false))
	require.NoError(t, err)
	require.Equal(t, chain.Hash(body.HashKey()), messages[0].BodyHash)
	require.Equal(t, serialize(body), messages[0].Body)
}

// A dictionary whose branches are one cell has 2^32 entries in 33 cells.
func TestRead_EndlessDictionaryIsRefused(t *testing.T) {
	t.Parallel()
	node := cell.BeginCell().MustStoreUInt(0b00, 2).MustStoreUInt(1, 5).MustStoreUInt(1, 8).EndCell() // empty label, the amount 1
	for range 32 {
		node = cell.BeginCell().MustStoreUInt(0b00, 2).MustStoreRef(node).MustStoreRef(node).EndCell()
	}
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(make([]byte, 64), 512).EndCell()
	tx := cell.BeginCell().MustStoreUInt(0b0111, 4).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(7, 64)
	tx.MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 64+32+15+4).MustStoreRef(cell.BeginCell().MustStoreUInt(0, 2).EndCell())
	tx.MustStoreUInt(0, 4).MustStoreBoolBit(true).MustStoreRef(node).MustStoreRef(update).MustStoreRef(update)
	_, _, err := read(serialize(tx.EndCell()))
	require.ErrorContains(t, err, "more entries")
}

// A transaction sends at most 255 messages. A dictionary of one shared branch has 2^15.
func TestMessages_EndlessDictionaryIsRefused(t *testing.T) {
	t.Parallel()
	address := cell.BeginCell().MustStoreUInt(0b100, 3).MustStoreInt(0, 8).MustStoreSlice(make([]byte, 32), 256)
	m := cell.BeginCell().MustStoreUInt(0b11, 2).MustStoreBuilder(address).MustStoreUInt(0, 2+64+32+1).MustStoreBoolBit(true)
	m.MustStoreRef(tree(rand.New(rand.NewPCG(4, 4)), 5000))
	node := cell.BeginCell().MustStoreUInt(0b00, 2).MustStoreRef(m.EndCell()).EndCell()
	for range 15 {
		node = cell.BeginCell().MustStoreUInt(0b00, 2).MustStoreRef(node).MustStoreRef(node).EndCell()
	}
	io := cell.BeginCell().MustStoreBoolBit(false).MustStoreBoolBit(true).MustStoreRef(node).EndCell()
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(make([]byte, 64), 512).EndCell()
	description := cell.BeginCell().MustStoreUInt(0b0001, 4).MustStoreUInt(0, 4).MustStoreUInt(0, 2).EndCell() // storage phase
	tx := cell.BeginCell().MustStoreUInt(0b0111, 4).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(7, 64)
	tx.MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 64+32+15+4).MustStoreRef(io).MustStoreUInt(0, 5)
	boc := serialize(tx.MustStoreRef(update).MustStoreRef(description).EndCell())
	_, messages, err := read(boc)
	require.ErrorContains(t, err, "more messages")
	require.LessOrEqual(t, len(messages), 256)
}

// withBelow replaces the empty body of a raw transaction, its last cell, by one with two references: to the first of a chain of cells,
// and to the first of those above it, one below the other. The library makes no cells of such a depth.
func withBelow(boc chain.BOC, above, chained int) chain.BOC {
	const header = 6 + 4 + 1 // with references, cell counts and the root of one byte, and the length in one or two bytes
	offset := int(boc[5])
	count, cells := int(boc[6]), boc[header-1+offset:len(boc)-4]
	total := count + above + chained
	var b []byte
	refer := func(to int) { b = binary.BigEndian.AppendUint16(b, uint16(to)) }
	for i := range count {
		size := 2 + (int(cells[1])+1)/2
		refs := cells[size : size+int(cells[0]&7)]
		if i == count-1 {
			b = append(b, 2, 0)
			refer(count + above)
			refer(count)
			break
		}
		b = append(b, cells[:size]...)
		for _, to := range refs {
			refer(int(to))
		}
		cells = cells[size+len(refs):]
	}
	for i := count; i < total-1; i++ {
		b = append(b, 1, 0)
		refer(i + 1)
	}
	b = append(b, 0, 0)
	head := []byte{0xb5, 0xee, 0x9c, 0x72, 0x42, 4}
	for _, n := range []int{total, 1, 0} {
		head = binary.BigEndian.AppendUint16(head, uint16(n))
	}
	head = binary.BigEndian.AppendUint32(head, uint32(len(b)))
	head = append(head, 0, 0)
	return summed(append(append(head, b...), 0, 0, 0, 0))
}

// Cells that were hashed from elsewhere count in the depth of those above.
func TestMessages_DepthIsBoundedThroughSharedCells(t *testing.T) {
	t.Parallel()
	boc := external(cell.BeginCell().EndCell(), false)
	_, _, err := read(withBelow(boc, 100, 600))
	require.NoError(t, err)
	_, _, err = read(withBelow(boc, 600, 600))
	require.ErrorContains(t, err, "deeper")
}

// summed returns boc with the checksum of its bytes.
func summed(boc chain.BOC) chain.BOC {
	end := len(boc) - 4
	return binary.LittleEndian.AppendUint32(boc[:end:end], crc32.Checksum(boc[:end], crc32.MakeTable(crc32.Castagnoli)))
}

func TestParse_DamagedBytesAreRefused(t *testing.T) {
	t.Parallel()
	boc := contents(t)[0].BOC
	for i := range boc {
		damaged := slices.Clone(boc)
		damaged[i] ^= 1 << (i % 8)
		_, _, err := read(damaged)
		require.Error(t, err)
		_, _, err = read(boc[:i])
		require.Error(t, err)
	}
}

func FuzzRead_AgreesWithTheLibrary(f *testing.F) {
	for _, tx := range contents(f)[:40] {
		f.Add([]byte(tx.BOC))
	}
	f.Add([]byte(external(tree(rand.New(rand.NewPCG(3, 3)), 30), true)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 10 {
			return
		}
		_, messages, err := read(summed(b))
		if err != nil {
			return
		}
		for i := range messages {
			c, err := cell.FromBOC(messages[i].Body)
			require.NoError(t, err)
			require.Equal(t, messages[i].BodyHash, chain.Hash(c.HashKey()))
		}
	})
}

func BenchmarkRead(b *testing.B) {
	list := contents(b)
	b.ReportAllocs()
	var raw rawtx.Transaction
	for i := range b.N {
		var t chain.Transaction
		if raw.Parse(list[i%len(list)].BOC, nil) != nil || raw.Read(&t) != nil {
			b.Fatal("not readable")
		}
	}
}

func BenchmarkMessages(b *testing.B) {
	list := contents(b)
	b.ReportAllocs()
	var raw rawtx.Transaction
	ignore := func(*chain.Message) {}
	for i := range b.N {
		var t chain.Transaction
		if raw.Parse(list[i%len(list)].BOC, nil) != nil || raw.Read(&t) != nil || raw.Messages(&t, ignore, ignore) != nil {
			b.Fatal("not readable")
		}
	}
}
