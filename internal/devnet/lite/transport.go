package lite

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/adnl"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
)

const (
	frameOverhead = 64       // 32-byte nonce before the payload, 32-byte SHA-256 after it
	maxRequest    = 1 << 20  // no query of the protocol comes near it
	maxAnswer     = 16 << 20 // what clients are willing to read
	answerBacklog = 64       // answers waiting for the writer; more block their queries, not the server
)

// messageQueryID is the constructor of a query envelope. It is taken apart by
// hand: a query of unknown type must be answered, not end the connection.
var messageQueryID = tl.CRC("adnl.message.query query_id:int256 query:bytes = adnl.Message")

// conn is one client. serve owns the read side, a goroutine it starts the write
// side; queries in flight are bounded by slots, and a client that has used them
// all is simply not read from.
type conn struct {
	s      *Server
	nc     net.Conn
	ctx    context.Context
	cancel context.CancelFunc
	out    chan []byte
	slots  chan struct{}
	wg     sync.WaitGroup
}

func newConn(s *Server, nc net.Conn) *conn {
	c := &conn{
		s:     s,
		nc:    nc,
		out:   make(chan []byte, answerBacklog),
		slots: make(chan struct{}, defaultPerConnection),
	}
	c.ctx, c.cancel = context.WithCancel(s.ctx)
	return c
}

// close makes both directions fail; serve then winds the connection up.
func (c *conn) close() {
	c.cancel()
	_ = c.nc.Close()
}

// serve runs the connection until either side ends it.
func (c *conn) serve() {
	defer c.wg.Wait()
	defer c.close()

	ses, err := c.shake()
	if err != nil {
		c.s.log.Debug("liteserver handshake", "client", c.nc.RemoteAddr(), "err", err)
		return
	}
	c.wg.Go(func() {
		defer c.close()
		if err := c.write(ses); err != nil && c.ctx.Err() == nil {
			c.s.log.Debug("liteserver write", "client", c.nc.RemoteAddr(), "err", err)
		}
	})
	c.send(nil) // an empty frame tells the client that the handshake is accepted
	if err := c.read(ses); err != nil && c.ctx.Err() == nil && !errors.Is(err, io.EOF) {
		c.s.log.Debug("liteserver read", "client", c.nc.RemoteAddr(), "err", err)
	}
}

func (c *conn) shake() (session, error) {
	_ = c.nc.SetReadDeadline(time.Now().Add(handshakeTimeout))
	packet := make([]byte, handshakeSize)
	if _, err := io.ReadFull(c.nc, packet); err != nil {
		return session{}, err
	}
	ses, err := acceptHandshake(packet, c.s.keyID, c.s.key)
	if err != nil {
		return session{}, err
	}
	return ses, c.nc.SetReadDeadline(time.Time{})
}

// read decrypts frames and hands their payloads on until the connection ends.
func (c *conn) read(ses session) error {
	r := bufio.NewReader(c.nc)
	var head [4]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return err
		}
		ses.in.XORKeyStream(head[:], head[:])
		size := binary.LittleEndian.Uint32(head[:])
		if size < frameOverhead || size > maxRequest {
			return fmt.Errorf("frame of %d bytes", size)
		}
		frame := make([]byte, size)
		if _, err := io.ReadFull(r, frame); err != nil {
			return err
		}
		ses.in.XORKeyStream(frame, frame)
		body, sum := frame[:size-32], frame[size-32:]
		if sha256.Sum256(body) != [32]byte(sum) {
			return errors.New("frame checksum does not match")
		}
		if err := c.receive(body[32:]); err != nil {
			return err
		}
	}
}

// receive handles one ADNL message.
func (c *conn) receive(payload []byte) error {
	if len(payload) == 0 {
		return nil // keep-alive
	}
	if len(payload) >= 36 && binary.LittleEndian.Uint32(payload) == messageQueryID {
		return c.receiveQuery([32]byte(payload[4:36]), payload[36:])
	}
	var msg tl.Serializable
	if _, err := tl.Parse(&msg, payload, true); err != nil {
		return fmt.Errorf("ADNL message: %w", err)
	}
	switch m := msg.(type) {
	case liteclient.TCPPing:
		return c.sendTL(liteclient.TCPPong(m))
	case liteclient.TCPAuthenticate:
		nonce := make([]byte, 32)
		_, _ = rand.Read(nonce)
		return c.sendTL(liteclient.TCPAuthenticationNonce{Nonce: nonce})
	case liteclient.TCPAuthenticationComplete:
		return nil // every client may ask everything
	default:
		return fmt.Errorf("ADNL message %T", msg)
	}
}

// receiveQuery starts the work on one query. It blocks while the client has too
// many in flight, which stops reading from that client only.
func (c *conn) receiveQuery(id [32]byte, raw []byte) error {
	body, _, err := tl.FromBytes(raw)
	if err != nil {
		return fmt.Errorf("ADNL query: %w", err)
	}
	select {
	case c.slots <- struct{}{}:
	case <-c.ctx.Done():
		return c.ctx.Err()
	}
	c.wg.Go(func() {
		defer func() { <-c.slots }()
		answer := c.s.query(c.ctx, body)
		if answer == nil {
			return
		}
		if _, ok := answer.(HangUp); ok {
			c.close()
			return
		}
		if err := c.sendTL(adnl.MessageAnswer{ID: id[:], Data: answer}); err != nil {
			c.s.log.Warn("liteserver answer", "type", fmt.Sprintf("%T", answer), "err", err)
			_ = c.sendTL(adnl.MessageAnswer{ID: id[:], Data: fail(codeInternal, "cannot serialize the answer")})
		}
	})
	return nil
}

// sendTL queues a message for the writer. It waits while the backlog is full.
func (c *conn) sendTL(msg tl.Serializable) error {
	data, err := tl.Serialize(msg, true)
	if err != nil {
		return fmt.Errorf("TL %T: %w", msg, err)
	}
	if len(data) > maxAnswer-frameOverhead {
		return fmt.Errorf("answer of %d bytes is too large", len(data))
	}
	c.send(data)
	return nil
}

func (c *conn) send(payload []byte) {
	select {
	case c.out <- payload:
	case <-c.ctx.Done():
	}
}

// write encrypts and sends queued payloads, flushing whenever none is waiting.
func (c *conn) write(ses session) error {
	w := bufio.NewWriterSize(c.nc, 64<<10)
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
			case <-c.ctx.Done():
				return nil
			}
		}
		_ = c.nc.SetWriteDeadline(time.Now().Add(writeTimeout))
		if _, err := w.Write(seal(ses, payload)); err != nil {
			return err
		}
	}
}

// seal builds and encrypts one frame.
func seal(ses session, payload []byte) []byte {
	frame := make([]byte, 4+frameOverhead+len(payload))
	binary.LittleEndian.PutUint32(frame, uint32(frameOverhead+len(payload)))
	_, _ = rand.Read(frame[4:36])
	copy(frame[36:], payload)
	sum := sha256.Sum256(frame[4 : 36+len(payload)])
	copy(frame[36+len(payload):], sum[:])
	ses.out.XORKeyStream(frame, frame)
	return frame
}
