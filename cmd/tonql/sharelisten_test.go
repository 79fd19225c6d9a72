package main

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fromAddress is a connection whose remote address is given.
type fromAddress struct {
	net.Conn

	from net.Addr
}

func (c fromAddress) RemoteAddr() net.Addr { return c.from }

// addressed is a listener of connections from given addresses.
type addressed struct {
	net.Listener

	next chan string
}

func (l *addressed) Accept() (net.Conn, error) {
	from, ok := <-l.next
	if !ok {
		return nil, net.ErrClosed
	}
	server, client := net.Pipe()
	go func() { _, _ = client.Read(make([]byte, 1)); _ = client.Close() }()
	return fromAddress{server, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(from))}, nil
}

// The connections of one address leave some for others, and closed ones are counted no more. Proxies have those of many clients.
func TestShareClients_OneAddressLeavesConnectionsForOthers(t *testing.T) {
	t.Parallel()
	inner := &addressed{next: make(chan string, 100)}
	l := shareClients(inner, 2, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	accept := func(from ...string) net.Conn {
		t.Helper()
		for _, a := range from {
			inner.next <- a
		}
		conn, err := l.Accept()
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		require.Equal(t, from[len(from)-1], conn.RemoteAddr().String(), "the others are refused")
		return conn
	}
	first := accept("192.0.2.1:1")
	accept("192.0.2.1:2")
	accept("192.0.2.1:3", "192.0.2.1:4", "192.0.2.2:1")
	accept("[2001:db8::1]:1")
	accept("[2001:db8::2]:1")
	accept("[2001:db8::3]:1", "[2001:db8:0:1::1]:1")
	for _, proxy := range []string{"10.0.0.1:1", "127.0.0.1:1", "[::1]:1"} {
		for range 5 {
			accept(proxy)
		}
	}
	require.NoError(t, first.Close())
	_ = first.Close() // again
	accept("192.0.2.1:5")
	accept("192.0.2.1:6", "192.0.2.3:1")
	close(inner.next)
	_, err := l.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
}

// A connection that is one too many is closed, so that its client does not wait.
func TestShareClients_ExcessConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &sharedListener{Listener: listener, ofClient: 1, exempt: func(netip.Addr) bool { return false }, open: map[netip.Addr]int{}}
	accepted := make(chan net.Conn, 10)
	done := make(chan error, 1)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				done <- err
				return
			}
			accepted <- conn
		}
	}()
	dial := func() net.Conn {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
		return conn
	}
	dial()
	first := <-accepted
	_, err = dial().Read(make([]byte, 1))
	require.Error(t, err)
	var late net.Error
	require.False(t, errors.As(err, &late) && late.Timeout(), "it is closed")
	require.NoError(t, first.Close())
	dial()
	require.NoError(t, (<-accepted).Close())
	require.NoError(t, l.Close())
	require.ErrorIs(t, <-done, net.ErrClosed)
}
