package v2_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v2 "tonql/rest/v2"
)

// A masterchain block commits the last blocks of two halves and the block in which they merge, all of one second: of blocks with one time, the LTs
// decide which is the first, and which has an LT.
func TestLookupBlock_MergeWithinASecond(t *testing.T) {
	t.Parallel()
	const left, right, full = chain.Shard(0x4000000000000000), chain.Shard(0xc000000000000000), chain.FullShard
	db := testdb.New(t)
	chaintest.Index(t, db, lastMc, editBlock, func(b *chain.MasterBlock) {
		if b.Block.Seqno < lastMc {
			return
		}
		merged := &b.ShardBlocks[0]
		merged.AfterMerge, merged.PrevBlocks = true, nil
		for i, shard := range []chain.Shard{left, right} {
			half := *merged
			half.Shard, half.Seqno, half.RootHash, half.FileHash = shard, merged.Seqno-1, chain.Hash{0xaa, byte(i)}, chain.Hash{0xbb, byte(i)}
			half.StartLT, half.EndLT, half.TxCount = merged.StartLT-500, merged.StartLT-491, 0
			b.ShardBlocks = append(b.ShardBlocks, half)
			merged = &b.ShardBlocks[0]
			merged.PrevBlocks = append(merged.PrevBlocks, half.BlockID)
		}
	})
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	d := &client{t: t, handler: v2.New(svc, v2.Options{})}
	signed := func(s chain.Shard) string { return strconv.FormatInt(int64(s), 10) }
	for _, tc := range []struct {
		shard   chain.Shard
		by      string
		at      int
		found   chain.Shard
		foundNo int
	}{
		{left, "unixtime", 1_700_000_012, left, 21},
		{right, "unixtime", 1_700_000_012, right, 21},
		{0x2000000000000000, "unixtime", 1_700_000_012, left, 21},
		{left, "lt", 11_505, left, 21},
		{right, "lt", 11_505, right, 21},
		{left, "lt", 11_600, full, 22},
		{left, "lt", 12_005, full, 22},
		{right, "lt", 12_005, full, 22},
		{left, "seqno", 22, full, 22},
		{right, "unixtime", 1_700_000_011, full, 21},
	} {
		name := signed(tc.shard) + " by " + tc.by + " " + strconv.Itoa(tc.at)
		var got struct {
			Shard string
			Seqno int
		}
		result := d.result("lookupBlock", "workchain", "0", "shard", signed(tc.shard), tc.by, strconv.Itoa(tc.at))
		require.NoError(t, json.Unmarshal([]byte(result), &got))
		require.Equal(t, signed(tc.found), got.Shard, name)
		require.Equal(t, tc.foundNo, got.Seqno, name)
	}
	var header struct {
		Merged bool `json:"after_merge"`
		Prev   []struct {
			Shard string
			Seqno int
		} `json:"prev_blocks"`
	}
	require.NoError(t, json.Unmarshal([]byte(d.result("getBlockHeader", "workchain", "0", "shard", signed(full), "seqno", "22")), &header))
	require.True(t, header.Merged)
	require.Len(t, header.Prev, 2)
	for i, shard := range []chain.Shard{left, right} {
		require.Equal(t, signed(shard), header.Prev[i].Shard)
		require.Equal(t, 21, header.Prev[i].Seqno)
	}
}
