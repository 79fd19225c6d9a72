package adnl_test

import (
	"crypto/ed25519"
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/adnl"
)

// responseID is the constructor of a response, adnl.message.answer.
const responseID = 0x0fac8416

// rawServer accepts one connection and passes its session to serve.
func rawServer(t *testing.T, serve func(nc net.Conn, ses adnl.Session)) *adnl.Conn {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	id, err := adnl.KeyID(public)
	require.NoError(t, err)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		nc, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = nc.Close() }()
		packet := make([]byte, adnl.HandshakeSize)
		if _, err := io.ReadFull(nc, packet); err != nil {
			return
		}
		ses, err := adnl.Accept(packet, id, private)
		if err != nil {
			return
		}
		if frame, err := ses.SealFrame(nil); err == nil {
			_, _ = nc.Write(frame)
		}
		serve(nc, ses)
	}()
	c, err := adnl.Dial(bounded(t, 10*time.Second), listener.Addr().String(), public)
	require.NoError(t, err)
	t.Cleanup(func() {
		c.Close()
		_ = listener.Close()
		<-ended
	})
	return c
}

// A server that sends one response after the other, without a query, would keep a processor busy and the memory full.
func TestConn_EndlessResponsesEndIt(t *testing.T) {
	t.Parallel()
	payload := make([]byte, 36+4+(1<<20))
	binary.LittleEndian.PutUint32(payload, responseID)
	payload[36] = 0xfe
	payload[37], payload[38], payload[39] = 0, 0, 0x10
	sent := make(chan int, 1)
	c := rawServer(t, func(nc net.Conn, ses adnl.Session) {
		for n := 0; ; n++ {
			payload[4] = byte(n)
			frame, err := ses.SealFrame(payload)
			if err == nil {
				_, err = nc.Write(frame)
			}
			if err != nil || n == 1000 {
				sent <- n
				return
			}
		}
	})
	select {
	case <-c.Done():
	case <-time.After(time.Minute):
		require.FailNow(t, "the connection does not end")
	}
	require.ErrorContains(t, c.Err(), "responses to no query")
	require.Less(t, <-sent, 200, "MiB")
}

// Late responses and pongs are not many: they are skipped until the response to a query comes.
func TestConn_SomeUnrequestedFramesAreIgnored(t *testing.T) {
	t.Parallel()
	c := rawServer(t, func(nc net.Conn, ses adnl.Session) {
		request, err := ses.ReadFrame(nc, adnl.MaxFrame)
		if err != nil {
			return
		}
		response := binary.LittleEndian.AppendUint32(nil, responseID)
		response = append(append(response, request[4:36]...), 3, 'y', 'e', 's')
		for n := range 101 {
			payload := make([]byte, 100<<10)
			if n == 100 {
				payload = response
			}
			frame, err := ses.SealFrame(payload)
			if err != nil {
				return
			}
			if _, err := nc.Write(frame); err != nil {
				return
			}
		}
		_, _ = io.Copy(io.Discard, nc) // until the client closes
	})
	got, err := c.Query(bounded(t, time.Minute), query(t, get(1)))
	require.NoError(t, err)
	require.Equal(t, "yes", string(got))
	require.NoError(t, c.Err())
}
