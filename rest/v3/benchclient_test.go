package v3_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// rusageThread is RUSAGE_THREAD of getrusage(2), which package syscall does not name.
const rusageThread = 1

// client is an HTTP client that does little and keeps to one thread with blocking calls, so that its own CPU time can be
// told from the server's in the same process.
type client struct {
	fd    int
	start time.Duration
	buf   []byte
}

func dial(address string) (*client, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, err
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Connect(fd, &syscall.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}); err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	return &client{fd: fd, start: threadCPU(), buf: make([]byte, 0, 1<<20)}, nil
}

func threadCPU() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// used is the CPU time of the client so far.
func (c *client) used() time.Duration { return threadCPU() - c.start }

func (c *client) close() {
	runtime.UnlockOSThread()
	_ = syscall.Close(c.fd)
}

// get reads one answer of status 200 and gives the size of its body.
func (c *client) get(path string) (int, error) {
	request := append(append([]byte("GET "), path...), " HTTP/1.1\r\nHost: bench\r\n\r\n"...)
	if _, err := syscall.Write(c.fd, request); err != nil {
		return 0, err
	}
	c.buf = c.buf[:0]
	for {
		if len(c.buf) == cap(c.buf) {
			c.buf = append(c.buf, 0)[:len(c.buf)]
		}
		n, err := syscall.Read(c.fd, c.buf[len(c.buf):cap(c.buf)])
		if err != nil || n == 0 {
			return 0, fmt.Errorf("connection: %d bytes, %w", n, err)
		}
		c.buf = c.buf[:len(c.buf)+n]
		if size, whole := bodySize(c.buf); whole {
			if !bytes.HasPrefix(c.buf, []byte("HTTP/1.1 200 ")) {
				return 0, fmt.Errorf("answer %.200s", c.buf)
			}
			return size, nil
		}
	}
}

// bodySize says whether an answer, with a length or in chunks, is there as a whole.
func bodySize(answer []byte) (size int, whole bool) {
	head, body, ok := bytes.Cut(answer, []byte("\r\n\r\n"))
	if !ok {
		return 0, false
	}
	_, rest, sized := bytes.Cut(head, []byte("Content-Length: "))
	if !sized {
		return len(body), bytes.HasSuffix(body, []byte("\r\n0\r\n\r\n"))
	}
	digits, _, _ := bytes.Cut(rest, []byte("\r\n"))
	length, err := strconv.Atoi(string(digits))
	return len(body), err == nil && len(body) >= length
}
