package rest_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/devnet/layout"
	"tonql/internal/devnet/ledger"
	"tonql/internal/node"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// fastChain is an indexed chain with five masterchain blocks a second, chains of shard blocks between them, splits and
// merges: many blocks share a second.
type fastChain struct {
	client *node.Client
	api    http.Handler
	blocks []*ledger.Block
}

func newFastChain(t *testing.T) *fastChain {
	t.Helper()
	const masters = 60
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*5*time.Minute)
	t.Cleanup(cancel)
	net := devnettest.Start(ctx, t, devnettest.Options{Devnet: devnet.Options{
		Seed: [32]byte{0xf5}, Scenario: true, ActionsPerMinute: 600, ShardPeriod: 24, ShardBlocks: 4, ClockStep: 200 * time.Millisecond,
	}, Blocks: masters})
	db := testdb.New(t)
	stop := net.Index(t, db, indexer.Options{})
	net.WaitIndexed(t, db)
	stop()
	f := &fastChain{client: net.Client, api: newService(t, db, net.Client)}
	shards, shared := map[int64]bool{}, map[uint32]int{}
	for seqno := uint32(1); seqno <= masters; seqno++ {
		master, err := net.Chain.BySeqno(layout.Masterchain, -1<<63, seqno)
		require.NoError(t, err)
		committed, err := net.Chain.Committed(seqno)
		require.NoError(t, err)
		f.blocks = append(append(f.blocks, committed...), master)
		shared[master.GenUtime]++
		for _, b := range committed {
			shards[b.ID.Shard] = true
		}
	}
	require.Greater(t, len(shards), 2, "the chain splits and merges")
	for _, n := range shared {
		require.LessOrEqual(t, n, 6)
	}
	require.Less(t, len(shared), masters/4, "several masterchain blocks share a second")
	return f
}

// inLine reports whether a block belongs to the line of blocks that a look-up with this shard follows.
func inLine(b *ledger.Block, workchain int32, shard int64) bool {
	return b.ID.Workchain == workchain && (b.ID.Shard == shard || layout.ShardContains(uint64(b.ID.Shard), uint64(shard)))
}

// firstAt returns the first block of a line that was generated at a time or later.
func (f *fastChain) firstAt(workchain int32, shard int64, utime uint32) *ledger.Block {
	var first *ledger.Block
	for _, b := range f.blocks {
		if inLine(b, workchain, shard) && b.GenUtime >= utime && (first == nil || b.StartLT < first.StartLT) {
			first = b
		}
	}
	return first
}

func (f *fastChain) lookup(t *testing.T, b *ledger.Block, by string, value uint64) (workchain int32, shard int64, seqno uint32) {
	t.Helper()
	var found struct {
		Result struct {
			Workchain int32
			Shard     string
			Seqno     uint32
		}
	}
	fetch(t, f.api, http.MethodGet, fmt.Sprintf("/api/v2/lookupBlock?workchain=%d&shard=%d&%s=%d", b.ID.Workchain, b.ID.Shard, by, value), "", &found)
	shard, err := strconv.ParseInt(found.Result.Shard, 10, 64)
	require.NoError(t, err)
	return found.Result.Workchain, shard, found.Result.Seqno
}

// A look-up by LT finds the only block with that LT, one by time the first of that second, also where a shard and its
// halves have blocks in one second. The node finds a block of which the one before is not later than the time.
func TestLookup_BlocksOfOneSecondAreFoundByLTAndTime(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	f := newFastChain(t)
	for _, b := range f.blocks {
		for _, lt := range []uint64{b.StartLT, b.EndLT} {
			wc, shard, seqno := f.lookup(t, b, "lt", lt)
			require.Equal(t, []any{b.ID.Workchain, b.ID.Shard, b.ID.SeqNo}, []any{wc, shard, seqno}, "LT %d", lt)
		}
		want := f.firstAt(b.ID.Workchain, b.ID.Shard, b.GenUtime)
		wc, shard, seqno := f.lookup(t, b, "unixtime", uint64(b.GenUtime))
		require.Equal(t, []any{want.ID.Workchain, want.ID.Shard, want.ID.SeqNo}, []any{wc, shard, seqno}, "time %d", b.GenUtime)
		f.requireNodeFinds(t, b)
	}
}

func (f *fastChain) requireNodeFinds(t *testing.T, b *ledger.Block) {
	t.Helper()
	search := chain.BlockSearch{Workchain: b.ID.Workchain, Shard: chain.Shard(b.ID.Shard), LT: &b.EndLT}
	found, err := f.client.FindBlock(t.Context(), search)
	require.NoError(t, err)
	require.Equal(t, b.ID.RootHash, found.RootHash[:])
	search.LT, search.Utime = nil, &b.GenUtime
	found, err = f.client.FindBlock(t.Context(), search)
	require.NoError(t, err)
	for _, other := range f.blocks {
		switch {
		case other.ID.Workchain != b.ID.Workchain:
		case [32]byte(other.ID.RootHash) == found.RootHash:
			require.GreaterOrEqual(t, other.GenUtime, b.GenUtime)
			for _, parent := range f.blocks {
				for _, id := range other.Prev {
					require.False(t, parent.ID.Equals(&id) && parent.GenUtime > b.GenUtime, "an earlier block matches")
				}
			}
		}
	}
}

// Lists of one second are complete and equal in v3 and GraphQL, and pages neither repeat nor skip a block.
func TestLists_BlocksAndTransactionsOfOneSecondAreComplete(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	f := newFastChain(t)
	want, transactions := map[uint32]map[string]bool{}, map[uint32]int{}
	for _, b := range f.blocks {
		if want[b.GenUtime] == nil {
			want[b.GenUtime] = map[string]bool{}
		}
		want[b.GenUtime][base64.StdEncoding.EncodeToString(b.ID.RootHash)] = true
		var block tlb.Block
		require.NoError(t, tlb.Parse(&block, b.Root))
		list, err := block.ListTransactions()
		require.NoError(t, err)
		transactions[b.GenUtime] += len(list)
	}
	for utime, blocks := range want {
		require.Equal(t, blocks, f.blocksV3(t, utime), "time %d", utime)
		require.Equal(t, blocks, f.blocksGraphQL(t, utime), "time %d", utime)
		var v3 struct{ Transactions []struct{ Now uint32 } }
		fetch(t, f.api, http.MethodGet, fmt.Sprintf("/api/v3/transactions?start_utime=%d&end_utime=%d&limit=1000", utime, utime), "", &v3)
		require.Len(t, v3.Transactions, transactions[utime], "time %d", utime)
	}
}

func (f *fastChain) blocksV3(t *testing.T, utime uint32) map[string]bool {
	t.Helper()
	const page = 7
	found := map[string]bool{}
	for offset := 0; ; offset += page {
		var v3 struct {
			Blocks []struct {
				Root string `json:"root_hash"`
			}
		}
		fetch(t, f.api, http.MethodGet, fmt.Sprintf("/api/v3/blocks?start_utime=%d&end_utime=%d&sort=asc&limit=%d&offset=%d", utime, utime, page, offset), "", &v3)
		for _, b := range v3.Blocks {
			require.False(t, found[b.Root])
			found[b.Root] = true
		}
		if len(v3.Blocks) < page {
			return found
		}
	}
}

func (f *fastChain) blocksGraphQL(t *testing.T, utime uint32) map[string]bool {
	t.Helper()
	at := time.Unix(int64(utime), 0).UTC().Format(time.RFC3339)
	found := map[string]bool{}
	for after := any(nil); ; {
		var graph struct {
			Blocks struct {
				Nodes    []struct{ RootHash string }
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
			}
		}
		query(t, f.api, `query($at: DateTime!, $after: String) { blocks(where: {startUtime: $at, endUtime: $at}, first: 7, after: $after) {
			nodes { rootHash } pageInfo { hasNextPage endCursor } } }`, map[string]any{"at": at, "after": after}, &graph)
		for _, b := range graph.Blocks.Nodes {
			require.False(t, found[b.RootHash])
			found[b.RootHash] = true
		}
		if !graph.Blocks.PageInfo.HasNextPage {
			return found
		}
		after = graph.Blocks.PageInfo.EndCursor
	}
}
