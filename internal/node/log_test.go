package node_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// lines counts log lines and their longest.
type lines struct {
	mu      sync.Mutex
	count   int
	longest int
	skipped bool
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
	l.longest = max(l.longest, len(b))
	l.skipped = l.skipped || bytes.Contains(b, []byte("lines_skipped"))
	return len(b), nil
}

// TestLog_UnstableServersFillNoLog has servers that return and break in several ways, with texts of a megabyte, hundreds
// of times.
func TestLog_UnstableServersFillNoLog(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := newDevnet(t, 30)
	text := strings.Repeat("nothing to see here ", 50_000)
	faults := []nodetest.Fault{
		nodetest.Only[ton.GetBlockData](nodetest.HangUps()),
		nodetest.Only[ton.GetBlockData](nodetest.Refuse(-400, text)),
		nodetest.Only[ton.GetBlockData](nodetest.Refuse(429, text)),
		nodetest.Only[ton.GetBlockData](nodetest.Gibberish()),
		nodetest.Only[ton.GetBlockData](nodetest.ForeignBlockID()),
		nodetest.Only[ton.GetMasterchainInf](func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
			if _, waits := query.([]tl.Serializable); waits {
				return nodetest.HangUp{}
			}
			return next(ctx, query)
		}),
	}
	proxies := []*nodetest.Proxy{d.proxy(t)}
	for _, f := range faults {
		p := d.proxy(t)
		p.Break(f)
		proxies = append(proxies, p)
	}
	var log lines
	c := open(t, d.through(proxies...), func(o *node.Options) {
		o.BrokenPause, o.LiarPause, o.LimitPause = time.Millisecond, time.Millisecond, time.Millisecond
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	})
	failures := func() (total uint64) {
		for _, s := range c.States() {
			total += s.Failures
		}
		return total
	}
	ctx, began := within(t, 5*time.Minute), time.Now()
	blocks := 0
	for time.Since(began) < 3*time.Second || failures() <= 100 || blocks < 60 {
		for seqno := uint32(1); seqno <= 30; seqno++ {
			if _, err := c.MasterBlock(ctx, seqno); err != nil {
				// On a busy host the good server is not connected yet, or too slow.
				require.Equal(t, chain.Unavailable, chain.KindOf(err))
				continue
			}
			blocks++
		}
	}
	minutes := 1 + int(time.Since(began).Minutes())
	log.mu.Lock()
	defer log.mu.Unlock()
	require.LessOrEqual(t, log.count, 6*len(proxies)*minutes)
	require.Less(t, log.longest, 8<<10)
	t.Logf("%d failures, %d lines, the longest of %d bytes", failures(), log.count, log.longest)
}

// TestClose_BlamesNoServer closes a client while a server has a query.
func TestClose_BlamesNoServer(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	p := d.proxy(t)
	var log lines
	c := open(t, d.through(p), func(o *node.Options) {
		o.Timeout = pacetest.Slow * time.Minute
		o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	eventually(t, "in use", func() bool { return c.States()[0].Usable })
	p.Break(nodetest.Only[ton.GetBlockData](nodetest.Stall()))
	failed := make(chan error, 1)
	ctx := within(t, time.Minute)
	go func() {
		_, err := c.MasterBlock(ctx, 2)
		failed <- err
	}()
	eventually(t, "the server has the query", func() bool { return p.QueryCount("GetBlockData") > 0 })
	c.Close()
	require.Equal(t, chain.Unavailable, chain.KindOf(<-failed))
	require.Zero(t, c.States()[0].Failures)
	log.mu.Lock()
	defer log.mu.Unlock()
	require.Zero(t, log.count)
}
