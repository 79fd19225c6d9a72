package outbound

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// transport opens connections that the policy allows and no others. It speaks HTTP/1.1 only, whose bounds are few and
// simple, and shares connections between requests: each was checked when it was opened.
func transport(o Options, p policy) *http.Transport {
	dialer := &net.Dialer{
		Timeout:   o.Timeout,
		KeepAlive: -1, // requests are short
		Resolver:  o.Resolver,
		// Control runs after the name was resolved and before the socket connects, for every address tried.
		Control: func(network, address string, _ syscall.RawConn) error {
			target, err := netip.ParseAddrPort(address)
			if err != nil || !strings.HasPrefix(network, "tcp") {
				return refusef("no address of the Internet")
			}
			return p.checkTarget(target)
		},
	}
	return &http.Transport{
		Proxy: nil, // a proxy would connect in our stead, unchecked
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, rooted(address))
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
