package nodetest

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
)

// wireChunk is the number of bytes that a slow wire passes on at once.
const wireChunk = 16 << 10

// Wire is a TCP connection to a liteserver whose way back is slow or breaks. It passes encrypted bytes and does not know
// what they are. It ends with its test.
type Wire struct {
	listener net.Listener
	upstream liteclient.LiteserverConfig
	done     chan struct{} // closed by close
	wg       sync.WaitGroup

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]bool
	rate   int // bytes per second; 0: unlimited
	cut    int // a connection breaks after so many bytes; 0: never
	cuts   int
}

// NewWire starts a wire to a liteserver, given its entry of a global configuration.
func NewWire(t testing.TB, upstream liteclient.LiteserverConfig) *Wire {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w := &Wire{listener: listener, upstream: upstream, done: make(chan struct{}), conns: map[net.Conn]bool{}}
	w.wg.Go(w.accept)
	t.Cleanup(w.close)
	return w
}

// Liteserver returns the wire's entry in a global configuration.
func (w *Wire) Liteserver() liteclient.LiteserverConfig {
	entry := w.upstream
	tcp := w.listener.Addr().(*net.TCPAddr)
	entry.IP, entry.Port = int64(int32(binary.BigEndian.Uint32(tcp.IP.To4()))), tcp.Port
	return entry
}

// Slow limits the rate of bytes from the server; 0 removes the limit.
func (w *Wire) Slow(bytesPerSecond int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rate = bytesPerSecond
}

// CutAfter resets every new connection after n bytes from the server, wherever that is in a response; 0 stops it.
func (w *Wire) CutAfter(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = n
}

// Cuts returns the number of connections that were reset.
func (w *Wire) Cuts() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cuts
}

func (w *Wire) accept() {
	for {
		client, err := w.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.DialTimeout("tcp", w.address(), upstreamTimeout) //nolint:noctx // loopback
		if err != nil {
			_ = client.Close()
			continue
		}
		if !w.own(client) || !w.own(server) {
			_, _ = client.Close(), server.Close()
			return
		}
		w.wg.Go(func() { w.pass(client, server, false) })
		w.wg.Go(func() { w.pass(server, client, true) })
	}
}

func (w *Wire) address() string {
	addr, _, err := endpoint(w.upstream)
	if err != nil {
		return ""
	}
	return addr
}

// own makes close responsible for a connection; false when the wire is closed already.
func (w *Wire) own(c net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns[c] = true
	return !w.closed
}

// pass copies bytes from one connection to the other until one of them ends.
func (w *Wire) pass(from, to net.Conn, back bool) {
	defer w.drop(from)
	defer w.drop(to)
	buffer := make([]byte, 64<<10)
	var next time.Time // when the next bytes may pass
	for passed := 0; ; {
		w.mu.Lock()
		rate, cut := w.rate, w.cut
		w.mu.Unlock()
		size := len(buffer)
		if back && rate > 0 {
			size = wireChunk
		}
		n, err := from.Read(buffer[:size])
		if back && cut > 0 && passed+n > cut {
			_, _ = to.Write(buffer[:max(0, cut-passed)])
			w.reset(to)
			return
		}
		if back && rate > 0 && n > 0 {
			if now := time.Now(); now.Sub(next) > time.Second {
				next = now // the link was idle
			}
			next = next.Add(time.Duration(n) * time.Second / time.Duration(rate))
			select {
			case <-time.After(time.Until(next)):
			case <-w.done:
			}
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
		passed += n
	}
}

// reset closes a connection with a TCP reset.
func (w *Wire) reset(c net.Conn) {
	w.mu.Lock()
	w.cuts++
	w.mu.Unlock()
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

func (w *Wire) drop(c net.Conn) {
	_ = c.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, c)
}

func (w *Wire) close() {
	w.mu.Lock()
	w.closed = true
	for c := range w.conns {
		_ = c.Close()
	}
	w.mu.Unlock()
	close(w.done)
	_ = w.listener.Close()
	w.wg.Wait()
}

// Dead returns entries of liteservers that never become usable, n of each kind: the port refuses connections; nothing
// responds to a connection; it is accepted, but the handshake has no response; the handshake succeeds, but no query has a
// response.
func Dead(t testing.TB, n int) []liteclient.LiteserverConfig {
	t.Helper()
	var dead []liteclient.LiteserverConfig
	for range n {
		mute := Serve(t, Stall().handler())
		key, err := base64.StdEncoding.DecodeString(mute.Liteserver().ID.Key)
		require.NoError(t, err)

		silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = silent.Close() })

		closed, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, closed.Close())
		dead = append(dead, mute.Liteserver(), Liteserver(silent.Addr(), key), Liteserver(closed.Addr(), key),
			Liteserver(blackHole(t), key))
	}
	return dead
}

// handler responds with the fault alone.
func (f Fault) handler() Handler {
	return func(ctx context.Context, query tl.Serializable) tl.Serializable { return f(ctx, query, nil) }
}
