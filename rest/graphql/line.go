package graphql

import (
	"bufio"
	"net"
	"net/http"
	"sync"
)

// line is a connection on which several messages can leave together: a block's events are many and short, and each
// packet costs both sides a call of the system.
type line struct {
	net.Conn

	mu   sync.Mutex
	held []byte
	hold bool
}

const mostHeld = 32 << 10 // bytes

// lineWriter hands a line over in the place of the connection.
type lineWriter struct {
	http.ResponseWriter
	line *line
}

// Hijack takes the connection over.
func (w lineWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // what net/http says of its own connection
	}
	w.line.Conn = conn
	return w.line, bufio.NewReadWriter(rw.Reader, bufio.NewWriter(w.line)), nil
}

// more says whether another message follows what is written next.
func (l *line) more(follows bool) {
	l.mu.Lock()
	l.hold = follows
	l.mu.Unlock()
}

// Write sends, or keeps for the next write while more follows.
func (l *line) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.held) == 0 && !l.hold {
		return l.Conn.Write(p) //nolint:wrapcheck // this is the connection
	}
	l.held = append(l.held, p...)
	if l.hold && len(l.held) < mostHeld {
		return len(p), nil
	}
	_, err := l.Conn.Write(l.held)
	if l.held = l.held[:0]; cap(l.held) > 2*mostHeld {
		l.held = nil
	}
	if err != nil {
		return 0, err //nolint:wrapcheck // as above
	}
	return len(p), nil
}
