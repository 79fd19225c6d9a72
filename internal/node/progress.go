package node

import (
	"log/slog"
	"sync"
	"time"
)

// progressInterval is the time between log lines about a long chain of links.
const progressInterval = 5 * time.Second

// chainProgress logs how far a chain of links that takes several responses has been checked.
type chainProgress struct {
	log *slog.Logger
	now func() time.Time

	mu      sync.Mutex
	started time.Time // zero while no long chain is being checked
	logged  time.Time
	from    uint32 // seqno of the block that it started from
	reached uint32 // newest block on it so far
	to      uint32 // block that it leads to
	links   int    // signed links checked since then, by all servers
}

func newChainProgress(log *slog.Logger, now func() time.Time) *chainProgress {
	return &chainProgress{log: log, now: now}
}

// report notes that a response led from one block to another on the way to a third, over a number of signed links.
func (p *chainProgress) report(from, reached, to uint32, links int) {
	if to <= from {
		return // older blocks need one link
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	switch {
	case reached < to && p.started.IsZero() && links > 0:
		p.started, p.logged, p.from, p.links = now, now, from, links
		p.reached, p.to = reached, to
		p.log.Info("checking the chain of signatures", "from", from, "to", to, "expected_links", p.expected(reached, to))
	case p.started.IsZero():
	case reached < to:
		p.links += links
		p.reached, p.to = max(p.reached, reached), max(p.to, to)
		if now.Sub(p.logged) >= progressInterval {
			p.logged = now
			p.log.Info("checking the chain of signatures", "mc_seqno", reached, "to", to,
				"links", p.links, "expected_links", p.expected(reached, to))
		}
	default:
		p.log.Info("chain of signatures checked", "from", p.from, "to", to, "links", p.links+links, "took", now.Sub(p.started).Round(time.Millisecond))
		p.started = time.Time{}
	}
}

// running returns how far a long chain has been checked; false when none is being checked.
func (p *chainProgress) running() (reached, to uint32, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reached, p.to, !p.started.IsZero()
}

// expected estimates the links of the complete chain from those checked so far.
func (p *chainProgress) expected(reached, to uint32) int64 {
	if reached <= p.from || to <= p.from {
		return int64(p.links)
	}
	return int64(p.links) * int64(to-p.from) / int64(reached-p.from)
}
