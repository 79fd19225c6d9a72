package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// systemd receives that the service is ready once it is, keepalives while it runs, and that it stops.
func TestNotify_ReadyThenKeepalivesThenStopping(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	path, err := binary()
	require.NoError(t, err)
	folder, err := os.MkdirTemp("", "notify") //nolint:usetesting // a short path: sockets have at most 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram", Name: filepath.Join(folder, "s")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, socket.Close()) })
	receive := func() string {
		require.NoError(t, socket.SetReadDeadline(time.Now().Add(time.Minute)))
		buf := make([]byte, 256)
		n, err := socket.Read(buf)
		require.NoError(t, err)
		return string(buf[:n])
	}
	cmd := exec.Command(path, "up", "--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0")
	cmd.Env = []string{"NOTIFY_SOCKET=" + filepath.Join(folder, "s"), "WATCHDOG_USEC=400000"}
	p := startCommand(t, cmd)
	require.Equal(t, "READY=1", receive(), "the first message; PostgreSQL sends none")
	p.expect(`(tonql is up)`, time.Second)
	require.Equal(t, "WATCHDOG=1", receive())
	require.Equal(t, "WATCHDOG=1", receive())
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	last := receive()
	for strings.HasPrefix(last, "WATCHDOG") {
		last = receive()
	}
	require.Equal(t, "STOPPING=1", last)
	<-p.ended
	require.NoError(t, p.err)
}
