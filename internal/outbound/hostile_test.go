package outbound

import (
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// publicServer starts a server. Tests allow its address, as if it were a public one; all others of this machine are
// refused.
func publicServer(t *testing.T, h http.Handler) (url string, at netip.AddrPort) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL, netip.MustParseAddrPort(s.Listener.Addr().String())
}

// privateServer starts a server that must never be reached and counts its connections.
func privateServer(t *testing.T, network, address string) (at netip.AddrPort, reached *atomic.Int64) {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil && network == "tcp6" {
		t.Skip("this machine has no IPv6 loopback")
	}
	require.NoError(t, err)
	reached = new(atomic.Int64)
	var done sync.WaitGroup
	done.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			_ = c.Close()
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		done.Wait()
	})
	return netip.MustParseAddrPort(l.Addr().String()), reached
}

// nameServer responds to A and AAAA queries over UDP with the result of addresses, called once for each query.
func nameServer(t *testing.T, addresses func(name string) []string) *net.Resolver {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	require.NoError(t, err)
	var done sync.WaitGroup
	done.Go(func() {
		packet := make([]byte, 1500)
		for {
			n, from, err := socket.ReadFrom(packet)
			if err != nil {
				return
			}
			if reply := dnsReply(packet[:n], addresses); reply != nil {
				_, _ = socket.WriteTo(reply, from)
			}
		}
	})
	t.Cleanup(func() {
		_ = socket.Close()
		done.Wait()
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", socket.LocalAddr().String())
	}}
}

// dnsReply is the response to one query in the layout of RFC 1035.
func dnsReply(q []byte, addresses func(name string) []string) []byte {
	if len(q) < 17 {
		return nil
	}
	var labels []string
	at := 12
	for q[at] != 0 {
		size := int(q[at])
		labels = append(labels, string(q[at+1:at+1+size]))
		at += 1 + size
	}
	end := at + 5 // the root's zero, type, class
	kind := binary.BigEndian.Uint16(q[at+1:])
	var records []byte
	count := uint16(0)
	for _, text := range addresses(strings.ToLower(strings.Join(labels, "."))) {
		a := netip.MustParseAddr(text)
		if (kind == 1 && !a.Is4()) || (kind == 28 && a.Is4()) || (kind != 1 && kind != 28) {
			continue
		}
		count++
		records = append(records, 0xc0, 12) // the name of the query
		records = binary.BigEndian.AppendUint16(records, kind)
		records = append(records, 0, 1, 0, 0, 0, 0) // class, lifetime
		records = binary.BigEndian.AppendUint16(records, uint16(a.BitLen()/8))
		records = append(records, a.AsSlice()...)
	}
	reply := append([]byte{}, q[:2]...)
	reply = append(reply, 0x85, 0x80, 0, 1)
	reply = binary.BigEndian.AppendUint16(reply, count)
	reply = append(reply, 0, 0, 0, 0)
	reply = append(reply, q[12:end]...)
	return append(reply, records...)
}

// get sends a request with the limits of the tests, reduced by change.
func get(t *testing.T, url string, change func(*Options)) (Response, error) {
	t.Helper()
	o := Options{
		Timeout: 5 * time.Second, MaxBody: 64 << 10, MaxRedirects: 3,
		ContentTypes: []string{"application/json", "*/*+json", "text/plain"},
	}
	if change != nil {
		change(&o)
	}
	c := New(o)
	t.Cleanup(c.Close)
	return c.Get(t.Context(), url)
}

func requireKind(t *testing.T, err error, kind Kind, wantText string) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, KindOf(err), err.Error())
	require.ErrorContains(t, err, wantText)
}

func TestGet_RefusesEveryFormOfLoopback(t *testing.T) {
	t.Parallel()
	at, reached := privateServer(t, "tcp4", "127.0.0.1:0")
	for _, host := range []string{"127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "u:p@127.0.0.1", "example.com@127.0.0.1"} {
		_, err := get(t, "http://"+host+":"+port(at)+"/", func(o *Options) { o.AnyPort = true })
		requireKind(t, err, Refused, "")
	}
	require.Zero(t, reached.Load())
}

func TestGet_RefusesEveryFormOfIPv6Loopback(t *testing.T) {
	t.Parallel()
	at, reached := privateServer(t, "tcp6", "[::1]:0")
	for _, host := range []string{"[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:7f00:1]", "[::127.0.0.1]"} {
		_, err := get(t, "http://"+host+":"+port(at)+"/", func(o *Options) { o.AnyPort = true })
		requireKind(t, err, Refused, "")
	}
	require.Zero(t, reached.Load())
}

// The URLs name public hosts; only the connect shows the private addresses.
func TestGet_RefusesNamesOfPrivateAddresses(t *testing.T) {
	t.Parallel()
	at, reached := privateServer(t, "tcp4", "127.0.0.1:0")
	for name, address := range map[string]string{
		"loopback.example": "127.0.0.1", "any.example": "0.0.0.0", "six.example": "::1", "cloud.example": "169.254.169.254",
		"mapped.example": "::ffff:127.0.0.1", "nat.example": "64:ff9b::7f00:1", "lan.example.org": "192.168.0.1",
	} {
		_, err := get(t, "http://"+name+":"+port(at)+"/", func(o *Options) {
			o.AnyPort = true
			o.Resolver = nameServer(t, func(string) []string { return []string{address} })
		})
		requireKind(t, err, Refused, "address")
	}
	require.Zero(t, reached.Load())
}

// A name that resolves to a public address first and to a private one later.
func TestGet_RefusesRebinding(t *testing.T) {
	t.Parallel()
	at, reached := privateServer(t, "tcp4", "127.0.0.1:0")
	var public netip.AddrPort
	url, public := publicServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://rebind.example:"+port(at)+"/second", http.StatusFound)
	}))
	var lookups atomic.Int64
	resolver := nameServer(t, func(string) []string {
		lookups.Add(1)
		return []string{"127.0.0.1"}
	})
	_, err := get(t, strings.Replace(url, "127.0.0.1", "rebind.example", 1), func(o *Options) {
		o.AnyPort, o.Resolver, o.Allow = true, resolver, []netip.AddrPort{public}
	})
	requireKind(t, err, Refused, "loopback address")
	require.Zero(t, reached.Load())
	require.GreaterOrEqual(t, lookups.Load(), int64(2))
}

func TestGet_ChecksTheTargetOfRedirects(t *testing.T) {
	t.Parallel()
	at, reached := privateServer(t, "tcp4", "127.0.0.1:0")
	for location, wantText := range map[string]string{
		"http://127.0.0.1:" + port(at) + "/":          "loopback",
		"http://[::ffff:127.0.0.1]:" + port(at) + "/": "written as IPv6",
		"//127.0.0.1:" + port(at) + "/":               "loopback",
		"http://2130706433:" + port(at) + "/":         "four decimal",
		"http://x@127.0.0.1:" + port(at) + "/":        "user name",
		"http://169.254.169.254/latest/meta-data/":    cloudMetadata,
		"file:///etc/passwd":                          "only http",
		"javascript:alert(1)":                         "only http",
		"http://%zz/":                                 "valid address",
		"/":                                           "circle",
		"http://example.com:25/":                      "port 25",
	} {
		url, public := publicServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Location"] = []string{location}
			w.WriteHeader(http.StatusFound)
		}))
		_, err := get(t, url+"/", func(o *Options) { o.Allow = []netip.AddrPort{public} })
		requireKind(t, err, Refused, wantText)
	}
	require.Zero(t, reached.Load())
}

func port(at netip.AddrPort) string {
	_, p, _ := net.SplitHostPort(at.String())
	return p
}
