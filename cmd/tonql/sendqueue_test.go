package main

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// unreadPair returns both ends of a connection whose client has room for a few kilobytes.
func unreadPair(t *testing.T) (server net.Conn, client *net.TCPConn) {
	t.Helper()
	l, err := listenClients(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	dialer := net.Dialer{Control: func(_, _ string, socket syscall.RawConn) error {
		var failed error
		err := socket.Control(func(fd uintptr) { failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) })
		return errors.Join(err, failed)
	}}
	dialed, err := dialer.DialContext(t.Context(), "tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = dialed.Close() })
	server, err = l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	require.NoError(t, dialed.SetDeadline(time.Now().Add(time.Minute)))
	return server, dialed.(*net.TCPConn)
}

// stuff writes until the kernel takes no more, and returns what it took.
func stuff(t *testing.T, server net.Conn) int {
	t.Helper()
	total := 0
	for {
		require.NoError(t, server.SetWriteDeadline(time.Now().Add(200*time.Millisecond)))
		n, err := server.Write(make([]byte, 32<<10))
		if total += n; err != nil {
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			return total
		}
	}
}

// The end of what was written arrives while the client still sends, as after a response to a body that is too long.
func TestListenClients_EndOfWritingLeavesReading(t *testing.T) {
	t.Parallel()
	server, client := unreadPair(t)
	half, ok := server.(interface{ CloseWrite() error })
	require.True(t, ok)
	_, err := server.Write([]byte("413"))
	require.NoError(t, err)
	require.NoError(t, half.CloseWrite())
	got, err := io.ReadAll(client)
	require.NoError(t, err)
	require.Equal(t, "413", string(got))
	_, err = client.Write([]byte("the rest"))
	require.NoError(t, err)
	body := make([]byte, len("the rest"))
	_, err = io.ReadFull(server, body)
	require.NoError(t, err)
	require.Equal(t, "the rest", string(body))
}

// The kernel takes little for a client that does not read.
func TestListenClients_KernelTakesLittleThatNobodyReads(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the bound is an option of Linux")
	}
	server, _ := unreadPair(t)
	require.Less(t, stuff(t, server), 3*maxUnread)
}

// What the kernel has taken of a response that is complete has no other timeout.
func TestListenClients_KernelHoldsUnreadBytesForAWhile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the timeout is an option of Linux")
	}
	server, _ := unreadPair(t)
	socket, err := server.(*unreadConn).Conn.(*net.TCPConn).SyscallConn()
	require.NoError(t, err)
	const userTimeout = 18 // TCP_USER_TIMEOUT
	require.NoError(t, socket.Control(func(fd uintptr) {
		set, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, userTimeout)
		require.NoError(t, err)
		require.EqualValues(t, unreadTimeout.Milliseconds(), set)
	}))
}

// A connection that is closed because its client does not read leaves nothing that the kernel tries to send.
func TestListenClients_CutConnectionsAreReset(t *testing.T) {
	t.Parallel()
	server, client := unreadPair(t)
	stuff(t, server)
	require.NoError(t, server.Close())
	_, err := io.Copy(io.Discard, client)
	require.ErrorIs(t, err, syscall.ECONNRESET)
}

// So does one that is closed while a write to it waits.
func TestListenClients_ConnectionsClosedDuringAWriteAreReset(t *testing.T) {
	t.Parallel()
	server, client := unreadPair(t)
	stuff(t, server)
	require.NoError(t, server.SetWriteDeadline(time.Time{}))
	written := make(chan error, 1)
	go func() {
		_, err := server.Write(make([]byte, 16<<20))
		written <- err
	}()
	require.NoError(t, server.Close())
	require.Error(t, <-written)
	_, err := io.Copy(io.Discard, client)
	require.ErrorIs(t, err, syscall.ECONNRESET)
}

// What was written before a connection is closed arrives: the reason why a WebSocket was closed, or the end of a response.
func TestListenClients_WrittenBytesArriveAfterTheClose(t *testing.T) {
	t.Parallel()
	server, client := unreadPair(t)
	const size = 60 << 10
	n, err := server.Write(make([]byte, size))
	require.NoError(t, err)
	require.Equal(t, size, n)
	require.NoError(t, server.Close())
	read, err := io.Copy(io.Discard, client)
	require.NoError(t, err)
	require.EqualValues(t, size, read)
}
