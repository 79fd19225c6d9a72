package main

import (
	"bytes"
	"context"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A step that a signal interrupts is not repeated, and its error, which drivers report as a lost connection, is no failure of the database.
func TestThroughRestarts_InterruptedStepIsNoLostConnection(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	var log bytes.Buffer
	lc := newLifecycle(ctx, slog.New(slog.NewTextHandler(&log, nil)))
	lc.supervised = true
	steps := 0
	err := lc.throughRestarts("migrate", func() error {
		steps++
		interrupt()
		return fmt.Errorf("migrations: %w", driver.ErrBadConn)
	})
	require.ErrorIs(t, err, context.Canceled, "the exit status is that of an interruption")
	require.ErrorIs(t, err, driver.ErrBadConn)
	require.Equal(t, 1, steps)
	require.Empty(t, log.String())
}

// A pool of connections to a database that does not respond, which closes late or never, does not delay the components that stop after it, nor the
// end of the process.
func TestStopAll_CloseThatHangsEndsWithItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		lc := newLifecycle(t.Context(), slog.New(slog.NewTextHandler(&log, nil)))
		hangs, stopped := make(chan struct{}), false
		lc.onStop("database", func(context.Context) error { stopped = true; return nil })
		lc.onClose("database pools", func() { <-hangs })
		began := time.Now()
		lc.stopAll()
		require.Equal(t, componentStopTimeout, time.Since(began))
		require.True(t, stopped)
		require.Contains(t, log.String(), `msg="component did not stop" stopped="database pools"`)
		close(hangs)
	})
}
