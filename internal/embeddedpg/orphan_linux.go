package embeddedpg

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// serversOn lists the PostgreSQL processes that work on the cluster. Each of them
// has the cluster as its working folder, whatever path it was started with.
func serversOn(cluster string) []int {
	folder, err := os.Stat(cluster)
	if err != nil {
		return nil
	}
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	var pids []int
	for _, name := range names {
		comm, err := os.ReadFile(filepath.Join(name, "comm"))
		if err != nil || !strings.HasPrefix(string(comm), "postgres") {
			continue // gone meanwhile, or a user's shell in that folder
		}
		cwd, err := os.Stat(filepath.Join(name, "cwd"))
		if err != nil || !os.SameFile(folder, cwd) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(name)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
