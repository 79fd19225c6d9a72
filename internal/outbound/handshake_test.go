package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// rawServer accepts connections and gives each to serve, until the test ends.
func rawServer(t *testing.T, serve func(net.Conn)) netip.AddrPort {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	var done sync.WaitGroup
	done.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			done.Go(func() {
				serve(conn)
				_ = conn.Close()
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		done.Wait()
	})
	return netip.MustParseAddrPort(listener.Addr().String())
}

// A server that does not complete the handshake costs the time of the request; what it sends is bounded, and so is what it sends in another protocol.
func TestTLS_HostileHandshakesEnd(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	a := newAuthority(t)
	roots := x509.NewCertPool()
	roots.AddCert(a.cert)
	cert, key := a.sign(nil)
	config := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
	encrypted := func(then func(c *tls.Conn)) func(net.Conn) {
		return func(c net.Conn) {
			s := tls.Server(c, config)
			if s.Handshake() == nil {
				then(s)
			}
		}
	}
	long := config.Clone()
	long.Certificates = []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}}
	for range 100 {
		long.Certificates[0].Certificate = append(long.Certificates[0].Certificate, make([]byte, 100<<10)) // 10 MB
	}
	settings := []byte{0, 0, 0, 4, 0, 0, 0, 0, 0} // an empty frame SETTINGS of HTTP/2
	for name, tc := range map[string]struct {
		kind  Kind
		serve func(net.Conn)
	}{
		"silent": {Timeout, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }},
		"a byte at a time": {Timeout, func(c net.Conn) {
			head := append([]byte{22, 3, 3, 0x3f, 0xff, 2, 0, 0x3f, 0xfb}, make([]byte, 1<<14)...) // a record with a ServerHello that is too long for the time
			for _, b := range head {
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}},
		"empty records":      {Unreachable, func(c net.Conn) { repeat(c, []byte{22, 3, 3, 0, 0}) }},
		"warnings":           {Unreachable, func(c net.Conn) { repeat(c, []byte{21, 3, 3, 0, 2, 1, 90}) }},
		"certificate":        {Unreachable, func(c net.Conn) { _ = tls.Server(c, long).Handshake() }},
		"HTTP/2":             {TooLarge, encrypted(func(c *tls.Conn) { repeat(c, settings) })},
		"endless first line": {TooLarge, encrypted(func(c *tls.Conn) { repeat(c, []byte(strings.Repeat("H", 1024))) })},
		"endless header": {TooLarge, encrypted(func(c *tls.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX: ")
			repeat(c, []byte(strings.Repeat("a", 1024)))
		})},
		"endless headers": {TooLarge, encrypted(func(c *tls.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"); repeat(c, []byte("X: a\r\n")) })},
		"endless chunk": {TooLarge, encrypted(func(c *tls.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n")
			repeat(c, make([]byte, 1024))
		})},
		"endless extension of a chunk": {Unreachable, encrypted(func(c *tls.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1;")
			repeat(c, []byte(strings.Repeat("x", 1024)))
		})},
		"endless trailer": {Unreachable, encrypted(func(c *tls.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTrailer: X\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n")
			repeat(c, []byte("X: a\r\n"))
		})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := rawServer(t, tc.serve)
			begun := time.Now()
			_, err := get(t, "https://"+at.String()+"/", func(o *Options) {
				o.Allow, o.RootCAs, o.Timeout = []netip.AddrPort{at}, roots, pacetest.Slow*2*time.Second
			})
			requireKind(t, err, tc.kind, "")
			require.Less(t, time.Since(begun), pacetest.Slow*10*time.Second)
		})
	}
}

// repeat writes until the client is gone.
func repeat(w io.Writer, b []byte) {
	for range 100 << 20 / len(b) {
		if _, err := w.Write(b); err != nil {
			return
		}
	}
}
