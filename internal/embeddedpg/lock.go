package embeddedpg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tonql/internal/filelock"
)

// lock claims the data folder for this process. The kernel releases it when the
// process ends in any way, and children do not inherit it: while it is locked, no other
// tonql runs the server.
func lock(dir string) (*os.File, error) {
	file, err := filelock.Lock(filepath.Join(dir, "lock"))
	var locked *filelock.HeldError
	if errors.As(err, &locked) {
		return nil, &sentence{is: ErrInUse, text: fmt.Sprintf(
			"data folder %s is in use by another tonql (process %s): stop that one or choose another folder with --data",
			dir, locked.Owner())}
	}
	if err != nil {
		return nil, fmt.Errorf("lock of data folder %s: %w", dir, err)
	}
	return file, nil
}
