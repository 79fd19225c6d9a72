package node

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"tonql/internal/ctxtime"
)

// refusalsBeforePause is the number of consecutive refusals after which a server is paused.
const refusalsBeforePause = 5

// noteAbsent records that the server no longer has data that it must have had, or does not have the kind of query.
func (s *server) noteAbsent(w want, a *absentError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch {
	case a.class == absent:
		s.record.miss(w, s.pool.newestLT.Load(), now)
	case a.class == unsupported && w.query != "":
		if s.record.unsupported == nil {
			s.record.unsupported = map[string]time.Time{}
		}
		s.record.unsupported[w.query] = now.Add(gapTime)
	}
}

// noteRefusal counts errors that are not lies or broken connections (internal errors, timeouts behind the server).
func (s *server) noteRefusal(w want, r *refusalError) {
	if r.class == limited {
		s.limit(w, r)
		return
	}
	s.mu.Lock()
	s.record.refusals++
	many := s.record.refusals >= refusalsBeforePause
	if many {
		s.record.refusals = 0
	}
	s.mu.Unlock()
	s.pool.metrics.failed(s.name, "refusal")
	if many {
		s.setAside(w, "broken", fmt.Sprintf("refused %d queries in a row, the last with error %d", refusalsBeforePause, r.code), r)
	}
}

// limit leaves a server alone that limits the rate of queries, and queries it less often afterwards. The connection
// stays, and its head stays proven.
func (s *server) limit(w want, err *refusalError) {
	s.mu.Lock()
	now := time.Now()
	level := slog.LevelDebug // a repetition
	if now.Sub(s.record.pace.limitedAt) > returnTime {
		level = slog.LevelInfo
	}
	pause, fresh := s.record.pace.limit(now)
	s.mu.Unlock()
	if !fresh {
		return
	}
	s.pool.metrics.failed(s.name, "limit")
	s.log(level, "liteserver limits queries", "query", w.what, "pause", pause.Round(time.Millisecond), "err", err)
}

// isUsable reports whether the server is connected, has proven its head and is not set aside.
func (s *server) isUsable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.record.usable
}

// limitLeft returns how long the server gets no further queries because it limits them.
func (s *server) limitLeft() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.record.pace.blocked(time.Now())
}

// await waits for the query's place in the schedule of a server that limits queries.
func (s *server) await(ctx context.Context) error {
	s.mu.Lock()
	wait := s.record.pace.reserve(time.Now())
	s.mu.Unlock()
	if wait > 0 && !ctxtime.Sleep(ctx, wait) {
		return ctx.Err()
	}
	return nil
}

// passed records a query that was not refused as one too many.
func (s *server) passed() {
	s.mu.Lock()
	s.record.pace.passed++
	s.mu.Unlock()
}
