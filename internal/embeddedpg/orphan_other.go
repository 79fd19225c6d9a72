//go:build !linux

package embeddedpg

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// serversOn lists the PostgreSQL processes that work on the cluster: without /proc,
// the postmaster of the pid file, if that number is a PostgreSQL's.
func serversOn(cluster string) []int {
	pid := recordedPostmaster(cluster)
	if pid == 0 {
		return nil
	}
	out, err := exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	if err != nil || !strings.HasPrefix(filepath.Base(strings.TrimSpace(string(out))), "postgres") {
		return nil
	}
	return []int{pid}
}
