package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"tonql/internal/store"
)

// stages starts what a command needs, one on top of the other, and stops it in the reverse order: doors first, database
// last. Each stage that runs in the background reports its end; the first that ends by itself ends the command.
type stages struct {
	log    *slog.Logger
	parent context.Context
	ended  chan error // of background stages; one slot each, so that none blocks
	stops  []stop
	// supervised is set when a private PostgreSQL of this process is started again whenever it ends.
	supervised bool
}

type stop struct {
	name string
	fn   func(context.Context) error
}

// Ctrl-C to the end of the process takes at most the sum of what follows; see stopAll.
const (
	stageStopTimeout = 4 * time.Second
	allStopTimeout   = 9 * time.Second
	maxStages        = 16
)

func newStages(ctx context.Context, log *slog.Logger) *stages {
	return &stages{log: log, parent: ctx, ended: make(chan error, maxStages)}
}

// onStop registers what ends a stage that is running now.
func (s *stages) onStop(name string, fn func(context.Context) error) {
	s.stops = append(s.stops, stop{name, fn})
}

// background runs a stage until its context ends.
func (s *stages) background(name string, run func(context.Context) error) {
	// Not a child of the command's context: Ctrl-C stops stages in order, not all at once.
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.parent))
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := run(ctx)
		if ctx.Err() == nil { // it was not asked to end
			if err == nil {
				err = errors.New("ended unexpectedly")
			}
			s.ended <- &stageError{name, err}
		}
	}()
	s.onStop(name, func(wait context.Context) error {
		cancel()
		select {
		case <-done:
			return nil
		case <-wait.Done():
			return wait.Err()
		}
	})
}

const (
	// restartWait bounds how long a start waits for the private PostgreSQL to come up again.
	restartWait  = time.Minute
	restartPause = 200 * time.Millisecond
)

// throughRestarts repeats a step of a start that lost the private PostgreSQL, which is started again meanwhile.
func (s *stages) throughRestarts(step string, run func() error) error {
	for begun := time.Now(); ; {
		err := run()
		if err == nil || !s.supervised || !store.ConnectionLost(err) || time.Since(begun) > restartWait {
			return err
		}
		s.log.Warn("database lost while starting, trying again", "step", step, "err", err)
		select {
		case <-s.parent.Done():
			return err
		case ended := <-s.ended: // the supervisor has given up
			return ended
		case <-time.After(restartPause):
		}
	}
}

// wait blocks until the command is told to stop or a stage ends by itself.
func (s *stages) wait() error {
	select {
	case <-s.parent.Done():
		return nil
	case err := <-s.ended:
		return err
	}
}

// stopAll stops every stage, newest first, within a bounded time.
func (s *stages) stopAll() {
	all, cancel := context.WithTimeout(context.WithoutCancel(s.parent), allStopTimeout)
	defer cancel()
	for _, stage := range slices.Backward(s.stops) {
		ctx, cancel := context.WithTimeout(all, stageStopTimeout)
		if err := stage.fn(ctx); err != nil {
			s.log.Error("stop", "stage", stage.name, "err", err)
		}
		cancel()
	}
}

type stageError struct {
	stage string
	err   error
}

func (e *stageError) Error() string { return e.stage + ": " + e.err.Error() }
func (e *stageError) Unwrap() error { return e.err }
