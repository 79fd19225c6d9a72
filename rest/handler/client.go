package handler

import (
	"net/http"
	"net/netip"

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
