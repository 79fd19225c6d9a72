package outbound

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// largeNameServer is nameServer with responses of any size: over UDP they are truncated, so that the resolver queries it over TCP.
func largeNameServer(t *testing.T, addresses func(name string) []string) *net.Resolver {
	t.Helper()
	small := nameServer(t, func(string) []string { return nil })
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
				defer func() { _ = conn.Close() }()
				for {
					var size [2]byte
					if _, err := io.ReadFull(conn, size[:]); err != nil {
						return
					}
					query := make([]byte, binary.BigEndian.Uint16(size[:]))
					if _, err := io.ReadFull(conn, query); err != nil {
						return
					}
					reply := dnsReply(query, addresses)
					if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		done.Wait()
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		if network == "tcp" {
			return new(net.Dialer).DialContext(ctx, "tcp4", listener.Addr().String())
		}
		conn, err := small.Dial(ctx, network, address)
		return truncating{conn}, err
	}}
}

// truncating is a connection to a name server whose responses have the bit of a truncated one.
type truncating struct{ net.Conn }

func (c truncating) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 2 {
		b[2] |= 0x02
	}
	return n, err
}

// ReadFrom and WriteTo make the resolver send datagrams.
func (c truncating) ReadFrom(b []byte) (int, net.Addr, error) {
	n, err := c.Read(b)
	return n, c.RemoteAddr(), err
}
func (c truncating) WriteTo(b []byte, _ net.Addr) (int, error) { return c.Write(b) }

// Whoever owns a name could make this program connect to a thousand servers of others for each request.
func TestGet_TriesFewAddressesOfAName(t *testing.T) {
	t.Parallel()
	last, reached := privateServer(t, "tcp4", "127.0.0.1:0")
	for count, want := range map[int]int64{maxAddresses: 1, maxAddresses + 1: 0, 1000: 0} {
		var lookups atomic.Int64
		resolver := largeNameServer(t, func(string) []string {
			lookups.Add(1)
			list := make([]string, 0, count)
			for i := range count - 1 {
				list = append(list, fmt.Sprintf("127.1.%d.%d", i>>8, i&0xff))
			}
			return append(list, "127.0.0.1")
		})
		reached.Store(0)
		begun := time.Now()
		_, err := get(t, "http://many.example:"+port(last)+"/", func(o *Options) { o.AllowLoopback, o.Resolver = true, resolver })
		require.Error(t, err)
		require.Equal(t, want, reached.Load(), count)
		require.Positive(t, lookups.Load())
		t.Logf("%d addresses: %s after %s", count, err, time.Since(begun))
	}
	_, err := get(t, "http://many.example:"+port(last)+"/", func(o *Options) {
		o.AnyPort = true
		o.Resolver = largeNameServer(t, func(string) []string {
			return []string{"10.0.0.1", "192.168.0.1", "::1", "64:ff9b::7f00:1", "::ffff:127.0.0.1"}
		})
	})
	requireKind(t, err, Refused, "address")
}

// A name server that never responds, responds with an error or closes the connection costs the time of the request and no more.
func TestGet_NameServersThatFailEndInTime(t *testing.T) {
	t.Parallel()
	const limit = 300 * time.Millisecond
	silent, err := net.ListenPacket("udp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	// A lookup ends a few seconds after the request, with its own timeout, or when its connection is closed.
	ended, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	for name, resolver := range map[string]*net.Resolver{
		"silent": {PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			if ended.Err() != nil {
				return nil, net.ErrClosed
			}
			conn, err := new(net.Dialer).DialContext(ctx, "udp4", silent.LocalAddr().String())
			if err == nil {
				context.AfterFunc(ended, func() { _ = conn.Close() })
			}
			return conn, err
		}},
		"never connects": {PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}},
	} {
		begun := time.Now()
		_, err := get(t, "http://slow.example/", func(o *Options) { o.Timeout, o.Resolver = limit, resolver })
		requireKind(t, err, Timeout, "in time")
		require.Less(t, time.Since(begun), pacetest.Slow*5*time.Second, name)
	}
}
