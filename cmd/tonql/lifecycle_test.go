package main

import (
	"bytes"
	"context"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"testing"

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
