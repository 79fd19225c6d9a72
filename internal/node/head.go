package node

import (
	"context"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

const (
	headWait = 8 * time.Second        // how long a server may delay the response about the next block
	headPoll = 150 * time.Millisecond // between queries to a server that responds at once
	slowPoll = time.Second            // between queries to a server that does not wait for blocks at all
)

// headLine holds the newest proven head of a pool and notifies waiters of the next one.
type headLine struct {
	mu      sync.Mutex
	id      chain.BlockIDExt
	proven  bool
	restart uint32        // trust's count of restarts when id was taken
	changed chan struct{} // closed and replaced at every change
}

func (h *headLine) init() { h.changed = make(chan struct{}) }

// advance accepts a proven id if it is newer than the head, or if trust was restarted since the head was accepted.
func (h *headLine) advance(id chain.BlockIDExt, restarts uint32) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if restarts < h.restart || h.proven && restarts == h.restart && id.Seqno <= h.id.Seqno {
		return false
	}
	h.restart = restarts
	h.id, h.proven = id, true
	close(h.changed)
	h.changed = make(chan struct{})
	return true
}

// now returns the head and a channel that is closed when the head changes.
func (h *headLine) now() (id chain.BlockIDExt, proven bool, changed <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.id, h.proven, h.changed
}

func (h *headLine) seqno() uint32 {
	id, _, _ := h.now()
	return id.Seqno
}

// follow proves the server's head and every later one until the connection ends or the server misbehaves.
func (s *server) follow(ctx context.Context) error {
	var seqno uint32 // of the newest proven head
	proven := false
	waits := false // the server is queried for the next block, and waits for it
	for {
		start := time.Now()
		info, err := s.headAfter(ctx, seqno, waits)
		if err == nil && (!proven || info.Last != nil && info.Last.SeqNo > seqno) {
			if err = s.takeHead(ctx, info); err == nil {
				waits, proven, seqno = waits || !proven, true, info.Last.SeqNo
				continue
			}
			if classOf(err) != limited {
				return err
			}
		}
		pause := headPoll - time.Since(start) // a server that responds at once is polled
		switch c := classOf(err); {
		case err == nil:
			s.noteHead(seqno)
		case c == limited:
			s.blame(want{what: "head"}, err)
			s.settle()
			pause = s.limitLeft()
		case !declined(err):
			return err
		case !proven:
			return &brokenError{"does not report its head", err}
		default: // the wait for the next block ended without one
			s.noteHead(seqno)
			waits = waits && c != unsupported && c != invalid && c != refused
		}
		if !waits && proven {
			pause = max(pause, slowPoll)
		}
		if pause > 0 && !ctxtime.Sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

// headAfter requests the head: the present one, or the first after seqno, for which the server waits.
func (s *server) headAfter(ctx context.Context, seqno uint32, waits bool) (ton.MasterchainInfo, error) {
	if waits {
		return s.nextHead(ctx, seqno+1)
	}
	return call[ton.MasterchainInfo](ctx, s, ton.GetMasterchainInf{})
}

// nextHead requests the head once it has reached seqno. It uses no slot, because it would occupy one most of the time.
func (s *server) nextHead(ctx context.Context, seqno uint32) (ton.MasterchainInfo, error) {
	var none ton.MasterchainInfo
	wait, err := tl.Serialize(ton.WaitMasterchainSeqno{Seqno: int32(seqno), Timeout: int32(headWait.Milliseconds())}, true)
	if err != nil {
		return none, err
	}
	request, err := tl.Serialize(ton.GetMasterchainInf{}, true)
	if err != nil {
		return none, err
	}
	response, err := s.query(ctx, append(wait, request...), "waitMasterchainSeqno", headWait+s.pool.opts.Timeout)
	if err != nil {
		return none, err
	}
	return expect[ton.MasterchainInfo](response, "waitMasterchainSeqno")
}

// takeHead checks and proves the head that a server reports, then notifies all waiters.
func (s *server) takeHead(ctx context.Context, info ton.MasterchainInfo) error {
	id := fromTL(info.Last)
	if id.BlockID != master(id.Seqno) || id.RootHash.IsZero() {
		return lie(nil, "returned a head that is no masterchain block")
	}
	if zero := s.pool.trust.zerostate.RootHash; !zero.IsZero() && info.Init != nil && chain.HashFrom(info.Init.RootHash) != zero {
		return lie(nil, "serves another network")
	}
	if err := s.pool.trust.prove(ctx, s, id); err != nil {
		if ctx.Err() == nil && declined(err) && classOf(err) != limited {
			err = &brokenError{"cannot prove its head", err}
		}
		return err
	}
	restarts := s.pool.trust.restarts.Load()
	if have, ok := s.pool.trust.proven(id.Seqno); !ok || have != id {
		return nil // trust was restarted meanwhile
	}
	if s.pool.head.advance(id, restarts) { // before the server counts as usable: a usable server implies a head
		s.pool.metrics.head(id.Seqno)
	}
	s.noteHead(id.Seqno)
	return nil
}
