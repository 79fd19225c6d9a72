package handler

import (
	"net/http"
	"net/netip"

	"tonql/internal/access"
)

// Client is the address that a request comes from: the other end of the connection or, behind trusted proxies, what these
// wrote into X-Forwarded-For. Every limit by address uses it. The zero address stands for all clients of a Unix socket.
func Client(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return access.ClientOf(peer.Addr(), r.Header.Values("X-Forwarded-For"), trusted)
}
