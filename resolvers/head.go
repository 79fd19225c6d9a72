package resolvers

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
	"tonql/internal/store/readers"
)

// head caches the first and last masterchain block of the index for a short time: every request reads them, and they change
// only with a masterchain block.
type head struct {
	cached atomic.Pointer[cachedHead] // nil before the first read
	calls  singleflight.Group
}

// cachedHead is one read of the index. It is immutable.
type cachedHead struct {
	info  chain.MasterchainInfo
	until time.Time // when it is read again
}

// headTimeout bounds the shared read of the head, which continues after the request that started it is cancelled.
const headTimeout = 3 * time.Second

// MasterchainInfo returns the lowest and highest indexed masterchain block; NotFound while the index is empty.
// The result is at most Options.HeadTTL old. It is shared and must not be changed. Further queries of the request read no state before it.
func (s *Service) MasterchainInfo(ctx context.Context) (*chain.MasterchainInfo, error) {
	info, err := s.newestInfo(ctx)
	if err == nil {
		readers.Require(ctx, info.Last.Seqno)
	}
	return info, err
}

func (s *Service) newestInfo(ctx context.Context) (*chain.MasterchainInfo, error) {
	if s.snapshot { // waiting for others while it holds a connection, it could wait for one that waits for a connection
		info, err := s.index.MasterchainInfo(ctx)
		return &info, err
	}
	h := s.head
	if cached := h.cached.Load(); cached != nil && time.Now().Before(cached.until) {
		return &cached.info, nil
	}
	wait := h.calls.DoChan("head", func() (any, error) {
		shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), headTimeout)
		defer cancel()
		info, err := s.index.MasterchainInfo(shared)
		if err != nil {
			return nil, err
		}
		read := &cachedHead{info: info, until: time.Now().Add(s.opts.HeadTTL)}
		h.cached.Store(read)
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

// forget drops the cached head if it is older than a masterchain block.
func (h *head) forget(mcSeqno uint32) {
	if cached := h.cached.Load(); cached != nil && cached.info.Last.Seqno < mcSeqno {
		h.cached.CompareAndSwap(cached, nil)
	}
}

// McSeqno returns the highest indexed masterchain seqno, 0 while the index is empty.
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

// awaitPoll is the interval at which [Service.Await] reads the head.
const awaitPoll = 50 * time.Millisecond

// Await waits until the index has masterchain block seqno. Unavailable, and transient, when it has not by the end of wait.
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
		case ctx.Err() == nil && !chain.IsTransient(err):
			return err
		}
		select {
		case <-ctx.Done():
			return chain.Transientf(errors.Join(chain.ErrAhead, ctx.Err()), "masterchain block %d is not indexed yet: the index has reached %d, and did not get there in %s",
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
