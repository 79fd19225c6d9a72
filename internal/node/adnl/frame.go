package adnl

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/xssnick/tonutils-go/tl"
)

const (
	frameOverhead = 64       // nonce and checksum
	maxFrame      = 16 << 20 // no answer of a liteserver comes near it
)

// readFrame reads, decrypts and checks one frame and returns its payload, empty for a keep-alive.
func readFrame(r *bufio.Reader, ses session) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	ses.in.XORKeyStream(head[:], head[:])
	size := binary.LittleEndian.Uint32(head[:])
	if size < frameOverhead || size > maxFrame {
		return nil, fmt.Errorf("frame of %d bytes", size)
	}
	frame := make([]byte, size) // never reused: cells of the answer keep pointing into it
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, err
	}
	ses.in.XORKeyStream(frame, frame)
	body, sum := frame[:size-32], frame[size-32:]
	if sha256.Sum256(body) != [32]byte(sum) {
		return nil, errors.New("the checksum of a frame does not fit")
	}
	return body[32:], nil
}

// sealFrame builds and encrypts one frame.
func sealFrame(ses session, payload []byte) ([]byte, error) {
	frame := make([]byte, 4+frameOverhead+len(payload))
	binary.LittleEndian.PutUint32(frame, uint32(frameOverhead+len(payload)))
	if _, err := rand.Read(frame[4:36]); err != nil {
		return nil, fmt.Errorf("frame nonce: %w", err)
	}
	copy(frame[36:], payload)
	sum := sha256.Sum256(frame[4 : 36+len(payload)])
	copy(frame[36+len(payload):], sum[:])
	ses.out.XORKeyStream(frame, frame)
	return frame, nil
}

// read hands answers to the queries that wait for them until the connection breaks.
func (c *Conn) read(r *bufio.Reader, ses session) error {
	for {
		_ = c.nc.SetReadDeadline(time.Now().Add(idleTimeout))
		payload, err := readFrame(r, ses)
		if err != nil {
			return err
		}
		if len(payload) < 36 || binary.LittleEndian.Uint32(payload) != answerID {
			continue // pongs and keep-alives; having been read they have done their work
		}
		body, _, err := tl.FromBytesNoCopy(payload[36:])
		if err != nil {
			return fmt.Errorf("answer: %w", err)
		}
		c.deliver([32]byte(payload[4:36]), body)
	}
}

func (c *Conn) deliver(id [32]byte, body []byte) {
	c.mu.Lock()
	answer := c.waiting[id]
	delete(c.waiting, id) // a second answer to the same query is nobody's
	c.mu.Unlock()
	if answer != nil {
		answer <- body
	}
}

// write encrypts and sends what is queued, flushing whenever nothing more waits.
func (c *Conn) write(ses session) error {
	w := bufio.NewWriterSize(c.nc, 16<<10)
	for {
		var payload []byte
		select {
		case payload = <-c.out:
		default:
			if err := w.Flush(); err != nil {
				return err
			}
			select {
			case payload = <-c.out:
			case <-c.done:
				return nil
			}
		}
		frame, err := sealFrame(ses, payload)
		if err != nil {
			return err
		}
		_ = c.nc.SetWriteDeadline(time.Now().Add(writeTimeout))
		if _, err := w.Write(frame); err != nil {
			return err
		}
	}
}

// ping keeps the connection alive through middle boxes and lets read notice a silent server.
func (c *Conn) ping() {
	t := time.NewTicker(pingEvery)
	defer t.Stop()
	for n := uint64(1); ; n++ {
		select {
		case <-t.C:
		case <-c.done:
			return
		}
		message := binary.LittleEndian.AppendUint32(nil, pingID)
		message = binary.LittleEndian.AppendUint64(message, n)
		select {
		case c.out <- message:
		case <-c.done:
			return
		}
	}
}
