package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tonql/internal/ctxtime"
)

// restartTries is how many restarts in a row may fail before Supervise returns an error.
const (
	restartTries = 5
	// maxRestartPause bounds the growing pause between two tries.
	maxRestartPause = 5 * time.Second
)

// Restart ends the present run, if there still is one, and starts another with the
// same address.
func (s *Server) Restart(ctx context.Context) error { return s.restart(ctx, nil) }

// restart starts a new run. A non-nil old restricts it to the case that old is still the
// latest run, because another caller may have been faster.
func (s *Server) restart(ctx context.Context, old *process) error {
	ctx, cancel := context.WithTimeout(ctx, s.opts.StartTimeout)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	select {
	case s.busy <- struct{}{}:
	case <-ctx.Done():
		return s.stoppedOr(ctx.Err())
	}
	defer func() { <-s.busy }()
	if s.life.Err() != nil {
		return ErrStopped
	}
	if old != nil && s.latest() != old {
		return nil
	}
	if err := s.halt(ctx); err != nil {
		return s.stoppedOr(err)
	}
	s.removeSocket()
	if err := s.remakeSocketDir(); err != nil {
		return fmt.Errorf("folder for the database socket: %w", err)
	}
	return s.stoppedOr(s.run(ctx))
}

// stoppedOr returns ErrStopped instead of an error that Stop caused.
func (s *Server) stoppedOr(err error) error {
	if err != nil && s.life.Err() != nil {
		return ErrStopped
	}
	return err
}

// remakeSocketDir creates the socket folder again if it was removed. The name must not
// change, because pools were opened with it.
func (s *Server) remakeSocketDir() error {
	err := os.Mkdir(s.socket, 0o700)
	if errors.Is(err, os.ErrExist) {
		uid, _, err := owner(s.socket)
		if err == nil && uid != s.account.uid {
			err = fmt.Errorf("%s belongs to another user", s.socket)
		}
		return err
	}
	if err := errors.Join(err, s.account.take(s.socket)); err != nil {
		return err
	}
	lock, err := lockSocketDir(s.socket)
	if err != nil {
		return err
	}
	_ = s.socketLock.Close() // of the folder that is gone
	s.socketLock = lock
	return nil
}

// removeSocket removes what a killed server leaves behind.
func (s *Server) removeSocket() {
	_ = os.Remove(filepath.Join(s.socket, socketFile()))
	_ = os.Remove(filepath.Join(s.socket, socketFile()+".lock"))
}

// Supervise restarts the server whenever it ends by itself. It returns nil when ctx ends or
// Stop is called, and an error when several restarts in a row fail. While the disk is full
// it continues to try: nothing is damaged, and the server starts once space is free.
func (s *Server) Supervise(ctx context.Context) error {
	ending := func() bool { return ctx.Err() != nil || s.life.Err() != nil }
	for !ending() {
		p := s.latest()
		select {
		case <-ctx.Done():
			return nil
		case <-s.life.Done():
			return nil
		case <-p.done:
		}
		if err := s.revive(ctx, p); err != nil && !ending() {
			return fmt.Errorf("restart of PostgreSQL: %w", err)
		}
	}
	return nil
}

// revive restarts the run that ended, with a growing pause between tries.
func (s *Server) revive(ctx context.Context, p *process) error {
	if cause := s.Err(); cause != nil {
		s.opts.Logger.Warn("restarting PostgreSQL", "err", cause)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	for try := 1; ; try++ {
		err := s.restart(ctx, p)
		if err == nil || errors.Is(err, ErrStopped) || ctx.Err() != nil {
			return err
		}
		full := errors.Is(err, ErrDiskFull)
		s.mu.Lock()
		if full && !s.full {
			s.opts.Logger.Error("disk full, PostgreSQL cannot start", "cluster", clusterDir(s.opts.Dir))
		}
		s.full = full
		s.mu.Unlock()
		if !full && try >= restartTries {
			return err
		}
		ctxtime.Sleep(ctx, min(time.Duration(try)*500*time.Millisecond, maxRestartPause))
	}
}
