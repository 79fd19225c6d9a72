package layout

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// TestShards_AgreeWithTheClientLibrary compares with the functions of the client library.
func TestShards_AgreeWithTheClientLibrary(t *testing.T) {
	t.Parallel()
	for _, shard := range []uint64{FullShard, 0x4000000000000000, 0xc000000000000000, 0xa000000000000000, 0x0180000000000000, 0xff80000000000000} {
		left, right := ShardChildren(shard)
		require.Equal(t, tlb.ShardChild(shard, true), left)
		require.Equal(t, tlb.ShardChild(shard, false), right)
		require.Equal(t, shard, ShardParent(left))
		require.Equal(t, tlb.ShardParent(right), ShardParent(right))
		require.Equal(t, right, ShardSibling(left))
		require.Equal(t, left, ShardSibling(right))
		require.Equal(t, ShardDepth(shard)+1, ShardDepth(left))
		require.True(t, ShardIsAncestor(shard, right) && ShardIsAncestor(shard, shard))
		require.False(t, ShardIsAncestor(right, shard) || ShardIsAncestor(left, right))
		for _, prefix := range []uint64{0, 1, 0x3fffffffffffffff, 0x8000000000000000, 0xa123456789abcdef, 0xffffffffffffffff} {
			require.Equal(t, tlb.ShardID(shard).IsAncestor(tlb.ShardID(prefix|1)), ShardContains(shard, prefix))
			require.Equal(t, ShardContains(shard, prefix), ShardContains(left, prefix) || ShardContains(right, prefix))
			require.False(t, ShardContains(left, prefix) && ShardContains(right, prefix))
		}
		b := cell.BeginCell()
		StoreShardIdent(b, -1, shard)
		var ident tlb.ShardIdent
		require.NoError(t, tlb.Parse(&ident, b.EndCell()))
		wc, got := tlb.ConvertShardIdentToShard(ident)
		require.Equal(t, int32(-1), wc)
		require.Equal(t, shard, got)
	}
}

func descr(shard uint64) *ShardDescr {
	return &ShardDescr{
		Shard: shard, Seqno: uint32(shard >> 56), RegMcSeqno: 3, StartLT: 10, EndLT: 20,
		RootHash: bytes.Repeat([]byte{1}, 32), FileHash: bytes.Repeat([]byte{2}, 32),
		WantSplit: true, NextCatchainSeqno: 0, MinRefMcSeqno: 2, GenUtime: 99,
		FeesCollected: big.NewInt(77), FundsCreated: big.NewInt(88),
	}
}

func TestShardHashes_RoundTripAndCoverTheWorkchain(t *testing.T) {
	t.Parallel()
	want := []*ShardDescr{descr(0x2000000000000000), descr(0x6000000000000000), descr(0xa000000000000000), descr(0xd000000000000000), descr(0xf000000000000000)}
	want[1].FutureMerge = &FutureChange{Utime: 5, Interval: 6}
	want[2].FutureSplit = &FutureChange{Utime: 7, Interval: 8}
	want[3].BeforeSplit, want[4].BeforeMerge = true, true
	root, err := ShardHashes(want)
	require.NoError(t, err)
	got, err := ParseShardHashes(root)
	require.NoError(t, err)
	require.Equal(t, want, got)

	none, err := ParseShardHashes(nil)
	require.NoError(t, err)
	require.Empty(t, none)
	for name, bad := range map[string][]*ShardDescr{
		"gap":     {descr(0x4000000000000000)},
		"overlap": {descr(0x4000000000000000), descr(0xc000000000000000), descr(0xa000000000000000)},
	} {
		_, err := ShardHashes(bad)
		require.Error(t, err, name)
	}
}

func TestValueFlow_MustBalance(t *testing.T) {
	t.Parallel()
	of := func(nano int64, extra ...int64) Currencies {
		c := Nano(big.NewInt(nano))
		for i, n := range extra {
			if c.Extra == nil {
				c.Extra = map[uint32]*big.Int{}
			}
			c.Extra[uint32(i)] = big.NewInt(n)
		}
		return c
	}
	flow := ValueFlow{
		FromPrev: of(100, 7), Imported: of(10), Minted: of(0, 1, 2), ToNext: of(90, 8), Exported: of(15), Created: big.NewInt(5), FeesCollected: big.NewInt(10),
	}
	require.ErrorContains(t, flow.Check(), "in 115 + 8 of 0 + 2 of 1, out 115 + 8 of 0")
	flow.Exported = of(15, 0, 2)
	delete(flow.Exported.Extra, 0)
	require.NoError(t, flow.Check())
	flow.Exported.Nano = big.NewInt(16)
	require.ErrorContains(t, flow.Check(), "does not balance")
}

func TestCurrencies_AreReadAsWritten(t *testing.T) {
	t.Parallel()
	huge := new(big.Int).Lsh(big.NewInt(1), 240)
	for _, want := range []Currencies{
		Nano(big.NewInt(5)),
		{Nano: big.NewInt(5), Extra: map[uint32]*big.Int{100: big.NewInt(1), 0xffffffff: huge}},
	} {
		b := cell.BeginCell()
		want.Store(b)
		got, err := LoadCurrencies(b.EndCell().MustBeginParse())
		require.NoError(t, err)
		require.True(t, want.Equal(got), "%s", got)
		_, err = LoadGrams(b.EndCell().MustBeginParse())
		if len(want.Extra) == 0 {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "extra currencies")
		}
	}
	b := cell.BeginCell().MustStoreCoins(5).MustStoreBoolBit(true).MustStoreRef(cell.BeginCell().EndCell())
	_, err := LoadCurrencies(b.EndCell().MustBeginParse())
	require.Error(t, err, "no dictionary")
}

func processed(shard, lt uint64, hash byte) Processed {
	return Processed{Shard: shard, McSeqno: 1, LT: lt, Hash: [32]byte{hash}}
}

// TestProcessed_FollowsSplitAndMerge follows the entries through progress, a split and a merge.
func TestProcessed_FollowsSplitAndMerge(t *testing.T) {
	t.Parallel()
	left, right := ShardChildren(FullShard)
	q, err := NewOutQueue()
	require.NoError(t, err)
	require.False(t, q.Covers(0, 1, make([]byte, 32)))
	q.Advance(processed(FullShard, 10, 5))
	q.Advance(processed(FullShard, 10, 7))
	require.Len(t, q.Processed, 1)
	hash := func(b byte) []byte { return append([]byte{b}, make([]byte, 31)...) }
	require.True(t, q.Covers(0, 9, hash(255)))
	require.True(t, q.Covers(0, 10, hash(7)))
	require.False(t, q.Covers(0, 10, hash(8)))

	q.Restrict(left)
	require.Equal(t, left, q.Processed[0].Shard)
	require.False(t, q.Covers(1<<63, 1, hash(0)))
	q.Processed = append(q.Processed, processed(right, 30, 1)) // merged with a sibling that has processed more
	q.Advance(processed(FullShard, 20, 1))
	require.Len(t, q.Processed, 2)
	require.True(t, q.Covers(1<<63, 25, hash(0)))
	require.False(t, q.Covers(0, 25, hash(0)))
	q.Restrict(left)
	require.Equal(t, []Processed{processed(left, 20, 1)}, q.Processed)
}

func TestOutQueue_RoundTripsInOrder(t *testing.T) {
	t.Parallel()
	q, err := NewOutQueue()
	require.NoError(t, err)
	var keys []QueueKey
	for i := range 5 {
		msg := internalMessage(uint64(100+i), byte(i))
		env, err := tlb.MsgEnvelope{Msg: msg, V2: true}.ToCell()
		require.NoError(t, err)
		wc, prefix, err := MessageSource(env)
		require.NoError(t, err)
		require.Equal(t, Basechain, wc)
		require.Equal(t, uint64(i)<<56|0xffffffffffffff, prefix)
		key := NewQueueKey(-1, uint64(i)<<60, msg.Hash())
		require.Equal(t, Masterchain, key.Workchain())
		keys = append(keys, key)
		require.NoError(t, q.Put(Queued{Key: key, EnqueuedLT: uint64(100 + i), Envelope: env}))
	}
	q.Advance(processed(FullShard, 9, 9))
	c, err := q.Cell()
	require.NoError(t, err)
	got, err := ParseOutQueue(c)
	require.NoError(t, err)
	require.Equal(t, uint64(5), got.Size)
	require.Equal(t, q.Processed, got.Processed)
	n := 0
	require.NoError(t, got.Each(func(m Queued) bool {
		require.Equal(t, keys[n], m.Key)
		require.Equal(t, uint64(100+n), m.EnqueuedLT)
		n++
		return n < 4
	}))
	require.Equal(t, 4, n)
	require.NoError(t, got.Remove(keys[2]))
	require.Error(t, got.Remove(keys[2]))
	require.Equal(t, uint64(4), got.Size)
}

func internalMessage(lt uint64, from byte) *cell.Cell {
	addr := func(b byte) []byte { return append([]byte{b}, bytes.Repeat([]byte{0xff}, 31)...) }
	b := cell.BeginCell().MustStoreUInt(0b0100, 4)
	for _, a := range [][]byte{addr(from), addr(9)} {
		b.MustStoreUInt(0b100, 3).MustStoreUInt(0, 8).MustStoreSlice(a, 256)
	}
	StoreGrams(b, big.NewInt(1000))
	return b.MustStoreCoins(0).MustStoreCoins(3).MustStoreUInt(lt, 64).MustStoreUInt(0, 32).MustStoreUInt(0, 2).EndCell()
}

// TestPublish_LastPublisherRemovesTheLibrary has two publishers for one library; the last one removes it.
func TestPublish_LastPublisherRemovesTheLibrary(t *testing.T) {
	t.Parallel()
	lib := cell.BeginCell().MustStoreUInt(1, 8).EndCell()
	own := func(public bool) *cell.Dictionary {
		d := cell.NewDict(256)
		entry := cell.BeginCell().MustStoreBoolBit(public).MustStoreRef(lib).EndCell()
		require.NoError(t, d.Set(cell.BeginCell().MustStoreSlice(lib.Hash(), 256).EndCell(), entry))
		return d
	}
	a, b := make([]byte, 32), bytes.Repeat([]byte{1}, 32)
	all := cell.NewDict(256)
	require.NoError(t, Publish(all, a, nil, own(false)))
	require.True(t, all.IsEmpty())
	require.NoError(t, Publish(all, a, own(false), own(true)))
	require.NoError(t, Publish(all, b, nil, own(true)))
	require.NoError(t, Publish(all, a, own(true), own(false)))
	require.False(t, all.IsEmpty())
	require.NoError(t, Publish(all, b, own(true), nil))
	require.True(t, all.IsEmpty())
}

// FuzzParse_DoesNotPanic parses arbitrary cells with every parser: it returns errors and does not panic.
func FuzzParse_DoesNotPanic(f *testing.F) {
	unsummed := cell.BOCSerializeOptions{} // no change behind a checksum is read
	root, err := ShardHashes([]*ShardDescr{descr(FullShard)})
	require.NoError(f, err)
	f.Add(root.ToBOCWithOptions(unsummed))
	q, err := NewOutQueue()
	require.NoError(f, err)
	c, err := q.Cell()
	require.NoError(f, err)
	f.Add(c.ToBOCWithOptions(unsummed))
	state := State{OutQueue: c, Accounts: c, MasterRef: &tlb.ExtBlkRef{RootHash: make([]byte, 32), FileHash: make([]byte, 32)}, Shard: FullShard}
	c, err = state.Cell()
	require.NoError(f, err)
	f.Add(c.ToBOCWithOptions(unsummed))
	f.Fuzz(func(_ *testing.T, data []byte) {
		c, err := cell.FromBOC(data)
		if err != nil {
			return
		}
		_, _ = ParseState(c)
		_, _ = ParseMcExtra(c)
		_, _ = ParseShardHashes(c)
		_, _ = ParseOutQueue(c)
		_, _, _ = MessageSource(c)
	})
}
