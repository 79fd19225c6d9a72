package node_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// TestClient_FollowsAChainWithFaultyServers follows a chain that splits and merges while all servers but one lie, stall
// or break, each at some time. Every block arrives, and all are valid.
func TestClient_FollowsAChainWithFaultyServers(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const blocks = 60
	d := newDevnet(t, 3)
	proxies := []*nodetest.Proxy{d.proxy(t), d.proxy(t), d.proxy(t)}
	c := open(t, d.through(proxies...), func(o *node.Options) {
		o.Timeout, o.BrokenPause, o.LiarPause = pacetest.Slow*200*time.Millisecond, 10*time.Millisecond, 50*time.Millisecond
	})
	ctx, stop := context.WithCancel(within(t, time.Minute))
	var wg sync.WaitGroup
	wg.Go(func() { misbehave(ctx, proxies) })

	for seqno := uint32(1); seqno <= blocks; seqno++ {
		for d.head().Seqno < seqno+1 {
			switch seqno {
			case 10:
				require.NoError(t, d.chain.RequestSplit(0, -1<<63))
			case 35:
				require.NoError(t, d.chain.RequestMerge(0, -1<<63))
			}
			if seqno%5 == 0 {
				d.pay(t, addresses(4)...)
			} else {
				d.mine(t, 1)
			}
		}
		var b *chain.RawMasterBlock
		eventually(t, "the block arrives", func() (ok bool) {
			var err error
			b, err = c.MasterBlock(ctx, seqno)
			if err != nil {
				require.Contains(t, []chain.Kind{chain.Unavailable, chain.NotFound}, chain.KindOf(err), err)
			}
			return err == nil
		})
		sameBlocks(t, d, b, seqno)
	}
	stop()
	wg.Wait()
	for _, p := range proxies {
		p.Heal()
	}
	var failures uint64 // a server with few requests may have met none of its faults
	for i := range proxies {
		eventually(t, "every server comes back", func() bool { return c.States()[i].Usable })
		failures += c.States()[i].Failures
	}
	require.NotZero(t, failures)
}

// misbehave gives all servers but one a fault each and changes the faults at short intervals.
func misbehave(ctx context.Context, proxies []*nodetest.Proxy) {
	faults := []func() nodetest.Fault{
		nodetest.FlippedBlockByte, nodetest.Stall, nodetest.WrongShards, nodetest.HangUps, nodetest.ForeignLookup,
		nodetest.WrongBlockProof, nodetest.Mixup, nodetest.InventedHead, nodetest.Gibberish, nodetest.OtherBlock,
		func() nodetest.Fault { return nodetest.DropEvery(3) },
	}
	tick := time.NewTicker(pacetest.Slow * 40 * time.Millisecond)
	defer tick.Stop()
	for round := 0; ; round++ {
		for i, p := range proxies {
			if round%len(proxies) == i {
				p.Heal()
			} else {
				p.Break(faults[(round+i)%len(faults)]())
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
