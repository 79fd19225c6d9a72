package graphql

import (
	"bufio"
	"encoding/binary"
	"math"
	"net"
	"net/http"
	"sync"
)

// Messages to clients are written past the WebSocket library, many at once: a block's events are many and short, each
// packet costs both sides a call of the system, and a message that goes to a thousand clients is the same for all of them
// but for the operation's id. The library writes only what it is asked to control, in one piece each.

// lineWriter keeps the connection that a WebSocket is made of.
type lineWriter struct {
	http.ResponseWriter
	conn *net.Conn
}

// Hijack takes the connection over.
func (w lineWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	*w.conn = conn
	return conn, rw, err //nolint:wrapcheck // what net/http says of its own connection
}

const (
	// fullFrames is when frames that were gathered are sent, in bytes.
	fullFrames = 32 << 10
	// largestKept is the largest memory for frames that is used again, in bytes.
	largestKept = 4 * fullFrames
)

// appendFrame adds a message of text, in parts, to frames that leave together (RFC 6455, 5.2).
func appendFrame(b []byte, parts ...[]byte) []byte {
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

// frameMemory is used again and again.
var frameMemory = sync.Pool{New: func() any { return new([]byte) }}

func returnFrames(b *[]byte) {
	if cap(*b) <= largestKept {
		*b = (*b)[:0]
		frameMemory.Put(b)
	}
}
