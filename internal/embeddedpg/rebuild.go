package embeddedpg

import (
	"context"
	"fmt"
	"os"
)

// Rebuild ends the server, deletes its cluster and starts it with the same address as a standby of the server that primary
// names.
func (s *Server) Rebuild(ctx context.Context, primary string) error {
	ctx, cancel := context.WithTimeout(ctx, s.opts.StartTimeout)
	defer cancel()
	select {
	case s.busy <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.busy }()
	if s.life.Err() != nil {
		return ErrStopped
	}
	if err := s.halt(ctx); err != nil {
		return s.stoppedOr(err)
	}
	if err := os.RemoveAll(clusterDir(s.opts.Dir)); err != nil {
		return fmt.Errorf("former database: %w", err)
	}
	s.opts.Primary = primary
	if err := makeCluster(ctx, s.bin, s.opts, s.account); err != nil {
		return s.stoppedOr(err)
	}
	s.removeSocket()
	if err := s.remakeSocketDir(); err != nil {
		return fmt.Errorf("folder for the database socket: %w", err)
	}
	return s.stoppedOr(s.run(ctx))
}
