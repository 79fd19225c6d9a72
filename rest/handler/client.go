package handler

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"tonql/internal/access"
)

// Client returns the address of the client: the remote address of the connection or, if that is a trusted proxy, the
// address from X-Forwarded-For. All limits per address use it. It is the zero address for all clients of a Unix socket.
func Client(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return access.ClientOf(peer.Addr(), r.Header.Values("X-Forwarded-For"), trusted)
}

// FromProxy reports whether a request was sent by a trusted proxy. It is false for all clients of a Unix socket.
func FromProxy(r *http.Request, trusted []netip.Prefix) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && access.IsProxy(peer.Addr(), trusted)
}

// Secure reports whether the browser of a client is connected by TLS: to this server, to a trusted proxy that says so in X-Forwarded-Proto, or to the host of
// public, the URL of the service, if that has https; "" for none.
func Secure(r *http.Request, trusted []netip.Prefix, public string) bool {
	if r.TLS != nil {
		return true
	}
	if FromProxy(r, trusted) {
		// Proxies that append to the list of an earlier one leave that of the browser's connection in front.
		scheme, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
		if strings.EqualFold(strings.TrimSpace(scheme), "https") {
			return true
		}
	}
	u, err := url.Parse(public)
	return err == nil && u.Scheme == "https" && strings.EqualFold(u.Host, r.Host)
}
