package devnet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/filelock"
)

const (
	lockName = "lock"
	// listening is noted in the lock file once the global config names the liteserver of this run.
	listening = "listening"
	// startWait bounds how long [Running] waits for a network that is starting, a long chain being read included.
	startWait = 30 * time.Second
)

// lockDir claims the folder: two processes on one chain would write blocks over each other's.
func lockDir(dir string) (*os.File, error) {
	file, err := filelock.Lock(filepath.Join(dir, lockName))
	var lockHeld *filelock.HeldError
	if errors.As(err, &lockHeld) {
		return nil, chain.Unavailablef(err, "the local chain in %s is in use by another tonql (process %s): stop that one or choose another folder with --data",
			dir, lockHeld.Owner())
	}
	if err != nil {
		return nil, fmt.Errorf("lock of devnet folder: %w", err)
	}
	return file, nil
}

// Running returns the path of the global config of the network that another process runs in the folder; false when none
// does. A network that is starting is waited for.
func Running(ctx context.Context, dir string) (config string, running bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		note, lockHeld, err := filelock.Held(filepath.Join(dir, lockName))
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && !lockHeld:
			return "", false, nil
		case err != nil:
			return "", false, fmt.Errorf("lock of devnet folder: %w", err)
		case strings.Contains(note, listening):
			return filepath.Join(dir, configName), true, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return "", false, chain.Unavailablef(ctx.Err(), "the local chain in %s is starting in another process and does not listen yet", dir)
		}
	}
}
