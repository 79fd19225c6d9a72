package rest

import (
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tonql/internal/access"
	"tonql/rest/docs"
	"tonql/rest/handler"
	v2 "tonql/rest/v2"
	v3 "tonql/rest/v3"
)

// Where a key is read from.
const (
	keyHeader    = "X-API-Key"
	keyParameter = "api_key"
	hintHeader   = "X-API-Key-Hint"
)

// merchantPrefix is where the API of merchants is.
const merchantPrefix = "/api/merchant/v1"

// refusal is how one outcome is answered. The sentences are those of the published services, which clients look for.
type refusal struct {
	status   int
	sentence string
	code     string // in GraphQL
}

var refusals = map[access.Outcome]refusal{
	access.Limited: {http.StatusTooManyRequests, "Ratelimit exceed", "RATE_LIMITED"},
	access.Unknown: {http.StatusUnauthorized, "API key does not exist", "UNAUTHENTICATED"},
	access.Foreign: {http.StatusForbidden, "Network not allowed", "FORBIDDEN"},
	access.Broken:  {http.StatusServiceUnavailable, "API keys cannot be checked now; try again in a moment", "UNAVAILABLE"},
}

// admission lets requests through a door that the gate admits. Health, metrics and pages have no gate: an operator's
// probes must not depend on a stranger's appetite.
func admission(gate *access.Limiter, proxies []netip.Prefix, next http.Handler) http.Handler {
	if gate == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if docs.IsRequest(r, v3.Prefix) || docs.IsRequest(r, v2.Prefix) {
			next.ServeHTTP(w, r) // a page, like the explorer's
			return
		}
		secret, hint := keyOf(r)
		d := admit(gate, r, secret, handler.Client(r, proxies))
		h := w.Header()
		if hint != "" {
			h.Set(hintHeader, hint)
		}
		if d.Rate > 0 {
			h.Set("RateLimit-Policy", d.Policy())
			h.Set("RateLimit", d.State())
		}
		if refuse, refused := refusals[d.Outcome]; refused {
			if d.Wait > 0 {
				h.Set("Retry-After", strconv.Itoa(seconds(d.Wait)))
			}
			handler.RecordOf(r.Context()).Route = gated(r.URL.Path)
			writeRefusal(w, r.URL.Path, refuse)
			return
		}
		next.ServeHTTP(w, r.WithContext(access.WithTicket(r.Context(), d.Ticket)))
	})
}

// seconds rounds up: who comes back after that many finds a token.
func seconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// keyOf finds the key of a request. A key that was sent under a name that nobody reads is not used; hint says so.
func keyOf(r *http.Request) (secret, hint string) {
	if secret = strings.TrimSpace(r.Header.Get(keyHeader)); secret != "" {
		return secret, ""
	}
	raw := r.URL.RawQuery
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		name, value, _ := strings.Cut(pair, "=")
		if name == keyParameter {
			if text, err := url.QueryUnescape(value); err == nil && text != "" {
				return text, ""
			}
			continue
		}
		if looksLikeKey(name) {
			hint = misspelled(strconv.Quote("?" + name))
		}
	}
	for _, name := range [...]string{"Api-Key", "Apikey", "X-Apikey", "X-Ton-Api-Key", "Authorization"} {
		if hint == "" && r.Header.Get(name) != "" {
			hint = misspelled("the header " + name)
		}
	}
	return "", hint
}

// looksLikeKey knows the other spellings of api_key.
func looksLikeKey(name string) bool {
	const longest = len("x_api_key")
	if len(name) > longest || len(name) < len("apikey") {
		return false
	}
	plain := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
	return plain == "apikey" || plain == "xapikey"
}

func misspelled(where string) string {
	return "the key is read from the header " + keyHeader + " or the parameter " + keyParameter + ", not from " + where
}

// gated is the route of a refused request: its door, since the gate stands before the door's own table.
func gated(path string) string {
	for _, door := range [...]string{v3.Prefix, v2.Prefix, merchantPrefix} {
		if strings.HasPrefix(path, door+"/") {
			return door + "/*"
		}
	}
	return "/graphql"
}

// writeRefusal answers in the form of the door. The texts are ours and need no escaping.
func writeRefusal(w http.ResponseWriter, path string, r refusal) {
	code := strconv.Itoa(r.status)
	var body string
	switch gated(path) {
	case v2.Prefix + "/*":
		// Clients of the older services look for the text in either of two places.
		body = `{"ok":false,"error":"` + r.sentence + `","result":"` + r.sentence + `","code":` + code + `}`
	case v3.Prefix + "/*", merchantPrefix + "/*":
		body = `{"error":"` + r.sentence + `","code":` + code + `}`
	default:
		body = `{"errors":[{"message":"` + r.sentence + `","extensions":{"code":"` + r.code + `"}}]}`
	}
	writeJSON(w, r.status, []byte(body))
}
