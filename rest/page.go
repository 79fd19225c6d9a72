package rest

import (
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"time"

	"tonql/internal/access"
	"tonql/rest/handler"
)

const (
	// pageCookie holds the token of a page. Scripts of the page cannot read it, and pages of other sites cannot send it.
	pageCookie = "tonql_page"
	// pageScope is the only path it is sent to.
	pageScope = "/graphql"
)

// admit asks the gate about a request: by its key, or by the token of the page that sent it, or by its address alone.
func admit(gate *access.Limiter, r *http.Request, secret string, client netip.Addr) access.Decision {
	if secret == "" && r.URL.Path == pageScope {
		if c, err := r.Cookie(pageCookie); err == nil && sameOrigin(r) {
			return gate.AdmitPage(r.Context(), c.Value, client)
		}
	}
	return gate.Admit(r.Context(), secret, client)
}

// sameOrigin reports whether a browser says that a page of this site sent the request. Sec-Fetch-Site is preferred: a page
// cannot set it, and it is right behind a proxy that changes Host. Browsers send it to secure origins only; Origin comes
// with every POST and WebSocket handshake.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && strings.EqualFold(origin.Host, r.Host)
}

// pageSession gives whoever loads one of our own pages a token for the requests of that page. A page renews it by a HEAD
// request for itself.
func pageSession(gate *access.Limiter, proxies []netip.Prefix, next http.Handler) http.Handler {
	if gate == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Addresses with a dot are files of the page.
		if !strings.Contains(path.Base(r.URL.Path), ".") && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			if token, ttl := gate.PageToken(handler.Client(r, proxies)); token != "" {
				http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure follows the connection: pages are served over http too, on loopback and behind proxies
					Name: pageCookie, Value: token, Path: pageScope, MaxAge: int(ttl / time.Second),
					HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
				})
			}
		}
		next.ServeHTTP(w, r)
	})
}
