package embeddedpg

import (
	"fmt"
	"strings"
	"syscall"
)

// minSpace is the least free space with which the server can continue to write, in bytes: its log grows by segments of this size.
const minSpace = 16 * mebibyte

// noSpace reports whether an error text of PostgreSQL or the system means a full disk.
func noSpace(text string) bool {
	// PostgreSQL gives the hint when a part of a page fits.
	return strings.Contains(text, syscall.ENOSPC.Error()) || strings.Contains(text, "No space left on device") || strings.Contains(text, "Check free disk space.")
}

func diskFull(dir string) error {
	return &sentence{is: ErrDiskFull, text: fmt.Sprintf(
		"the disk of data folder %s is full: free some space, or choose another folder with --data", dir)}
}

// Full reports whether the disk of a data folder has so little space left that its database cannot be written to.
func Full(opts Options) bool {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(opts.Dir, &stat); err != nil {
		return false // a folder that is gone is reported by the server
	}
	return uint64(stat.Bavail)*uint64(stat.Bsize) < minSpace //nolint:unconvert // their types differ between systems
}
