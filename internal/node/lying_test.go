package node_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// request sends a new query through the client in round i and compares the result with the chain.
type request func(t *testing.T, d *devnet, c *node.Client, i int)

// someBlock reads masterchain blocks that no cache has, so that every part of them is requested.
func someBlock(t *testing.T, d *devnet, c *node.Client, i int) {
	t.Helper()
	seqno := uint32(2 + 2*i%(int(d.head().Seqno)-2))
	b, err := c.MasterBlock(within(t, time.Minute), seqno)
	require.NoError(t, err)
	sameBlocks(t, d, b, seqno)
}

// nextBlock follows the head.
func nextBlock(t *testing.T, d *devnet, c *node.Client, _ int) {
	t.Helper()
	d.mine(t, 1)
	head, err := c.Wait(within(t, time.Minute), d.head().Seqno)
	require.NoError(t, err)
	require.Equal(t, d.head(), head)
}

// someAccount reads the faucet, which changes with the rounds, and an account that does not exist.
func someAccount(t *testing.T, d *devnet, c *node.Client, i int) {
	t.Helper()
	ctx := within(t, time.Minute)
	at, err := c.MasterBlockID(ctx, 1+uint32(i)%d.head().Seqno)
	require.NoError(t, err)
	got, err := c.Account(ctx, at, addressOf(d.faucet.Address))
	require.NoError(t, err)
	require.NotNil(t, got.Root)
	require.Equal(t, d.accountHash(t, at.Seqno), got.Root.HashKey())
	got, err = c.Account(ctx, at, chain.Address{ID: chain.Hash{7}})
	require.NoError(t, err)
	require.Nil(t, got.Root)
}

func someConfig(t *testing.T, d *devnet, c *node.Client, i int) {
	t.Helper()
	ctx := within(t, time.Minute)
	at, err := c.MasterBlockID(ctx, 1+uint32(i)%d.head().Seqno)
	require.NoError(t, err)
	root, err := c.Config(ctx, at)
	require.NoError(t, err)
	require.Equal(t, d.chain.Config().HashKey(), root.HashKey())
	require.Zero(t, root.Level())
}

// someLibraries reads all libraries of the network and one that it does not have.
func someLibraries(t *testing.T, _ *devnet, c *node.Client, _ int) {
	t.Helper()
	hashes := []chain.Hash{{1}}
	for i := range libraryCount {
		hashes = append(hashes, chain.Hash(library(i).HashKey()))
	}
	got, err := c.Libraries(within(t, time.Minute), hashes)
	require.NoError(t, err)
	require.Len(t, got, libraryCount)
	for _, h := range hashes[1:] {
		require.Equal(t, h[:], got[h].Hash())
	}
}

// librariesAt reads all libraries of the network and one that it does not have, in the state after a block or in the
// zerostate.
func librariesAt(t *testing.T, d *devnet, c *node.Client, i int) {
	t.Helper()
	ctx := within(t, time.Minute)
	at, err := c.MasterBlockID(ctx, uint32(i)%(1+d.head().Seqno))
	require.NoError(t, err)
	hashes := []chain.Hash{{1}}
	for i := range libraryCount {
		hashes = append(hashes, chain.Hash(library(i).HashKey()))
	}
	got, err := c.LibrariesAt(ctx, at, hashes)
	require.NoError(t, err)
	require.Equal(t, chain.Hash(d.chain.Libraries().HashKey()), got.Root)
	require.Len(t, got.Found, libraryCount)
	for _, h := range hashes[1:] {
		require.Equal(t, h[:], got.Found[h].Hash())
	}
	got, err = c.LibrariesAt(ctx, at, nil)
	require.NoError(t, err)
	require.Equal(t, chain.Hash(d.chain.Libraries().HashKey()), got.Root)
}

// TestPool_FaultyServerIsSetAside puts a server that misbehaves in one way beside an honest one: every result stays
// valid, the reason names the fault, and the server is used again once it is healthy.
func TestPool_FaultyServerIsSetAside(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	cases := []struct {
		name   string
		fault  nodetest.Fault
		query  request
		kind   string // or kinds, where it depends on the client's first query
		reason string
	}{
		{"changed block byte", nodetest.FlippedBlockByte(), someBlock, "lie", "do not have its file hash"},
		{"bytes of another block", nodetest.OtherBlock(), someBlock, "lie", "do not have its file hash"},
		{"foreign block id", nodetest.ForeignBlockID(), someBlock, "lie", "returned another block than"},
		{"lookup finds an invented block", nodetest.ForeignLookup(), someBlock, "lie", "found one that does not exist"},
		{"wrong shard list", nodetest.WrongShards(), someBlock, "lie", "list of shards"},
		{"wrong back links", nodetest.WrongBlockProof(), someBlock, "lie", "returned a block proof"},
		{"wrong signatures", nodetest.WrongBlockProof(), nextBlock, "lie", "returned a block proof"},
		{"invented head", nodetest.InventedHead(), nextBlock, "broken|lie", "cannot prove its head|is not the proven one"},
		{"wrong account", nodetest.WrongAccount(), someAccount, "lie", "returned an account state that is not valid"},
		{"hidden account", nodetest.HiddenAccount(), someAccount, "lie", "returned an account state that is not valid"},
		{"account cut out of the proof", cutAccounts(), someAccount, "lie", "returned an account state that is not valid"},
		{"wrong config", nodetest.WrongConfig(), someConfig, "lie", "returned a configuration"},
		{"account whose cells are hidden", hiddenAccount(), someAccount, "lie", "returned an account state that is not valid"},
		{"config whose cells are hidden", hiddenConfig(), someConfig, "lie", "returned a configuration that is not valid"},
		{"library whose cells are hidden", hiddenLibraryCells(), someLibraries, "lie", "returned libraries that is not valid"},
		{"library as of a block whose cells are hidden", hiddenLibraryCellsAt(), librariesAt, "lie", "returned libraries that is not valid"},
		{"config cut short", cutConfig(), someConfig, "lie", "returned a configuration that is not valid"},
		{"wrong library", wrongLibrary(), someLibraries, "lie", "returned a library that does not have its hash"},
		{"wrong library as of a block", wrongLibraryAt(), librariesAt, "lie", "returned a library that does not have its hash"},
		{"repeated libraries", repeatedLibraries(), someLibraries, "lie", "returned a library that was not requested"},
		{"repeated libraries as of a block", repeatedLibrariesAt(), librariesAt, "lie", "returned a library that was not requested"},
		{"hidden library as of a block", hiddenLibraryAt(), librariesAt, "lie", "returned libraries that is not valid"},
		{"libraries cut out of the proof", cutLibraries(), librariesAt, "lie", "returned libraries that is not valid"},
		{"responses of other queries", nodetest.Mixup(), someBlock, "lie", "returned another block|responded to"},
		{"gibberish", nodetest.Gibberish(), someBlock, "lie", "returned a response that is not valid"},
		{"stall", nodetest.Stall(), someBlock, "broken", "did not respond"},
		{"lost responses", nodetest.DropEvery(3), someBlock, "broken", "did not respond"},
		{"closed connections", nodetest.HangUps(), someBlock, "broken", "closed the connection"},
		{"refusals", nodetest.Refuse(0, "cannot load block"), someBlock, "broken", "refused|does not report its head|closed the connection"},
		{"timeouts behind it", nodetest.Refuse(-503, "timeout"), someBlock, "broken", "refused|does not report its head|closed the connection"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := newDevnet(t, 60)
			faulty, honest := d.proxy(t), d.proxy(t)
			metrics := prometheus.NewRegistry()
			c := open(t, d.through(faulty, honest), func(o *node.Options) { o.Registerer = metrics })
			eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })

			faulty.Break(tc.fault)
			deadline := time.Now().Add(time.Minute)
			var state chain.ServerState
			for i := 0; ; i++ {
				require.True(t, time.Now().Before(deadline), "the server was never set aside")
				tc.query(t, d, c, i)
				if state = c.States()[0]; !state.Usable {
					break
				}
			}
			require.Regexp(t, tc.reason, state.SetAside)
			require.NotZero(t, state.Failures)
			require.NotZero(t, failures(t, metrics, faulty.Name(), tc.kind))
			require.Zero(t, c.States()[1].Failures, "the honest server has no failures")
			someBlock(t, d, c, 11)

			faulty.Heal()
			eventually(t, "back in use", func() bool { return c.States()[0].Usable })
			nextBlock(t, d, c, 0)
		})
	}
}

// failures reads the counters of one server's failures of some kinds, with bars between them.
func failures(t *testing.T, metrics *prometheus.Registry, server, kinds string) float64 {
	t.Helper()
	families, err := metrics.Gather()
	require.NoError(t, err)
	require.NotZero(t, testutil.CollectAndCount(metrics, "tonql_node_head_seqno"))
	sum := 0.0
	for _, f := range families {
		if f.GetName() != "tonql_node_server_failures_total" {
			continue
		}
		for _, m := range f.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if labels["server"] == server && slices.Contains(strings.Split(kinds, "|"), labels["kind"]) {
				sum += m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

func TestClient_UnavailableWhileAllServersFail(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, fault := range map[string]nodetest.Fault{
		"lying":   nodetest.FlippedBlockByte(),
		"stalled": nodetest.Stall(),
		"closing": nodetest.HangUps(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDevnet(t, 30)
			first, second := d.proxy(t), d.proxy(t)
			c := open(t, d.through(first, second), func(o *node.Options) { o.Timeout = 300 * time.Millisecond })
			ctx := within(t, 2*time.Minute)
			eventually(t, "a server responds in time", func() bool {
				b, err := c.MasterBlock(ctx, 2)
				if err == nil {
					sameBlocks(t, d, b, 2)
				}
				return err == nil
			})
			first.Break(fault)
			second.Break(fault)

			for seqno := uint32(3); ; seqno++ {
				_, err := c.MasterBlock(ctx, 2+seqno%28)
				if err == nil {
					continue // cached, or returned by a server before its fault began
				}
				require.Equal(t, chain.Unavailable, chain.KindOf(err))
				require.Contains(t, chain.PublicMessage(err), "none of the network's 2 liteservers")
				_, err = c.Head(ctx)
				if slices.ContainsFunc(c.States(), func(s chain.ServerState) bool { return s.Usable || s.SetAside == "" }) || err == nil {
					continue // the pause of a server has ended meanwhile
				}
				require.Equal(t, chain.Unavailable, chain.KindOf(err))
				break
			}

			second.Heal()
			eventually(t, "the client recovers", func() bool {
				b, err := c.MasterBlock(ctx, 29)
				if err == nil {
					sameBlocks(t, d, b, 29)
				}
				return err == nil
			})
			d.mine(t, 1)
			head, err := c.Wait(ctx, d.head().Seqno)
			require.NoError(t, err)
			require.Equal(t, d.head(), head)
		})
	}
}

func TestPool_StaleServerIsQueriedLast(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := newDevnet(t, 2)
	stale, fresh := d.proxy(t), d.proxy(t)
	stale.Break(nodetest.StaleHead())
	c := open(t, d.through(stale, fresh))
	eventually(t, "the stale server is detected", func() bool {
		nextBlock(t, d, c, 0)
		s := c.States()[0]
		// Its head depends on the time of the first query.
		return !s.Usable && s.HeadSeqno+8 < d.head().Seqno && strings.Contains(s.SetAside, "blocks behind the newest known block")
	})
	queried := stale.QueryCount("GetBlockData")
	for i := range 10 {
		d.mine(t, 1)
		seqno := d.head().Seqno
		_, err := c.Wait(within(t, time.Minute), seqno)
		require.NoError(t, err)
		_, err = c.MasterBlock(within(t, time.Minute), seqno)
		require.NoError(t, err, i)
	}
	require.Equal(t, queried, stale.QueryCount("GetBlockData"))
}

func TestPool_ServersOfAnotherNetworkAreRefused(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	p := d.proxy(t)
	p.Break(nodetest.Falsify(func(a ton.MasterchainInfo) tl.Serializable {
		init := *a.Init
		init.RootHash = make([]byte, 32)
		init.RootHash[0] = 1
		a.Init = &init
		return a
	}))
	c := open(t, d.through(p))
	_, err := c.Head(context.Background())
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.Contains(t, c.States()[0].SetAside, "it serves another network")
}

// TestPool_PrunedServerIsNotQueriedForOldBlocks has one server that lost its old blocks: it is not set aside, but no
// longer queried for them.
func TestPool_PrunedServerIsNotQueriedForOldBlocks(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 40)
	pruned, archival := d.proxy(t), d.proxy(t)
	var refused atomic.Int32
	pruned.Break(func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
		if q, ok := query.(ton.GetBlockData); ok && q.ID.Workchain == -1 && q.ID.SeqNo < 25 {
			refused.Add(1)
			return ton.LSError{Code: 651, Text: fmt.Sprintf("block (-1,8000000000000000,%d) is not in db", q.ID.SeqNo)}
		}
		return next(ctx, query)
	})
	c := open(t, d.through(pruned, archival))
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	ctx := within(t, time.Minute)
	for range 200 { // similar servers are queried alternately
		b, err := c.MasterBlock(ctx, 20)
		require.NoError(t, err)
		sameBlocks(t, d, b, 20)
	}
	require.NotZero(t, refused.Load())
	require.LessOrEqual(t, refused.Load(), int32(pacetest.Slow), "queried once, then recorded as not archival")
	for seqno := uint32(1); seqno < 20; seqno++ {
		b, err := c.MasterBlock(ctx, seqno)
		require.NoError(t, err)
		sameBlocks(t, d, b, seqno)
	}
	require.LessOrEqual(t, refused.Load(), int32(pacetest.Slow))
	queried := pruned.QueryCount("GetBlockData")
	for range 100 {
		_, err := c.MasterBlock(ctx, 30)
		require.NoError(t, err)
	}
	require.Greater(t, pruned.QueryCount("GetBlockData"), queried, "still queried for the blocks it has")
	for _, s := range c.States() {
		require.True(t, s.Usable)
		require.Zero(t, s.Failures)
	}
}

// wrongLibrary returns the first library under every hash.
func wrongLibrary() nodetest.Fault {
	return nodetest.Falsify(func(a ton.LibraryResult) tl.Serializable {
		for _, e := range a.Result {
			e.Data = a.Result[0].Data
		}
		return a
	})
}

// hiddenLibrary omits one library.
func hiddenLibrary() nodetest.Fault {
	return nodetest.Falsify(func(a ton.LibraryResult) tl.Serializable {
		if len(a.Result) > 1 {
			a.Result = a.Result[1:]
		}
		return a
	})
}

func wrongLibraryAt() nodetest.Fault {
	return nodetest.Falsify(func(a ton.LibraryResultWithProof) tl.Serializable {
		for _, e := range a.Result {
			e.Data = a.Result[0].Data
		}
		return a
	})
}

// repeatedLibraries returns each library many times: all would be parsed.
func repeatedLibraries() nodetest.Fault {
	return nodetest.Falsify(func(a ton.LibraryResult) tl.Serializable {
		a.Result = slices.Repeat(a.Result, 50)
		return a
	})
}

func repeatedLibrariesAt() nodetest.Fault {
	return nodetest.Falsify(func(a ton.LibraryResultWithProof) tl.Serializable {
		a.Result = slices.Repeat(a.Result, 50)
		return a
	})
}

func hiddenLibraryAt() nodetest.Fault {
	return nodetest.Falsify(func(a ton.LibraryResultWithProof) tl.Serializable {
		if len(a.Result) > 1 {
			a.Result = a.Result[1:]
		}
		return a
	})
}

// cutLibraries cuts the dictionary of libraries out of the proof, whose hashes stay right.
func cutLibraries() nodetest.Fault {
	return nodetest.Falsify(func(a ton.LibraryResultWithProof) tl.Serializable {
		proof, err := cell.FromBOC(a.DataProof)
		if err != nil || len(a.Result) == 0 {
			return a
		}
		a.Result, a.DataProof = nil, pruned(proof, 2, 0).ToBOC() // details of the state, libraries
		return a
	})
}

func TestLibrariesAt_UnsupportedQueryCountsAsAbsence(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	old := d.proxy(t)
	c := open(t, d.through(old))
	at, err := c.MasterBlockID(within(t, time.Minute), 2)
	require.NoError(t, err)
	old.Break(nodetest.Falsify(func(ton.LibraryResultWithProof) tl.Serializable {
		return ton.LSError{Code: 0, Text: "unknown query"}
	}))
	_, err = c.LibrariesAt(within(t, time.Minute), at, []chain.Hash{{1}})
	require.Equal(t, chain.NotFound, chain.KindOf(err))
}

// TestLibraries_SecondServerHasTheHiddenOne has a server that hides a library: another one is queried before the
// library counts as nonexistent.
func TestLibraries_SecondServerHasTheHiddenOne(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	hiding, honest := d.proxy(t), d.proxy(t)
	hiding.Break(hiddenLibrary())
	c := open(t, d.through(hiding, honest))
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	for i := range 20 {
		someLibraries(t, d, c, i)
	}
	require.NotZero(t, hiding.QueryCount("GetLibraries"))
	require.NotZero(t, honest.QueryCount("GetLibraries"))
}

// TestFastProofs_DetectLies repeats with policy fast the cases that do not depend on signatures.
func TestFastProofs_DetectLies(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		fault  nodetest.Fault
		query  request
		reason string
	}{
		{"changed block byte", nodetest.FlippedBlockByte(), someBlock, "do not have its file hash"},
		{"wrong back links", nodetest.WrongBlockProof(), someBlock, "returned a block proof"},
		{"wrong links from a new head", nodetest.WrongBlockProof(), nextBlock, "returned a block proof"},
		// Which fault is detected first depends on timing.
		{"invented head", nodetest.InventedHead(), nextBlock, "cannot prove its head|is not the proven one"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := newDevnet(t, 40)
			faulty, honest := d.proxy(t), d.proxy(t)
			var c *node.Client
			queried := 0
			eventually(t, "set aside", func() bool {
				if queried%15 == 0 { // a client requests each old block once, from a server of its choice
					faulty.Heal()
					c = open(t, d.through(faulty, honest), fast)
					eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
					faulty.Break(tc.fault)
				}
				tc.query(t, d, c, queried)
				queried++
				return !c.States()[0].Usable
			})
			require.Regexp(t, tc.reason, c.States()[0].SetAside)
			require.Zero(t, c.States()[1].Failures)
		})
	}
}

// cutAccounts pretends that an account does not exist by cutting the accounts out of the proof, whose hashes stay
// right.
func cutAccounts() nodetest.Fault {
	return nodetest.Falsify(func(a ton.AccountState) tl.Serializable {
		if len(a.Proof) == 2 {
			a.State = nil
			a.Proof[1] = pruned(a.Proof[1], 1) // of the shard state's parts, the accounts
		}
		return a
	})
}

// cutConfig leaves a part of the configuration out of its proof, whose hashes stay right.
func cutConfig() nodetest.Fault {
	return nodetest.Falsify(func(a ton.ConfigAll) tl.Serializable {
		proof, err := cell.FromBOC(a.ConfigProof)
		if err != nil {
			return a
		}
		a.ConfigProof = pruned(proof, 3, 1, 0).ToBOC() // masterchain part, configuration, its left half
		return a
	})
}

// pruned returns a Merkle proof with one more branch cut off, named by the references that lead to it.
func pruned(proof *cell.Cell, path ...int) *cell.Cell {
	cut, err := cell.CreateMerkleProof(prunedAt(proof.MustPeekRef(0), path))
	if err != nil {
		panic(err)
	}
	return cut
}

func prunedAt(c *cell.Cell, path []int) *cell.Cell {
	if len(path) == 0 {
		branch, err := cell.CreatePrunedBranch(c, 1, 0)
		if err != nil {
			panic(err)
		}
		return branch
	}
	refs := make([]*cell.Cell, c.RefsNum())
	for i := range refs {
		refs[i] = c.MustPeekRef(i)
	}
	refs[path[0]] = prunedAt(refs[path[0]], path[1:])
	rebuilt, err := c.RebuildWithRefs(refs)
	if err != nil {
		panic(err)
	}
	return rebuilt
}
