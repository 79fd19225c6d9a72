package main

import (
	"net"

	"golang.org/x/sys/unix"
)

// boundUnread bounds the bytes that the kernel takes and cannot send yet, and the time for which it holds them.
func boundUnread(conn *net.TCPConn) {
	socket, err := conn.SyscallConn()
	if err != nil {
		return // it is closed
	}
	_ = socket.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, maxUnread) // without these, responses are sent all the same
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(unreadTimeout.Milliseconds()))
	})
}
