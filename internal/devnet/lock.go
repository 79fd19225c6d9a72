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
	// listening is written to the lock file once the global config names the liteserver of this run. The address of the
	// administration API follows, if there is one.
	listening = "listening"
	// startWait limits the time that [Running] waits for a network that is starting and may read a long chain.
	startWait = 30 * time.Second
)

// lockDir locks the folder, so that two processes cannot write the same chain.
func lockDir(dir string) (*os.File, error) {
	file, err := filelock.Lock(filepath.Join(dir, lockName))
	var inUse *filelock.HeldError
	if errors.As(err, &inUse) {
		return nil, chain.Unavailablef(err, "the local chain in %s is in use by another tonql (process %s): stop that one or choose another folder with --data",
			dir, inUse.Owner())
	}
	if err != nil {
		return nil, fmt.Errorf("lock of devnet folder: %w", err)
	}
	return file, nil
}

// Other describes a network that another process runs.
type Other struct {
	GlobalConfig string // path
	Admin        string // address of the administration API; empty without one
}

// Running returns the network that another process runs in the folder; false when there is none. It waits for a network
// that is starting.
func Running(ctx context.Context, dir string) (network Other, running bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		note, inUse, err := filelock.Held(filepath.Join(dir, lockName))
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && !inUse:
			return Other{}, false, nil
		case err != nil:
			return Other{}, false, fmt.Errorf("lock of devnet folder: %w", err)
		case strings.Contains(note, listening):
			_, admin, _ := strings.Cut(note, listening)
			return Other{GlobalConfig: filepath.Join(dir, configName), Admin: strings.TrimSpace(admin)}, true, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return Other{}, false, chain.Unavailablef(ctx.Err(), "the local chain in %s is starting in another process and does not listen yet", dir)
		}
	}
}
