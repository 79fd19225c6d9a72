package adnl

import (
	"bufio"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

const (
	nonceSize    = 32
	checksumSize = sha256.Size
	// FrameOverhead is the number of bytes in a frame beside its length and its payload.
	FrameOverhead = nonceSize + checksumSize
	// MaxFrame is the largest frame that clients read. Responses of liteservers are much smaller.
	MaxFrame = 16 << 20
)

// Session encrypts and decrypts the two directions of a connection. One goroutine may read while another writes; each
// direction belongs to one goroutine.
type Session struct {
	in, out cipher.Stream
}

// ReadFrame reads one frame of at most limit bytes and returns its payload, which is empty for a keepalive. The caller
// owns the payload.
func (s Session) ReadFrame(r io.Reader, limit uint32) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	s.in.XORKeyStream(head[:], head[:])
	size := binary.LittleEndian.Uint32(head[:])
	if size < FrameOverhead || size > limit {
		return nil, fmt.Errorf("frame of %d bytes, expected %d to %d", size, FrameOverhead, limit)
	}
	frame := make([]byte, size) // not reused: cells of the response refer to it
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, err
	}
	s.in.XORKeyStream(frame, frame)
	body, sum := frame[:size-checksumSize], frame[size-checksumSize:]
	if sha256.Sum256(body) != [checksumSize]byte(sum) {
		return nil, errors.New("frame checksum does not match")
	}
	return body[nonceSize:], nil
}

// SealFrame returns payload as an encrypted frame. Frames must be sent in the order in which they were sealed.
func (s Session) SealFrame(payload []byte) ([]byte, error) {
	frame := make([]byte, 4+FrameOverhead+len(payload))
	binary.LittleEndian.PutUint32(frame, uint32(FrameOverhead+len(payload)))
	body := frame[4 : 4+nonceSize+len(payload)]
	if _, err := rand.Read(body[:nonceSize]); err != nil {
		return nil, fmt.Errorf("frame nonce: %w", err)
	}
	copy(body[nonceSize:], payload)
	sum := sha256.Sum256(body)
	copy(frame[4+len(body):], sum[:])
	s.out.XORKeyStream(frame, frame)
	return frame, nil
}

// WriteFrames sends payloads from queue as frames and flushes whenever the queue is empty. It returns nil when done is
// closed, and an error when one write fails or takes longer than timeout.
func (s Session) WriteFrames(nc net.Conn, queue <-chan []byte, done <-chan struct{}, timeout time.Duration) error {
	w := bufio.NewWriterSize(nc, 64<<10)
	for {
		var payload []byte
		select {
		case payload = <-queue:
		default:
			if err := w.Flush(); err != nil {
				return err
			}
			select {
			case payload = <-queue:
			case <-done:
				return nil
			}
		}
		frame, err := s.SealFrame(payload)
		if err != nil {
			return err
		}
		_ = nc.SetWriteDeadline(time.Now().Add(timeout))
		if _, err := w.Write(frame); err != nil {
			return err
		}
	}
}
