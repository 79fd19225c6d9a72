package graphql

import (
	"net/http"
	"net/netip"

	"tonql/rest/handler"
)

// clientOf is the address that a request comes from.
func (h *Handler) clientOf(r *http.Request) netip.Addr { return handler.Client(r, h.opts.Proxies) }
