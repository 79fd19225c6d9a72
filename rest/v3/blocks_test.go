package v3_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/testdb"
)

// Blocks of the fixture are named M12 (masterchain) and S12 (basechain).
func TestBlocks_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := serve(t)
	for query, want := range map[string]string{
		"limit=100":         "M14 S14 M13 S13 M12 S12 M11 S11 M10 S10",
		"":                  "M14 S14 M13 S13 M12 S12 M11 S11 M10 S10",
		"limit=2":           "M14 S14",
		"limit=2&offset=1":  "S14 M13",
		"limit=2&sort=asc":  "S10 M10",
		"limit=1&sort=desc": "M14",
		"workchain=-1":      "M14 M13 M12 M11 M10",
		"workchain=7":       "",
		"workchain=0&shard=8000000000000000&seqno=22": "S12",
		"shard=4000000000000000":                      "",
		"seqno=12":                                    "M12",
		"seqno=22":                                    "S12",
		"seqno=-1":                                    "",
		"mc_seqno=12":                                 "M12 S12",
		"mc_seqno=99":                                 "",
		"root_hash=" + escape(chaintest.Root.Hash('S', 12)):        "S12",
		"file_hash=" + escape(chaintest.File.Hash('M', 12)):        "M12",
		"file_hash=" + escape(chaintest.File.Hash('Z', 12)):        "",
		"start_utime=1700000014":                                   "M14 S14",
		"end_utime=1700000010":                                     "M10 S10",
		"start_utime=1700000011&end_utime=1700000012&workchain=-1": "M12 M11",
		"start_lt=14000":                                           "M14 S14",
		"start_lt=14001":                                           "S14",
		"end_lt=10000":                                             "M10",
		"start_lt=12001&end_lt=13000":                              "M13 S12",
	} {
		require.Equal(t, want, names(d.get("/blocks?" + query)["blocks"]), query)
	}
	for _, bad := range []string{
		"workchain=x", "shard=", "seqno=x", "root_hash=x", "file_hash=x", "mc_seqno=1.5", "start_utime=x", "end_utime=x",
		"start_lt=-1", "end_lt=x", "limit=1001", "limit=x", "offset=x", "sort=newest",
	} {
		d.refuse("/blocks?"+bad, http.StatusUnprocessableEntity)
	}
}

func TestBlocks_HaveThePublishedForm(t *testing.T) {
	t.Parallel()
	d := serve(t)
	b := d.get("/blocks?seqno=22")["blocks"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{"workchain": -1.0, "shard": "8000000000000000", "seqno": 12.0}, b["masterchain_block_ref"])
	require.Equal(t, []any{map[string]any{"workchain": 0.0, "shard": "8000000000000000", "seqno": 21.0}}, b["prev_blocks"])
	require.Equal(t, "1700000012", b["gen_utime"])
	require.Equal(t, "12001", b["start_lt"])
	require.EqualValues(t, 2, b["tx_count"])
	require.EqualValues(t, -294967296, b["validator_list_hash_short"])
	require.EqualValues(t, 11, b["master_ref_seqno"])
	m := d.get("/blocks?seqno=12")["blocks"].([]any)[0].(map[string]any)
	require.EqualValues(t, 0, m["master_ref_seqno"], "of a masterchain block, as published")
	require.Contains(t, m, "master_ref_seqno")
}

func TestBlocks_AfterAMergeHaveTwoParents(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	chaintest.Index(t, db, chaintest.First, func(b *chain.MasterBlock) {
		shard := &b.ShardBlocks[0]
		shard.AfterMerge, shard.PrevBlocks = true, []chain.BlockID{{Shard: 0x4 << 60, Seqno: 18}, {Shard: 0xc << 60, Seqno: 19}}
	})
	b := open(t, db).get("/blocks?workchain=0")["blocks"].([]any)[0].(map[string]any)
	require.Equal(t, true, b["after_merge"])
	require.Equal(t, []any{
		map[string]any{"workchain": 0.0, "shard": "4000000000000000", "seqno": 18.0}, map[string]any{"workchain": 0.0, "shard": "C000000000000000", "seqno": 19.0},
	}, b["prev_blocks"])
}

func TestMasterchainRoutes_ReturnTheBlocksOfAMasterchainBlock(t *testing.T) {
	t.Parallel()
	d := serve(t)
	info := d.get("/masterchainInfo")
	require.Equal(t, "M14", nameOf(info["last"].(map[string]any)))
	require.Equal(t, "M10", nameOf(info["first"].(map[string]any)))

	require.Equal(t, "M12 S12", names(d.get("/masterchainBlockShardState?seqno=12")["blocks"]))
	require.Equal(t, "M12 S12", names(d.get("/masterchainBlockShards?seqno=12")["blocks"]))
	require.Equal(t, "S12 M12", names(d.get("/masterchainBlockShards?seqno=12&sort=asc")["blocks"]))
	require.Equal(t, "S12", names(d.get("/masterchainBlockShards?seqno=12&limit=1&offset=1")["blocks"]))
	for _, path := range []string{
		"/masterchainBlockShardState", "/masterchainBlockShardState?seqno=15", "/masterchainBlockShardState?seqno=x",
		"/masterchainBlockShards", "/masterchainBlockShards?seqno=15", "/masterchainBlockShards?seqno=-1",
	} {
		require.Equal(t, "blocks not found", d.refuse(path, http.StatusNotFound), path)
	}
	d.refuse("/masterchainBlockShards?seqno=12&limit=x", http.StatusUnprocessableEntity)
}

// Before the first block every list is empty, and errors are the published ones.
func TestEmptyIndex_ListsAreEmpty(t *testing.T) {
	t.Parallel()
	d := open(t, testdb.New(t))
	require.Contains(t, d.refuse("/masterchainInfo", http.StatusInternalServerError), "internal server error: the index is empty")
	for path, member := range map[string]string{
		"/blocks": "blocks", "/transactions": "transactions", "/messages": "messages",
		"/accountStates?address=" + escape(chaintest.Wallet): "accounts", "/walletStates?address=" + escape(chaintest.Wallet): "wallets",
	} {
		body := d.get(path)
		require.Equal(t, []any{}, body[member], path)
	}
	var top []any
	require.NoError(t, json.Unmarshal(d.do("/topAccountsByBalance").Body.Bytes(), &top))
	require.Equal(t, []any{}, top)
	d.refuse("/masterchainBlockShardState?seqno=1", http.StatusNotFound)
	d.refuse("/transactionsByMasterchainBlock?seqno=1", http.StatusNotFound)
}
