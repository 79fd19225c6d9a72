package mailer_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/mailer"
)

// cutting is a mail server whose connection is cut, or does not continue.
type cutting struct {
	inbox

	left    int    // bytes that the connection sends
	garbage bool   // follows them
	hang    func() // waits before the end, nil: not at all
}

// limited ends a connection after left bytes.
type limited struct {
	net.Conn

	c *cutting
}

func (l limited) Write(p []byte) (int, error) {
	n := min(len(p), l.c.left)
	l.c.left -= n
	if n == len(p) {
		return l.Conn.Write(p)
	}
	_, _ = l.Conn.Write(p[:n])
	if l.c.garbage {
		_, _ = l.Conn.Write([]byte("\x00\xff" + strings.Repeat("9", 5000) + "\r\n"))
	}
	if l.c.hang != nil {
		l.c.hang()
	}
	_ = l.Close()
	return n, io.ErrClosedPipe
}

// start accepts one connection and returns a mailer for it.
func (c *cutting) start(t *testing.T) (m *mailer.Mailer, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var served sync.WaitGroup
	served.Go(func() {
		if conn, err := l.Accept(); err == nil {
			c.serve(limited{conn, c})
		}
	})
	m, err = mailer.New(fmt.Sprintf("smtp://%s?tls=none", l.Addr()), "alerts@pay.example")
	require.NoError(t, err)
	return m, func() {
		_ = l.Close()
		served.Wait()
	}
}

// The server has accepted a message once it has sent this.
const accepted = "220 test\r\n250 test\r\n250 ok\r\n250 ok\r\n250 ok\r\n354 go\r\n250 "

// A connection that the server ends at any byte, or continues with garbage, gives an error, unless the server has accepted the message: such a message is sent, and not
// sent again, however the connection ends.
func TestSend_ConnectionIsCutAtAnyByte(t *testing.T) {
	t.Parallel()
	for _, garbage := range []bool{false, true} {
		for left, complete := 0, false; !complete; left++ {
			c := &cutting{left: left, garbage: garbage}
			m, stop := c.start(t)
			err := m.Send(t.Context(), "shop@example.org", "s", "b")
			stop()
			complete = c.left > 0
			sent := left >= len(accepted)
			require.False(t, sent && len(c.messages) == 0)
			require.Equal(t, sent, err == nil, "%d bytes, garbage: %t, messages: %d: %v", left, garbage, len(c.messages), err)
		}
	}
}

// A server that sends nothing any more, after any byte, occupies a sender no longer than its context.
func TestSend_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	const last = len(accepted + "stored\r\n")
	for left := 0; left <= last && !t.Failed(); left++ {
		ctx, cancel := context.WithCancel(t.Context())
		release := make(chan struct{})
		c := &cutting{left: left, hang: func() {
			cancel()
			<-release
		}}
		m, stop := c.start(t)
		done := make(chan error, 1)
		go func() { done <- m.Send(ctx, "shop@example.org", "s", "b") }()
		select {
		case err := <-done:
			require.Equal(t, left == last, err == nil, "%d bytes: %v", left, err)
		case <-time.After(10 * time.Second):
			t.Errorf("the message is still being sent after %d bytes", left)
		}
		close(release)
		stop()
	}
}
