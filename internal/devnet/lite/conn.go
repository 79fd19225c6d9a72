package lite

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	tonadnl "github.com/xssnick/tonutils-go/adnl"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"

	"tonql/internal/adnl"
)

const (
	maxRequest  = 1 << 20                            // frames of clients; queries are much smaller
	maxResponse = adnl.MaxFrame - adnl.FrameOverhead // clients refuse larger ones
	backlog     = 64                                 // responses that wait for the writer; further ones block their queries
)

// messageQueryID is the constructor of a query envelope. It is parsed by hand, because a query of an unknown type gets
// an error as its response, while other unknown messages end the connection.
var messageQueryID = tl.CRC("adnl.message.query query_id:int256 query:bytes = adnl.Message")

// conn is the connection of one client. serve owns the read side and starts a goroutine for the write side. The queries
// in flight are limited: conn does not read from a client that has used all its slots.
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
		out:   make(chan []byte, backlog),
		slots: make(chan struct{}, defaultPerConnection),
	}
	c.ctx, c.cancel = context.WithCancel(s.ctx)
	return c
}

// close makes both directions fail, so that serve returns.
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
		c.s.log.Debug("liteserver handshake failed", "client", c.nc.RemoteAddr().String(), "err", err)
		return
	}
	c.wg.Go(func() {
		defer c.close()
		if err := ses.WriteFrames(c.nc, c.out, c.ctx.Done(), writeTimeout); err != nil && c.ctx.Err() == nil {
			c.s.log.Debug("liteserver write failed", "client", c.nc.RemoteAddr().String(), "err", err)
		}
	})
	c.send(nil) // an empty frame accepts the handshake
	if err := c.read(ses); err != nil && c.ctx.Err() == nil && !errors.Is(err, io.EOF) {
		c.s.log.Debug("liteserver read failed", "client", c.nc.RemoteAddr().String(), "err", err)
	}
}

func (c *conn) shake() (adnl.Session, error) {
	_ = c.nc.SetReadDeadline(time.Now().Add(handshakeTimeout))
	packet := make([]byte, adnl.HandshakeSize)
	if _, err := io.ReadFull(c.nc, packet); err != nil {
		return adnl.Session{}, err
	}
	ses, err := adnl.Accept(packet, c.s.keyID, c.s.key)
	if err != nil {
		return adnl.Session{}, err
	}
	return ses, c.nc.SetReadDeadline(time.Time{})
}

// read receives messages until the connection ends.
func (c *conn) read(ses adnl.Session) error {
	r := bufio.NewReader(c.nc)
	for {
		payload, err := ses.ReadFrame(r, maxRequest)
		if err != nil {
			return err
		}
		if err := c.receive(payload); err != nil {
			return err
		}
	}
}

// receive handles one ADNL message.
func (c *conn) receive(payload []byte) error {
	if len(payload) == 0 {
		return nil // keepalive
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
		return nil // all clients may send all queries
	default:
		return fmt.Errorf("unexpected ADNL message %T", msg)
	}
}

// receiveQuery starts the work on one query. While the client has too many in flight it blocks, and the connection is
// not read.
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
		response := c.s.query(c.ctx, body)
		if response == nil {
			return
		}
		if _, ok := response.(HangUp); ok {
			c.close()
			return
		}
		if err := c.sendTL(tonadnl.MessageAnswer{ID: id[:], Data: response}); err != nil {
			c.s.log.Warn("liteserver response dropped", "query", fmt.Sprintf("%T", response), "err", err)
			_ = c.sendTL(tonadnl.MessageAnswer{ID: id[:], Data: fail(codeInternal, "cannot serialize the response")})
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
	if len(data) > maxResponse {
		return fmt.Errorf("response of %d bytes, expected at most %d", len(data), maxResponse)
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
