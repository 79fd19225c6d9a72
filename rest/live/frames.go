package live

import (
	"bufio"
	"encoding/binary"
	"math"
	"net"
	"net/http"
)

// Messages to clients bypass the WebSocket library, which writes and flushes each message by itself. The events of a block
// are many and short; gathered into one write they cost one system call and one packet instead of one per event
// (docs/trials.md has the figures). The library reads messages and writes control frames.

// connCapture stores the connection that the WebSocket library takes over.
type connCapture struct {
	http.ResponseWriter
	conn *net.Conn
}

// Hijack implements http.Hijacker.
func (w connCapture) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	*w.conn = conn
	return conn, rw, err //nolint:wrapcheck // an error of net/http
}

// MaxGathered is the size in bytes from which gathered messages are sent.
const MaxGathered = 32 << 10

// longMessage is the size in bytes from which messages count against the memory of what waits for clients (see handler.Reserve).
const longMessage = 16 << 10

// AppendFrame appends a text message, given in parts, as one frame (RFC 6455, 5.2).
func AppendFrame(b []byte, parts ...[]byte) []byte {
	const (
		text     = 0x80 | 1 // the last and only frame of its message
		twoBytes = 126
		eight    = 127
	)
	length := 0
	for _, p := range parts {
		length += len(p)
	}
	b = append(b, text)
	switch {
	case length < twoBytes:
		b = append(b, byte(length))
	case length <= math.MaxUint16:
		b = binary.BigEndian.AppendUint16(append(b, twoBytes), uint16(length))
	default:
		b = binary.BigEndian.AppendUint64(append(b, eight), uint64(length))
	}
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}
