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
	// pageCookie is the cookie of the page token: HttpOnly and SameSite=Strict.
	pageCookie = "tonql_page"
	// pageScope is the path of the API that the cookie is sent to. It is sent to imagesPrefix too.
	pageScope = "/graphql"
)

// admit decides about a request by its API key, by the token of the page that sent it, or by the client address alone.
func admit(limiter *access.Limiter, r *http.Request, secret string, client netip.Addr) access.Decision {
	if secret == "" && (r.URL.Path == pageScope || isImage(r)) {
		if c, err := r.Cookie(pageCookie); err == nil && sameOrigin(r) {
			return limiter.AdmitPage(r.Context(), c.Value, client)
		}
	}
	return limiter.Admit(r.Context(), secret, client)
}

// isImage reports whether r requests an image of a token. Elements of a page request images with GET and without an Origin, so
// to insecure origins with nothing that names the page: the cookie, which is SameSite=Strict, decides then.
func isImage(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, imagesPrefix+"/") }

// sameOrigin reports whether a page of this origin sent the request. Sec-Fetch-Site has precedence: pages cannot set it, and
// it is correct behind a proxy that changes Host. Browsers send it to secure origins only; every POST and WebSocket
// handshake carries Origin.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	if isImage(r) && r.Header.Get("Origin") == "" {
		return true
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && strings.EqualFold(origin.Host, r.Host)
}

// pageSession sets the cookie with a page token when a client loads one of the gateway's own pages. The page renews the
// token by a HEAD request for itself. public is the public URL of the service, "" for none.
func pageSession(limiter *access.Limiter, proxies []netip.Prefix, public string, next http.Handler) http.Handler {
	if limiter == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Paths with a dot are assets of the page.
		if !strings.Contains(path.Base(r.URL.Path), ".") && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			if token, ttl := limiter.PageToken(handler.Client(r, proxies)); token != "" {
				secure := handler.Secure(r, proxies, public)
				for _, scope := range []string{pageScope, imagesPrefix} {
					http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure follows the connection: pages are served over http too, on loopback and behind proxies
						Name: pageCookie, Value: token, Path: scope, MaxAge: int(ttl / time.Second),
						HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode,
					})
				}
			}
		}
		next.ServeHTTP(w, r)
	})
}
