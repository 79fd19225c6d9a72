package rest

import (
	"errors"
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
	"tonql/rest/streaming"
	v2 "tonql/rest/v2"
	v3 "tonql/rest/v3"
)

// Names of the header and the parameter that carry an API key, and of the header that points out a misspelt name.
const (
	keyHeader    = "X-API-Key"
	keyParameter = "api_key"
	hintHeader   = "X-API-Key-Hint"
)

// merchantPrefix is the path of the merchant API.
const merchantPrefix = "/api/merchant/v1"

// refusal is the response to a refused request. The sentences are those of the published services, which clients match on.
type refusal struct {
	status   int
	sentence string
	code     string // in GraphQL
}

// imagesPrefix is the path of the images of tokens, which pages of the gateway request with their token.
const imagesPrefix = "/api/images"

var errBroken = errors.New("the store of API keys cannot be read")

var refusals = map[access.Outcome]refusal{
	access.Limited: {http.StatusTooManyRequests, "Ratelimit exceed", "RATE_LIMITED"},
	access.Unknown: {http.StatusUnauthorized, "API key does not exist", "UNAUTHENTICATED"},
	access.Foreign: {http.StatusForbidden, "Network not allowed", "FORBIDDEN"},
	access.Broken:  {http.StatusServiceUnavailable, "API keys cannot be checked now; try again later", "UNAVAILABLE"},
}

// admission passes the requests that limiter admits to next and refuses the others. Health, metrics and pages are not
// limited, so that probes do not depend on the load of clients.
func admission(limiter *access.Limiter, proxies []netip.Prefix, next http.Handler) http.Handler {
	if limiter == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if docs.IsRequest(r, v3.Prefix) || docs.IsRequest(r, v2.Prefix) || docs.IsRequest(r, v3.EmulationPrefix) {
			next.ServeHTTP(w, r) // a documentation page
			return
		}
		secret, hint := keyOf(r)
		d := admit(limiter, r, secret, handler.Client(r, proxies))
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
			rec := handler.RecordOf(r.Context())
			rec.Route = refusedRoute(r.URL.Path)
			if d.Outcome == access.Broken {
				rec.Err = errBroken
			}
			writeRefusal(w, r.URL.Path, refuse)
			return
		}
		rec := handler.RecordOf(r.Context())
		defer func() { rec.Cost = d.Ticket.Cost() }()
		next.ServeHTTP(w, r.WithContext(access.WithTicket(r.Context(), d.Ticket)))
	})
}

// seconds rounds d up to seconds, so that a client that waits as long finds a token.
func seconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// keyOf returns the API key of a request, "" for none. hint is set when the request carries a key under another name, which
// is not used.
func keyOf(r *http.Request) (secret, hint string) {
	if isStreaming(r.URL.Path) {
		if secret = streaming.SecretOf(r); secret != "" {
			return secret, ""
		}
	}
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

// isStreaming reports whether path belongs to the streaming API.
func isStreaming(path string) bool {
	return strings.HasPrefix(path, streaming.Prefix+"/") || strings.HasPrefix(path, streaming.ShortPrefix+"/")
}

// looksLikeKey reports whether name is another spelling of api_key.
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

// refusedRoute returns the route of a refused request for logs and metrics: the prefix of its API, because requests are
// refused before the API matches its routes.
func refusedRoute(path string) string {
	if strings.HasPrefix(path, streaming.ShortPrefix+"/") {
		return streaming.Prefix + "/*"
	}
	for _, prefix := range [...]string{v3.Prefix, v3.EmulationPrefix, v2.Prefix, streaming.Prefix, merchantPrefix, imagesPrefix} {
		if strings.HasPrefix(path, prefix+"/") {
			return prefix + "/*"
		}
	}
	return "/graphql"
}

// writeRefusal writes a refusal in the error format of the API that path belongs to. The sentences need no escaping. Clients
// of v2, and of v3 when they are limited, read the text from either of two members.
func writeRefusal(w http.ResponseWriter, path string, r refusal) {
	code := strconv.Itoa(r.status)
	both := `{"ok":false,"error":"` + r.sentence + `","result":"` + r.sentence + `","code":` + code
	route := refusedRoute(path)
	isV3 := route == v3.Prefix+"/*" || route == v3.EmulationPrefix+"/*"
	var body string
	switch {
	case strings.TrimSuffix(path, "/") == v2.Prefix+"/jsonRPC": // the id is in the body, which was not read
		body = both + `,"jsonrpc":"2.0"}`
	case route == v2.Prefix+"/*", route == streaming.Prefix+"/*", isV3 && r.status == http.StatusTooManyRequests:
		body = both + `}`
	case isV3, route == merchantPrefix+"/*", route == imagesPrefix+"/*":
		body = `{"error":"` + r.sentence + `","code":` + code + `}`
	default:
		body = `{"errors":[{"message":"` + r.sentence + `","extensions":{"code":"` + r.code + `"}}]}`
	}
	writeJSON(w, r.status, []byte(body))
}
