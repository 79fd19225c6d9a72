package nodetest

import (
	"context"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// blackHole returns an address at which the system drops connection requests: the queue of a listening socket is full, and
// nothing accepts.
func blackHole(t testing.TB) net.Addr {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Close(fd) })
	require.NoError(t, syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	require.NoError(t, syscall.Listen(fd, 0))
	name, err := syscall.Getsockname(fd)
	require.NoError(t, err)
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: name.(*syscall.SockaddrInet4).Port}
	for range 8 {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		c, err := new(net.Dialer).DialContext(ctx, "tcp", addr.String())
		cancel()
		if err != nil {
			return addr
		}
		t.Cleanup(func() { _ = c.Close() })
	}
	require.FailNow(t, "the system accepts connections beyond the queue")
	return nil
}
