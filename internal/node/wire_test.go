package node_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// hugeBlock is a block of mainnet with some megabytes of cells appended to its root, and the id that these bytes have.
func hugeBlock(t *testing.T, size int) (chain.BlockIDExt, []byte) {
	t.Helper()
	for id, data := range mainnetBlocks(t) {
		if id.IsMaster() {
			continue
		}
		root, err := cell.FromBOC(data)
		require.NoError(t, err)
		refs := make([]*cell.Cell, root.RefsNum())
		for i := range refs {
			refs[i] = root.MustPeekRef(i)
		}
		refs[2] = ballast(size) // the state update, which nothing reads here
		grown, err := root.RebuildWithRefs(refs)
		require.NoError(t, err)
		data = grown.ToBOC()
		id.RootHash, id.FileHash = chain.Hash(grown.HashKey()), sha256.Sum256(data)
		return id, data
	}
	require.FailNow(t, "no shard block is recorded")
	return chain.BlockIDExt{}, nil
}

// ballast returns a tree of distinct cells that take about so many bytes.
func ballast(size int) *cell.Cell {
	level := make([]*cell.Cell, size/135)
	for i := range level {
		var leaf [124]byte
		binary.LittleEndian.PutUint64(leaf[:], uint64(i))
		level[i] = cell.BeginCell().MustStoreSlice(leaf[:], 992).EndCell()
	}
	for len(level) > 1 {
		var upper []*cell.Cell
		for i := 0; i < len(level); i += 4 {
			b := cell.BeginCell().MustStoreUInt(uint64(i), 64)
			for _, c := range level[i:min(i+4, len(level))] {
				b.MustStoreRef(c)
			}
			upper = append(upper, b.EndCell())
		}
		level = upper
	}
	return level[0]
}

// blockServer serves one block to a client that trusts a head of its own.
func blockServer(t *testing.T, id chain.BlockIDExt, data []byte) (*nodetest.Server, func(*node.Options), *atomic.Int32) {
	t.Helper()
	head := chain.BlockIDExt{BlockID: chain.BlockID{Workchain: -1, Shard: chain.FullShard, Seqno: 7}, RootHash: chain.Hash{1}, FileHash: chain.Hash{2}}
	var sent atomic.Int32
	s := static(t, head, nil)
	served := nodetest.Serve(t, func(ctx context.Context, query tl.Serializable) tl.Serializable {
		if q, ok := query.(ton.GetBlockData); ok {
			sent.Add(1)
			return ton.BlockData{ID: q.ID, Payload: data}
		}
		return s.Respond(ctx, query)
	})
	return served, func(o *node.Options) { o.Anchor = node.Anchor{Block: head} }, &sent
}

// TestBlock_FourMegabytesOverASlowLinkArrive fetches a block of the largest size through links on which that takes
// more than the timeout of a query: it arrives, not all servers are queried for it, and none is set aside.
func TestBlock_FourMegabytesOverASlowLinkArrive(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const timeout = pacetest.Slow * 2 * time.Second
	id, data := hugeBlock(t, 4<<20)
	require.Greater(t, len(data), 4_000_000)
	served, trust, sent := blockServer(t, id, data)
	var entries []liteclient.LiteserverConfig
	for range 5 {
		w := nodetest.NewWire(t, served.Liteserver())
		w.Slow(3 << 19 / pacetest.Slow)
		entries = append(entries, w.Liteserver())
	}
	c := open(t, nodetest.Config(&liteclient.GlobalConfig{}, entries...), trust, func(o *node.Options) { o.Timeout = timeout })
	eventually(t, "all in use", func() bool {
		s := c.States()
		return !slices.ContainsFunc(s, func(one chain.ServerState) bool { return !one.Usable })
	})
	began := time.Now()
	b, err := c.Block(within(t, time.Minute), id)
	require.NoError(t, err)
	require.Equal(t, id.RootHash[:], b.Root.Hash())
	t.Logf("%d bytes in %s", len(data), time.Since(began).Round(time.Millisecond))
	require.Greater(t, time.Since(began), timeout)
	// The second server is queried when the first has sent nothing for a while. While one sends, others are queried at the
	// intervals of a timeout.
	require.LessOrEqual(t, int(sent.Load()), 2+int(time.Since(began)/timeout))
	for _, s := range c.States() {
		require.Zero(t, s.Failures, s.SetAside)
	}
}

// TestBlock_LinkThatStallsInAResponseIsLeft has a link that stops in the middle of a large response: another server
// serves it, and the first is set aside.
func TestBlock_LinkThatStallsInAResponseIsLeft(t *testing.T) {
	t.Parallel()
	id, data := hugeBlock(t, 1<<20)
	served, trust, _ := blockServer(t, id, data)
	stalled := nodetest.NewWire(t, served.Liteserver())
	c := open(t, nodetest.Config(&liteclient.GlobalConfig{}, stalled.Liteserver(), served.Liteserver()), trust, func(o *node.Options) {
		o.Timeout = pacetest.Slow * 500 * time.Millisecond
	})
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	stalled.Slow(1 << 10) // a quarter of an hour for the block
	ctx := within(t, time.Minute)
	eventually(t, "set aside", func() bool {
		_, err := c.Block(ctx, id)
		require.NoError(t, err)
		return !c.States()[0].Usable
	})
	require.Contains(t, c.States()[0].SetAside, "did not respond to")
	require.Zero(t, c.States()[1].Failures)
}

// TestBlock_ResetInTheMiddleOfAResponse breaks every connection to one server after part of a block: every query
// succeeds, and the server is not reconnected without pauses.
func TestBlock_ResetInTheMiddleOfAResponse(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	id, data := hugeBlock(t, 1<<20)
	served, trust, _ := blockServer(t, id, data)
	breaking := nodetest.NewWire(t, served.Liteserver())
	breaking.CutAfter(300_000)
	c := open(t, nodetest.Config(&liteclient.GlobalConfig{}, breaking.Liteserver(), served.Liteserver()), trust)
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	ctx := within(t, time.Minute)
	began := time.Now()
	for time.Since(began) < 2*time.Second {
		b, err := c.Block(ctx, id)
		require.NoError(t, err)
		require.Equal(t, id.RootHash[:], b.Root.Hash())
	}
	require.NotZero(t, breaking.Cuts())
	require.LessOrEqual(t, breaking.Cuts(), 10, "pauses grow from 50 ms")
	require.Zero(t, c.States()[1].Failures)
	breaking.CutAfter(0)
	eventually(t, "returns", func() bool { return c.States()[0].Usable })
}

// TestBlock_FrameAboveTheBoundBreaksTheConnection has a server that sends a frame longer than ADNL allows.
func TestBlock_FrameAboveTheBoundBreaksTheConnection(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	id, data := hugeBlock(t, 1<<20)
	served, trust, _ := blockServer(t, id, make([]byte, 17<<20))
	honest, _, _ := blockServer(t, id, data)
	c := open(t, nodetest.Config(&liteclient.GlobalConfig{}, served.Liteserver(), honest.Liteserver()), trust)
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	ctx := within(t, time.Minute)
	eventually(t, "set aside", func() bool {
		_, err := c.Block(ctx, id)
		require.NoError(t, err)
		return !c.States()[0].Usable
	})
	require.Regexp(t, "closed the connection|did not respond", c.States()[0].SetAside)
}

// TestOpen_ManyDeadServersDoNotDelayTheStart opens a network of twenty servers of which fifteen refuse or drop
// connections, never shake hands, or never respond, in any position.
func TestOpen_ManyDeadServersDoNotDelayTheStart(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 30)
	entries := nodetest.Dead(t, 4)[:15]
	for range 5 {
		entries = append(entries, d.proxy(t).Liteserver())
	}
	for _, tc := range []struct {
		name string
		list []liteclient.LiteserverConfig
	}{
		{"dead first", entries},
		{"dead last", append(append([]liteclient.LiteserverConfig{}, entries[15:]...), entries[:15]...)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			c, err := node.Open(context.Background(), node.Options{Config: nodetest.Config(d.config, tc.list...), Logger: logger()})
			require.NoError(t, err)
			defer c.Close()
			ctx := within(t, time.Minute)
			_, err = c.Head(ctx)
			require.NoError(t, err)
			for seqno := uint32(1); seqno <= 30; seqno++ {
				b, err := c.MasterBlock(ctx, seqno)
				require.NoError(t, err)
				sameBlocks(t, d, b, seqno)
			}
			took := time.Since(began)
			t.Logf("thirty blocks after %s", took.Round(time.Millisecond))
			require.Less(t, took, pacetest.Slow*5*time.Second)
			usable := 0
			for _, s := range c.States() {
				if s.Usable {
					usable++
				}
			}
			require.LessOrEqual(t, usable, 5)
		})
	}
}

// TestOpen_OnlyDeadServersEndTheStart returns within one timeout, and reports each server's fault.
func TestOpen_OnlyDeadServersEndTheStart(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	began := time.Now()
	c := open(t, nodetest.Config(d.config, nodetest.Dead(t, 2)...), func(o *node.Options) { o.Timeout = pacetest.Slow * 500 * time.Millisecond })
	require.Less(t, time.Since(began), pacetest.Slow*3*time.Second)
	_, err := c.Head(context.Background())
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	eventually(t, "every server has a reason", func() bool {
		for _, s := range c.States() {
			if s.Usable || s.SetAside == "it is being connected" {
				return false
			}
		}
		return true
	})
}
