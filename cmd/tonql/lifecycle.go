package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/store"
	"tonql/internal/tracing"
)

// lifecycle owns the components of a command: it starts them in order and stops them in reverse order, so that the APIs
// stop first and the database last. The first background component that ends by itself ends the command.
type lifecycle struct {
	log    *slog.Logger
	parent context.Context
	ended  chan error // of background components; one slot each, so that none blocks
	stops  []stop
	// supervised is set when this process runs a private PostgreSQL, which it restarts whenever it ends.
	supervised bool

	metrics *prometheus.Registry
	store   *storeMetrics
	tracer  *tracing.Tracer // nil without --trace-endpoint
	// adminAddress is that of the server for metrics and health, if there is one.
	adminAddress string
}

// stop is how one component ends.
type stop struct {
	name string
	fn   func(context.Context) error
}

// Bounds of stopAll: the process ends at most totalStopTimeout after Ctrl-C.
const (
	componentStopTimeout = 4 * time.Second
	totalStopTimeout     = 9 * time.Second
	maxComponents        = 16
)

func newLifecycle(ctx context.Context, log *slog.Logger) *lifecycle {
	lc := &lifecycle{log: log, parent: ctx, ended: make(chan error, maxComponents), metrics: newRegistry(), store: newStoreMetrics()}
	lc.metrics.MustRegister(lc.store)
	registerLogs(lc.metrics, log)
	return lc
}

// onStop registers fn to stop a component that is running now.
func (lc *lifecycle) onStop(name string, fn func(context.Context) error) {
	lc.stops = append(lc.stops, stop{name, fn})
}

// onClose registers a function that takes no context to stop a component. The stop ends with its time: a pool of connections to a database
// that does not respond, for example, closes after longer than a supervisor waits before it kills the process.
func (lc *lifecycle) onClose(name string, closeIt func()) {
	lc.onStop(name, func(wait context.Context) error {
		done := make(chan struct{})
		go func() { closeIt(); close(done) }()
		select {
		case <-done:
			return nil
		case <-wait.Done():
			return wait.Err()
		}
	})
}

// background runs a component until stopAll cancels its context.
func (lc *lifecycle) background(name string, run func(context.Context) error) {
	// Not a child of the command's context: Ctrl-C stops the components in order, not all at once.
	ctx, cancel := context.WithCancel(context.WithoutCancel(lc.parent))
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := run(ctx)
		if ctx.Err() == nil { // stopAll has not stopped it
			if err == nil {
				err = errors.New("ended unexpectedly")
			}
			lc.ended <- &componentError{name, err}
		}
	}()
	lc.onStop(name, func(wait context.Context) error {
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
	// restartWait is the longest time that a start waits for the private PostgreSQL to restart.
	restartWait  = time.Minute
	restartPause = 200 * time.Millisecond
)

// throughRestarts runs a step of a start, and repeats it while it fails because the private PostgreSQL restarts. A step that fails after the
// command's context has ended was interrupted, whatever its error: drivers report a cancelled statement as a lost connection.
func (lc *lifecycle) throughRestarts(step string, run func() error) error {
	for started := time.Now(); ; {
		err := run()
		if err != nil && lc.parent.Err() != nil {
			return fmt.Errorf("%w: %w", lc.parent.Err(), err)
		}
		if err == nil || !lc.supervised || !store.ConnectionLost(err) || time.Since(started) > restartWait {
			return err
		}
		lc.log.Warn("database connection lost during startup, retrying", "step", step, "err", err)
		select {
		case <-lc.parent.Done():
			return err
		case ended := <-lc.ended: // the supervisor gave up
			return ended
		case <-time.After(restartPause):
		}
	}
}

// announce prints what a service offers. A service also runs where the text cannot be written, such as to a full disk; when the reader of
// the output has gone, the writer ends it.
func announce(c *cli.Command, lc *lifecycle, text string) {
	if _, err := io.WriteString(c.Root().Writer, text); err != nil {
		lc.log.Warn("standard output not written", "err", err)
	}
}

// wait blocks until the command's context ends, which is no error, or a background component ends by itself. All components
// run now, which wait reports to systemd.
func (lc *lifecycle) wait() error {
	lc.notify(daemon.SdNotifyReady)
	defer lc.notify(daemon.SdNotifyStopping)
	var keepalive <-chan time.Time
	if ticker := lc.watchdog(); ticker != nil {
		defer ticker.Stop()
		keepalive = ticker.C
	}
	for {
		select {
		case <-lc.parent.Done():
			return nil
		case err := <-lc.ended:
			return err
		case <-keepalive:
			lc.notify(daemon.SdNotifyWatchdog)
		}
	}
}

// stopAll stops every component, newest first, within totalStopTimeout.
func (lc *lifecycle) stopAll() {
	all, cancel := context.WithTimeout(context.WithoutCancel(lc.parent), totalStopTimeout)
	defer cancel()
	for _, component := range slices.Backward(lc.stops) {
		ctx, cancel := context.WithTimeout(all, componentStopTimeout)
		if err := component.fn(ctx); err != nil {
			lc.log.Error("component did not stop", "stopped", component.name, "err", err)
		}
		cancel()
	}
}

// componentError says which component ended.
type componentError struct {
	component string
	err       error
}

func (e *componentError) Error() string { return e.component + ": " + e.err.Error() }
func (e *componentError) Unwrap() error { return e.err }
