package ledger

import (
	"context"
	"errors"
	"time"

	"tonql/internal/ctxtime"
)

// Miner makes a round every Interval, and with Instant also as soon as there is work.
type Miner struct {
	Chain    *Chain
	Interval time.Duration // 0 = only when there is work
	Instant  bool
	// Failed is called with the error of a failed round; the miner then tries again at
	// the next opportunity. When Failed is nil, Run returns the error.
	Failed func(error)
}

// retryAfter prevents a failing instant miner from spinning.
const retryAfter = time.Second

// Run mines until ctx ends, which is no error, or the chain is closed.
func (m *Miner) Run(ctx context.Context) error {
	var tick <-chan time.Time
	if m.Interval > 0 {
		ticker := time.NewTicker(m.Interval)
		defer ticker.Stop()
		tick = ticker.C
	}
	var arrived <-chan struct{}
	if m.Instant || m.Interval <= 0 {
		arrived = m.Chain.pool.arrived
	}
	for {
		if arrived == nil || !m.Chain.busy() {
			select {
			case <-ctx.Done():
				return nil
			case <-tick:
			case <-arrived:
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		_, err := m.Chain.Mine(ctx)
		switch {
		case err == nil:
		case errors.Is(err, errClosed) || ctx.Err() != nil:
			return nil
		case m.Failed == nil:
			return err
		default:
			m.Failed(err)
			if !ctxtime.Sleep(ctx, retryAfter) {
				return nil
			}
		}
	}
}

// busy reports whether there is work for another round: waiting externals, queued
// messages, or a split or merge in progress.
func (c *Chain) busy() bool {
	if c.pool.len() > 0 {
		return true
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.leftover || len(c.requests.split)+len(c.requests.merge) > 0 {
		return true
	}
	for _, d := range c.ref.shards {
		if d.FutureSplit != nil || d.FutureMerge != nil || d.BeforeSplit || d.BeforeMerge {
			return true
		}
	}
	return false
}
