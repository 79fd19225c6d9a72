package node

import (
	"fmt"
	"log/slog"
	"time"
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

// limit leaves a server alone that limits the rate of queries. The connection stays, and its head stays proven. Of
// several queries that were refused together, the first decides.
func (s *server) limit(w want, err *refusalError) {
	s.mu.Lock()
	r := &s.record
	now := time.Now()
	if now.Before(r.limitedUntil) {
		s.mu.Unlock()
		return
	}
	level := slog.LevelDebug // a repetition
	if now.Sub(r.limitedUntil) > returnTime {
		level = slog.LevelInfo
	}
	pause := r.limits.take(now.Sub(r.limitedUntil))
	r.limitedUntil = now.Add(pause)
	s.mu.Unlock()
	s.pool.metrics.failed(s.name, "limit")
	s.log(level, "liteserver limits queries", "query", w.what, "pause", pause.Round(time.Millisecond), "err", err)
}

// isUsable reports whether the server is connected, has proven its head and is not set aside.
func (s *server) isUsable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.record.usable
}

// limitLeft returns how long the server is still left alone because it limits queries; 0 when it does not.
func (s *server) limitLeft() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, time.Until(s.record.limitedUntil))
}
