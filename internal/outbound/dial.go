package outbound

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// maxAddresses bounds the addresses of a name, of each family, to which one connect tries to connect: otherwise who owns a name could have a thousand servers of
// others contacted by each request.
const maxAddresses = 16

// tried counts the addresses of a connect by family: where one family has no route, all of its addresses fail, and those of the other one are tried. Both are tried
// at the same time.
type tried struct{ four, six atomic.Int64 }

type triedKey struct{}

// next counts an address. It returns false when there were too many.
func (t *tried) next(a netip.Addr) bool {
	n := &t.six
	if a.Unmap().Is4() {
		n = &t.four
	}
	return n.Add(1) <= maxAddresses
}

// transport opens connections that the policy allows and no others. It speaks HTTP/1.1 only, whose bounds are few and
// simple, and shares connections between requests: each was checked when it was opened.
func transport(o Options, p policy) *http.Transport {
	dialer := &net.Dialer{
		Timeout:   o.Timeout,
		KeepAlive: -1, // requests are short
		Resolver:  o.Resolver,
		// ControlContext runs after the name was resolved and before the socket connects, for every address tried.
		ControlContext: func(ctx context.Context, network, address string, _ syscall.RawConn) error {
			target, err := netip.ParseAddrPort(address)
			if err != nil || !strings.HasPrefix(network, "tcp") {
				return refusef("no address of the Internet")
			}
			if err := p.checkTarget(target); err != nil {
				return err
			}
			if n, ok := ctx.Value(triedKey{}).(*tried); ok && !n.next(target.Addr()) {
				return refusef("the host has more than %d addresses, and none of the first is reachable", maxAddresses)
			}
			return nil
		},
	}
	return &http.Transport{
		Proxy: nil, // a proxy would connect in our stead, unchecked
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return dialer.DialContext(context.WithValue(ctx, triedKey{}, new(tried)), network, rooted(address))
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		TLSHandshakeTimeout:    o.Timeout,
		ResponseHeaderTimeout:  o.Timeout,
		DisableCompression:     true, // decompressing is bounded by ourselves
		MaxResponseHeaderBytes: o.MaxHeader,
		MaxConnsPerHost:        o.MaxConnsPerHost,
		MaxIdleConnsPerHost:    o.MaxIdlePerHost,
		MaxIdleConns:           max(32, o.MaxIdlePerHost),
		IdleConnTimeout:        15 * time.Second,
	}
}

// rooted ends a host's name with the dot of the root, so that no resolver completes it with a domain of ours.
func rooted(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil || strings.HasSuffix(host, ".") {
		return address
	}
	// The file of hosts knows localhost without a dot.
	if _, err := netip.ParseAddr(host); err == nil || strings.HasSuffix(strings.ToLower(host), "localhost") {
		return address
	}
	return net.JoinHostPort(host+".", port)
}
