package main

import (
	"net"
	"sync"
	"syscall"
)

const (
	// ownDescriptors is the number of file descriptors that the process needs apart from connections of clients and to the
	// database: liteservers, files and connections of the local chain, webhooks, metadata, the listener.
	ownDescriptors = 40
	// minClients is the lowest limit on connections of clients.
	minClients = 8
)

// maxClients returns how many connections of clients may be open at once. The limit reserves file descriptors for the
// process: otherwise idle clients could cut the indexer off from the database.
func maxClients(databaseConnections int) int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1 << 10 // no supported system
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

func limitClients(l net.Listener, limit int) net.Listener {
	return &limitedListener{Listener: l, slots: make(chan struct{}, limit), closed: make(chan struct{})}
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

// Close ends Accept, also while it waits for a slot.
func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn

	release func()
}

// Close closes the connection and releases its slot.
func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
