package main

import (
	"context"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// indexed returns the newest indexed block of the log.
func (p *process) indexed() int {
	log := p.stderr.String()
	_, after, found := strings.Cut(log[max(0, strings.LastIndex(log, " indexed=")):], " indexed=")
	if !found {
		return 0
	}
	number, _, _ := strings.Cut(after, " ")
	n, _ := strconv.Atoi(number) // 0 while the line is being written
	return n
}

// With 64 descriptors and more clients than that, indexing continues: clients wait, the database keeps its connections.
func TestUp_FewDescriptorsDoNotStopIndexing(t *testing.T) {
	t.Parallel()
	path, err := binary()
	require.NoError(t, err)
	data := filepath.Join(t.TempDir(), "data")
	p := startCommand(t, exec.Command("sh", "-c", `ulimit -n 64 && exec "$@"`, "sh", path, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "500ms"))
	address := p.expect(`page +http://([^/]+)/`, time.Minute)
	base := "http://" + address
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 5) })

	var idle []net.Conn
	for range 200 {
		conn, err := net.DialTimeout("tcp", address, 10*time.Second)
		require.NoError(t, err)
		idle = append(idle, conn)
	}
	from := p.indexed()
	eventually(t, time.Minute, "indexing continues", func() bool { return p.indexed() >= from+5 })
	for _, conn := range idle {
		require.NoError(t, conn.Close())
	}
	eventually(t, time.Minute, "clients are served again", func() bool { return follows(t, base, uint32(from)+5) })
	require.NotContains(t, p.stderr.String(), "too many open files")
	p.interrupt(15 * time.Second)
}

// With GOMEMLIMIT=256MiB, a process with all components serves mixed requests without an internal error.
func TestUp_RunsWithLittleMemory(t *testing.T) {
	t.Parallel()
	path, err := binary()
	require.NoError(t, err)
	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(path, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "500ms")
	cmd.Env = []string{"GOMEMLIMIT=256MiB"}
	p := startCommand(t, cmd)
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 5) })
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	load := newSoakLoad(base)
	load.run(ctx, 40)
	load.report(t)
	used := measure(t, base, time.Now())
	t.Log(used)
	require.Less(t, used.rss, 400.0, "the limit, and memory that Go does not count, mostly the binary")
	p.interrupt(15 * time.Second)
}
