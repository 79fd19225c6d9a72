package scenario

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// maxWait limits one wait for the next block, so that Run checks its context regularly.
const maxWait = 5 * time.Second

// Run sends a batch after every block of the running chain until ctx ends, which is no error. It logs a batch that fails
// and continues with the next block.
func (s *Scenario) Run(ctx context.Context) error {
	next := uint32(1)
	if head := s.chain.Head(); head != nil {
		next = head.ID.SeqNo
	}
	for ctx.Err() == nil {
		switch err := s.await(ctx, next); {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, context.DeadlineExceeded):
			if s.opts.Nudge > 0 {
				s.report(s.nudge(ctx))
			}
			continue
		case err != nil:
			return fmt.Errorf("scenario: wait for block %d: %w", next, err)
		}
		last := s.chain.Head().ID.SeqNo
		first := next
		if last-first >= maxMissed {
			first = last - maxMissed + 1
		}
		s.report(s.step(ctx, first, last))
		next = last + 1
	}
	return nil
}

func (s *Scenario) await(ctx context.Context, seqno uint32) error {
	wait := maxWait
	if s.opts.Nudge > 0 {
		wait = s.opts.Nudge
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return s.chain.WaitSeqno(waiting, seqno)
}

func (s *Scenario) report(err error) {
	if err != nil {
		s.opts.Log.Warn("scenario batch failed", "err", err)
	}
}

// nudge sends one transfer, so that a chain that waits for messages makes its next block.
func (s *Scenario) nudge(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	head := s.chain.Head()
	if head == nil {
		return nil
	}
	t, err := s.open(head.ID.SeqNo, head.ID.SeqNo)
	if err != nil {
		return err
	}
	t.rand = dice(s.opts.Seed, "nudge", head.ID.SeqNo)
	if !t.transfer() {
		t.fund() // no actor has coins yet, but the operator has
	}
	return s.deliver(ctx, t)
}
