package node_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// refusalsOf are the errors by which proxies limit clients.
var tooMany = []ton.LSError{{Code: 228, Text: "Ratelimit"}, {Code: 429, Text: "too many requests"}}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// TestPool_LimitedServerIsLeftAlone has one server that refuses everything as too much: it stays connected, gets few
// queries, and returns when it accepts them.
func TestPool_LimitedServerIsLeftAlone(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, refusal := range tooMany {
		t.Run(fmt.Sprint(refusal.Code), func(t *testing.T) {
			t.Parallel()
			d := newDevnet(t, 60)
			strict, honest := d.proxy(t), d.proxy(t)
			metrics := prometheus.NewRegistry()
			c := open(t, d.through(strict, honest), func(o *node.Options) {
				o.Registerer, o.LimitPause = metrics, 20*time.Millisecond
			})
			eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
			fault, refusals := nodetest.Refusals(nodetest.Refuse(refusal.Code, refusal.Text))
			strict.Break(fault)
			began := time.Now()
			for i := 0; time.Since(began) < 2*time.Second; i++ {
				someBlock(t, d, c, i)
				someAccount(t, d, c, i)
				nextBlock(t, d, c, i)
			}
			// Pauses of 20, 40, 80, 160 and then 320 ms, each followed by queries in flight at the same time.
			require.LessOrEqual(t, sum(refusals()), 60)
			require.NotZero(t, failures(t, metrics, strict.Name(), "limit"))
			require.Zero(t, failures(t, metrics, strict.Name(), "broken|lie"))
			require.Zero(t, c.States()[0].Failures)
			require.Zero(t, c.States()[1].Failures)

			strict.Heal()
			queried := strict.QueryCount("GetBlockData")
			eventually(t, "queried again", func() bool {
				someBlock(t, d, c, int(time.Since(began).Milliseconds()))
				_, err := c.Block(within(t, time.Minute), d.head())
				return err == nil && strict.QueryCount("GetBlockData") > queried
			})
		})
	}
}

// TestPool_QueriesWaitWhenEveryServerLimits reads a chain through servers that accept twenty queries in each 100 ms.
func TestPool_QueriesWaitWhenEveryServerLimits(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := newDevnet(t, 60)
	first, second := d.proxy(t), d.proxy(t)
	first.Break(nodetest.Limit(20, 100*time.Millisecond, tooMany[0]))
	second.Break(nodetest.Limit(20, 100*time.Millisecond, tooMany[1]))
	c := open(t, d.through(first, second), func(o *node.Options) {
		o.LimitPause, o.Timeout = 20*time.Millisecond, pacetest.Slow*10*time.Second
	})
	ctx := within(t, time.Minute)
	eventually(t, "a head", func() bool { _, err := c.Head(ctx); return err == nil })
	var group errgroup.Group
	group.SetLimit(16)
	for seqno := uint32(1); seqno <= 60; seqno++ {
		group.Go(func() error {
			b, err := c.MasterBlock(ctx, seqno)
			if err == nil {
				sameBlocks(t, d, b, seqno)
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
}

// While the only server limits queries forever, a query ends within its timeout, and nothing counts as nonexistent.
func TestPool_EndlessLimitIsUnavailable(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := newDevnet(t, 20)
	p := d.proxy(t)
	c := open(t, d.through(p))
	ctx := within(t, time.Minute)
	id, err := c.MasterBlockID(ctx, 5)
	require.NoError(t, err)
	p.Break(nodetest.Refuse(429, "too many requests"))
	began := time.Now()
	_, err = c.Block(ctx, id)
	require.Equal(t, chain.Unavailable, chain.KindOf(err), err)
	require.Less(t, time.Since(began), pacetest.Slow*3*time.Second)
	_, err = c.Head(ctx)
	require.NoError(t, err, "the proven head stays")
	p.Heal()
	eventually(t, "returns", func() bool { _, err := c.Block(ctx, id); return err == nil })
}

// A server that starts as a limited one delays neither the start nor is it lost.
func TestOpen_LimitedServerIsUsedLater(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := newDevnet(t, 5)
	p := d.proxy(t)
	p.Break(nodetest.Refuse(228, "Ratelimit"))
	began := time.Now()
	c := open(t, d.through(p), func(o *node.Options) { o.Timeout = pacetest.Slow * 20 * time.Second })
	require.Less(t, time.Since(began), pacetest.Slow*2*time.Second)
	p.Heal()
	head, err := c.Wait(within(t, time.Minute), 5)
	require.NoError(t, err)
	require.Equal(t, d.head(), head)
}

// missingCodes are errors with which servers do not say that the data does not exist.
var missingCodes = []ton.LSError{
	{Code: 652, Text: "timeout"}, {Code: -503, Text: "timeout"}, {Code: 651, Text: "node not synced"}, {Code: 502, Text: "backend node timeout"},
	{Code: 0, Text: "Gateway error: no liteserver for query"}, {Code: 228, Text: "Ratelimit"}, {Code: -400, Text: "cannot load block"},
}

// TestPool_OnlyAbsenceIsNotFound queries a server that has everything but returns other errors: callers store NotFound as
// a fact about the network.
func TestPool_OnlyAbsenceIsNotFound(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, refusal := range missingCodes {
		t.Run(fmt.Sprint(refusal.Code, refusal.Text), func(t *testing.T) {
			t.Parallel()
			d := newDevnet(t, 20)
			p, pruned := d.proxy(t), d.proxy(t)
			c := open(t, d.through(p, pruned))
			eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
			ctx := within(t, time.Minute)
			id, err := c.MasterBlockID(ctx, 5)
			require.NoError(t, err)
			p.Break(nodetest.Only[ton.GetAccountState](nodetest.Refuse(refusal.Code, refusal.Text)))
			pruned.Break(nodetest.Lacking(func(ton.BlockIDExt) bool { return true }))
			_, err = c.Account(ctx, id, addressOf(d.faucet.Address))
			require.Equal(t, chain.Unavailable, chain.KindOf(err), err)

			p.Break(nodetest.Lacking(func(ton.BlockIDExt) bool { return true }))
			eventually(t, "not found", func() bool {
				_, err = c.Account(ctx, id, addressOf(d.faucet.Address))
				return chain.KindOf(err) == chain.NotFound
			})
		})
	}
}

// TestPool_LostServerMayHaveTheData has a pruned server and an archive that has just broken: the data counts neither as
// found nor as nonexistent until the archive returns.
func TestPool_LostServerMayHaveTheData(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := newDevnet(t, 40)
	archive, pruned := d.proxy(t), d.proxy(t)
	pruned.Break(nodetest.Lacking(func(id ton.BlockIDExt) bool { return id.SeqNo < 30 }))
	c := open(t, d.through(archive, pruned))
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	ctx := within(t, time.Minute)
	id, err := c.MasterBlockID(ctx, 5)
	require.NoError(t, err)
	archive.Break(nodetest.HangUps())
	for range 5 {
		_, err = c.Account(ctx, id, addressOf(d.faucet.Address))
		require.Equal(t, chain.Unavailable, chain.KindOf(err), err)
	}
	archive.Heal()
	eventually(t, "the archive returns", func() bool {
		got, err := c.Account(ctx, id, addressOf(d.faucet.Address))
		return err == nil && got.Root != nil
	})
}

// TestPool_AbsenceOfOldDataIsDecidedAtOnce counts the queries for a block that no server has any more.
func TestPool_AbsenceOfOldDataIsDecidedAtOnce(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 40)
	proxies := []*nodetest.Proxy{d.proxy(t), d.proxy(t), d.proxy(t)}
	c := open(t, d.through(proxies...))
	for i := range proxies {
		eventually(t, "in use", func() bool { return c.States()[i].Usable })
	}
	ctx := within(t, time.Minute)
	id, err := c.MasterBlockID(ctx, 5)
	require.NoError(t, err)
	for _, p := range proxies {
		p.Break(nodetest.Lacking(func(id ton.BlockIDExt) bool { return id.SeqNo < 10 }))
	}
	_, err = c.Account(ctx, id, addressOf(d.faucet.Address))
	require.Equal(t, chain.NotFound, chain.KindOf(err), err)
	for _, p := range proxies {
		require.Equal(t, 1, p.QueryCount("GetAccountState"))
		require.True(t, c.States()[0].Usable)
	}
}

// TestPool_HolesOfArchivesAreRemembered reads a chain backwards through two archives with different holes.
func TestPool_HolesOfArchivesAreRemembered(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 120)
	var counts []func() map[string]int
	var proxies []*nodetest.Proxy
	for _, hole := range [][2]uint32{{20, 50}, {60, 100}} {
		p := d.proxy(t)
		fault, refusals := nodetest.Refusals(nodetest.Lacking(func(id ton.BlockIDExt) bool {
			return id.Workchain == -1 && id.SeqNo >= hole[0] && id.SeqNo <= hole[1]
		}))
		p.Break(fault)
		proxies, counts = append(proxies, p), append(counts, refusals)
	}
	c := open(t, d.through(proxies...))
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	ctx := within(t, time.Minute)
	for round := range 3 {
		for seqno := uint32(110); seqno > 0; seqno-- {
			b, err := c.MasterBlock(ctx, seqno)
			require.NoError(t, err)
			if round == 0 {
				sameBlocks(t, d, b, seqno)
			}
		}
	}
	for i, refusals := range counts {
		require.LessOrEqual(t, sum(refusals()), 16, "server %d: about the logarithm of the hole's length", i)
		require.Zero(t, c.States()[i].Failures)
		require.NotZero(t, proxies[i].QueryCount("GetBlockData"))
	}
}

// TestPool_ServersAtDifferentHeights has servers 0, 3 and 20 blocks behind the chain: every block arrives when the first
// has it, and none is set aside.
func TestPool_ServersAtDifferentHeights(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 40)
	var proxies []*nodetest.Proxy
	for _, n := range []uint32{0, 3, 20} {
		p := d.proxy(t)
		if n > 0 {
			p.Break(nodetest.Behind(n))
		}
		proxies = append(proxies, p)
	}
	c := open(t, d.through(proxies...))
	for i := range proxies {
		eventually(t, "in use", func() bool { return c.States()[i].HeadSeqno > 0 })
	}
	ctx := within(t, time.Minute)
	for range 20 {
		d.mine(t, 1)
		seqno := d.head().Seqno
		_, err := c.Wait(ctx, seqno)
		require.NoError(t, err)
		b, err := c.MasterBlock(ctx, seqno)
		require.NoError(t, err)
		sameBlocks(t, d, b, seqno)
		got, err := c.Account(ctx, b.Master.ID, addressOf(d.faucet.Address))
		require.NoError(t, err)
		require.Equal(t, d.accountHash(t, seqno), got.Root.HashKey())
	}
	for _, s := range c.States() {
		require.Zero(t, s.Failures, s.Name)
	}
}

// TestPool_UnsupportedQueryIsRemembered has a server that does not have one kind of query: it gets it rarely, and stays in
// use for all others.
func TestPool_UnsupportedQueryIsRemembered(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 40)
	old, current := d.proxy(t), d.proxy(t)
	old.Break(nodetest.Only[ton.GetLibrariesWithProof](nodetest.Refuse(621, "unknown query")))
	c := open(t, d.through(old, current))
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	for i := range 30 {
		librariesAt(t, d, c, 1+i)
	}
	require.LessOrEqual(t, old.QueryCount("GetLibrariesWithProof"), 2)
	require.True(t, c.States()[0].Usable)
	require.Zero(t, c.States()[0].Failures)
}

// TestFollow_ServerThatDoesNotWaitIsPolled follows a server that refuses queries that wait for a block.
func TestFollow_ServerThatDoesNotWaitIsPolled(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := newDevnet(t, 3)
	p := d.proxy(t)
	p.Break(func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
		if _, waits := query.([]tl.Serializable); waits {
			return ton.LSError{Code: 400, Text: "unexpected len of queries"}
		}
		return next(ctx, query)
	})
	c := open(t, d.through(p))
	for range 3 {
		d.mine(t, 1)
		head, err := c.Wait(within(t, time.Minute), d.head().Seqno)
		require.NoError(t, err)
		require.Equal(t, d.head(), head)
	}
	require.Less(t, p.QueryCount("GetMasterchainInf"), 20*pacetest.Slow, "about once a second")
	require.Zero(t, c.States()[0].Failures)
}

// A message that the server has accepted before is sent; one that it cannot take now is neither sent nor refused.
func TestSendMessage_ErrorsOfServersAreNoVerdicts(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	p := d.proxy(t)
	c := open(t, d.through(p))
	message := d.transfer(t, 0, addresses(1)...).ToBOC()
	ctx := within(t, time.Minute)
	p.Break(nodetest.Only[ton.SendMessage](nodetest.Refuse(0, "cannot send external message : duplicate message")))
	require.NoError(t, c.SendMessage(ctx, message))
	for _, text := range []string{"too many external messages to address 0:00", "Failed to get account state"} {
		p.Break(nodetest.Only[ton.SendMessage](nodetest.Refuse(0, "cannot apply external message to current state : "+text)))
		err := c.SendMessage(ctx, message)
		require.Equal(t, chain.Unavailable, chain.KindOf(err), text)
	}
	p.Heal()
	require.NoError(t, c.SendMessage(ctx, message))
}
