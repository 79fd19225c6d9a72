package main

import (
	"net"
	"sync"
	"syscall"
)

const (
	// ownDescriptors is what the process needs besides clients' connections and those to the database: liteservers, the
	// local chain's files and connections, webhooks, documents of tokens, the listener itself.
	ownDescriptors = 40
	// minClients is how many connections of clients are served in any case.
	minClients = 8
)

// maxClients is how many connections of clients may be open at once, so that the process keeps descriptors for its own:
// otherwise idle clients could take away the database from the indexer.
func maxClients(databaseConnections int) int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1 << 10 // no system that we know
	}
	const ample = 1 << 20
	return max(minClients, int(min(limit.Cur, ample))-ownDescriptors-databaseConnections)
}

// limitedListener accepts a connection only while fewer than the maximum are open; the others wait in the kernel's queue.
type limitedListener struct {
	net.Listener

	slots  chan struct{}
	closed chan struct{}
	once   sync.Once
}

func limitClients(l net.Listener, most int) net.Listener {
	return &limitedListener{Listener: l, slots: make(chan struct{}, most), closed: make(chan struct{})}
}

// Accept waits for a slot and a connection.
func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &limitedConn{Conn: conn, release: sync.OnceFunc(func() { <-l.slots })}, nil
}

// Close ends Accept, also one that waits for a slot.
func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn

	release func()
}

// Close gives the slot back.
func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
