package resolvers

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
)

// head keeps the span of the index in memory for a moment: it is asked with every request, and changes with every
// masterchain block only.
type head struct {
	known atomic.Pointer[knownHead] // nil before the first answer
	calls singleflight.Group
}

// knownHead is one answer of the index, never changed.
type knownHead struct {
	info  chain.MasterchainInfo
	until time.Time // when it is asked again
}

// headTimeout bounds the shared read of the head, which must not die with the request that happened to start it.
const headTimeout = 3 * time.Second

// MasterchainInfo is the span of the index: its lowest and highest masterchain block. NotFound on an empty index.
// The answer is at most Options.HeadTTL old; it is the same for all who ask meanwhile, and must not be changed.
func (s *Service) MasterchainInfo(ctx context.Context) (*chain.MasterchainInfo, error) {
	h := s.head
	if known := h.known.Load(); known != nil && time.Now().Before(known.until) {
		return &known.info, nil
	}
	wait := h.calls.DoChan("head", func() (any, error) {
		shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), headTimeout)
		defer cancel()
		info, err := s.index.MasterchainInfo(shared)
		if err != nil {
			return nil, err
		}
		read := &knownHead{info: info, until: time.Now().Add(s.opts.HeadTTL)}
		h.known.Store(read)
		return &read.info, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-wait:
		info, _ := r.Val.(*chain.MasterchainInfo)
		return info, r.Err
	}
}

// forget lets the next question read the head anew, unless a block is known already.
func (h *head) forget(mcSeqno uint32) {
	if known := h.known.Load(); known != nil && known.info.Last.Seqno < mcSeqno {
		h.known.CompareAndSwap(known, nil)
	}
}

// McSeqno is the highest indexed masterchain seqno, 0 while the index is empty.
func (s *Service) McSeqno(ctx context.Context) (uint32, error) {
	info, err := s.MasterchainInfo(ctx)
	if err != nil {
		if chain.KindOf(err) == chain.NotFound {
			return 0, nil
		}
		return 0, err
	}
	return info.Last.Seqno, nil
}

// awaitPoll is how often [Service.Await] looks. The head it looks at is shared with every other request.
const awaitPoll = 50 * time.Millisecond

// Await waits until the index has masterchain block seqno. Unavailable when it has not by the end of wait.
func (s *Service) Await(ctx context.Context, seqno uint32, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	tick := time.NewTicker(awaitPoll)
	defer tick.Stop()
	last := uint32(0)
	for {
		head, err := s.McSeqno(ctx)
		switch {
		case err == nil && head >= seqno:
			return nil
		case err == nil:
			last = head
		case ctx.Err() == nil:
			return err
		}
		select {
		case <-ctx.Done():
			return chain.Unavailablef(ctx.Err(), "masterchain block %d is not indexed yet: the index has reached %d, and did not get there in %s",
				seqno, last, wait)
		case <-tick.C:
		}
	}
}

// reach waits until the Service has masterchain block seqno, which the caller has seen in the index.
func (s *Service) reach(ctx context.Context, seqno uint32) error {
	s.head.forget(seqno)
	return s.Await(ctx, seqno, headTimeout)
}
