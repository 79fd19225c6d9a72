package temptest

import (
	"os"
	"syscall"
)

const (
	memoryFolder = "/dev/shm"
	tmpfs        = 0x01021994 // statfs(2)
	noexec       = 0x8        // ST_NOEXEC of statfs(2); some containers mount the folder so
	// room is what must be free in the folder; the hungriest tests use a fifth of it.
	room = 4 << 30
)

// InMemory makes a folder in memory the one of temporary files of this process and its children, where the machine has
// one with enough room, from which programs can be started. A folder that the environment names stays, and benchmarks
// measure with a disk.
func InMemory() {
	if os.Getenv("TMPDIR") != "" || Benchmarking() {
		return
	}
	var fs syscall.Statfs_t
	if syscall.Statfs(memoryFolder, &fs) == nil && fs.Type == tmpfs && fs.Flags&noexec == 0 && fs.Bavail*uint64(fs.Bsize) >= room {
		_ = os.Setenv("TMPDIR", memoryFolder) // fails for impossible names only
	}
}
