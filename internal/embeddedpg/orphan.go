package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// How long a left-over server gets for each way of ending: an orderly shutdown, an
// immediate one, and the kernel's.
const (
	orderlyWait   = 15 * time.Second
	immediateWait = 3 * time.Second
	killWait      = 5 * time.Second
)

// clearOrphans ends every server process that still works on the cluster and
// removes the pid file. The caller holds the lock, so they have no owner: a
// tonql or a postmaster was killed and left them. The check of the pid file by the server
// is not enough, because the process id may belong to another process by now.
func clearOrphans(ctx context.Context, cluster string, log *slog.Logger) error {
	pids := serversOn(cluster)
	if len(pids) > 0 {
		log.Warn("PostgreSQL processes that nobody owns are shut down", "processes", pids)
	}
	// SIGINT means an orderly shutdown to the postmaster only; its children cancel a query.
	if master := recordedPostmaster(cluster); slices.Contains(pids, master) {
		_ = syscall.Kill(master, syscall.SIGINT)
		if err := waitGone(ctx, cluster, orderlyWait); err != nil {
			return err
		}
	} else if len(pids) > 0 {
		// Children end by themselves soon after their postmaster.
		if err := waitGone(ctx, cluster, immediateWait); err != nil {
			return err
		}
	}
	if err := killServers(ctx, cluster); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(cluster, "postmaster.pid")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("stale pid file: %w", err)
	}
	return nil
}

// killServers ends the processes that are left on the cluster, if any, by force.
func killServers(ctx context.Context, cluster string) error {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGQUIT, immediateWait}, {syscall.SIGKILL, killWait}} {
		pids := serversOn(cluster)
		if len(pids) == 0 {
			return nil
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, step.signal)
		}
		if err := waitGone(ctx, cluster, step.wait); err != nil {
			return err
		}
	}
	if pids := serversOn(cluster); len(pids) > 0 {
		return fmt.Errorf("PostgreSQL processes %v of an earlier run on %s do not end", pids, cluster)
	}
	return nil
}

// waitGone waits until no server works on the cluster, at most limit. Only the end
// of ctx is an error.
func waitGone(ctx context.Context, cluster string, limit time.Duration) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	for len(serversOn(cluster)) > 0 {
		select {
		case <-tick.C:
		case <-deadline.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// recordedPostmaster is the process number in the cluster's pid file, 0 when there is none.
func recordedPostmaster(cluster string) int {
	text, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || pid <= 0 {
		return 0
	}
	return pid
}
