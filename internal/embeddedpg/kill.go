package embeddedpg

import (
	"context"
	"fmt"
)

// Kill ends the server at once, without the shutdown that writes what is in memory and sends the rest of the log to standbys.
// The next Restart recovers what was committed. It is for tests of failures.
func (s *Server) Kill(ctx context.Context) error {
	s.busy <- struct{}{}
	defer func() { <-s.busy }()
	s.mu.Lock()
	p := s.current
	s.stopped = true
	s.mu.Unlock()
	if err := killServers(ctx, clusterDir(s.opts.Dir)); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("end of PostgreSQL: %w", ctx.Err())
	}
}
