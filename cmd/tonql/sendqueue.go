package main

import (
	"context"
	"net"
	"sync/atomic"
	"time"
)

// maxUnread is how much the kernel takes of a response, in bytes, while the client does not read: otherwise it takes up to 4 MiB for each connection, which no
// limit of the process counts. What the client has room for does not count, so that fast clients are as fast as before.
const maxUnread = 128 << 10

// unreadTimeout is how long the kernel holds what it has taken of a response while the client reads nothing of it. Then it closes the connection. Timeouts of
// writes do not apply to what the kernel has taken: short responses, and the end of long ones.
const unreadTimeout = 30 * time.Second

// listenClients listens on a TCP address for clients that may not read what is sent to them.
func listenClients(ctx context.Context, address string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return unreadListener{listener}, nil
}

// unreadListener accepts connections that are reset when they are closed before the kernel has taken all that was written.
type unreadListener struct{ net.Listener }

// Accept waits for a connection.
func (l unreadListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		boundUnread(tcp) // accepted connections inherit no option where Go listens for Multipath TCP
	}
	return &unreadConn{Conn: conn}, nil
}

// unreadConn is the connection of a client that may not read. Closing it would leave what was written to the kernel, which tries to send it for minutes;
// of a message that is cut, nobody needs the beginning.
type unreadConn struct {
	net.Conn

	cut atomic.Bool // the last write has not ended or has failed
}

// Write writes to the kernel.
func (c *unreadConn) Write(p []byte) (int, error) {
	c.cut.Store(true)
	n, err := c.Conn.Write(p)
	if err == nil {
		c.cut.Store(false)
	}
	return n, err
}

// CloseWrite sends the end of what was written and leaves the connection open for reading: net/http does so after a response to a request that it did not read.
func (c *unreadConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection.
func (c *unreadConn) Close() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok && c.cut.Load() {
		_ = tcp.SetLinger(0) // it is closed in any case
	}
	return c.Conn.Close()
}
