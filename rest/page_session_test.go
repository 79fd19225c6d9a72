package rest_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/internal/access"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/graphql"
)

// pages returns a router with limits, and the cookie that one of its pages set.
func pages(t *testing.T, page string) (h http.Handler, cookie string) {
	t.Helper()
	db := testdb.New(t)
	write(t, db, 7)
	log := slog.New(slog.DiscardHandler)
	h = rest.New(rest.Options{
		Service: resolvers.New(db.Reader(), nil, resolvers.Options{Network: "mainnet"}),
		GraphQL: echo("graphql"), Playground: echo("playground"), Explorer: echo("explorer"), Logger: log,
		Limiter: access.New(db.Access(), access.Options{Network: "mainnet", WithoutKey: 1, Logger: log}),
	})
	w := do(h, http.MethodGet, page, "")
	require.Equal(t, http.StatusOK, w.Code)
	given := w.Result().Cookies()
	require.Len(t, given, 2)
	require.Equal(t, "/api/images", given[1].Path)
	require.True(t, given[0].HttpOnly)
	require.Equal(t, http.SameSiteStrictMode, given[0].SameSite)
	require.Equal(t, "/graphql", given[0].Path)
	require.Positive(t, given[0].MaxAge)
	return h, given[0].Name + "=" + given[0].Value
}

// The cookie is for https only where the browser has it: with this server, with a trusted proxy, or at the public URL.
func TestPageSession_TheCookieIsSecureWhereTheBrowserHasTLS(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	log := slog.New(slog.DiscardHandler)
	trusted := []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")} // that of httptest
	for name, c := range map[string]struct {
		proxies []netip.Prefix
		public  string
		page    string
		header  []string
		secure  bool
	}{
		"no TLS":                                {page: "/explorer"},
		"TLS of this server":                    {page: "https://example.com/explorer", secure: true},
		"a trusted proxy":                       {proxies: trusted, page: "/playground", header: []string{"X-Forwarded-Proto", "https"}, secure: true},
		"two proxies":                           {proxies: trusted, page: "/explorer", header: []string{"X-Forwarded-Proto", "HTTPS, http"}, secure: true},
		"a trusted proxy, http":                 {proxies: trusted, page: "/explorer", header: []string{"X-Forwarded-Proto", "http"}},
		"what a client says":                    {page: "/explorer", header: []string{"X-Forwarded-Proto", "https"}},
		"the public URL":                        {public: "https://Example.com", page: "/explorer", secure: true},
		"a public URL without TLS":              {public: "http://example.com", page: "/explorer"},
		"another address than the public URL's": {public: "https://ton.example", page: "/explorer"},
	} {
		h := rest.New(rest.Options{
			Service: resolvers.New(db.Reader(), nil, resolvers.Options{Network: "mainnet"}), Playground: echo("playground"), Explorer: echo("explorer"),
			Logger: log, Limiter: access.New(db.Access(), access.Options{Network: "mainnet", WithoutKey: 1, Logger: log}), Proxies: c.proxies, Public: c.public,
		})
		cookies := do(h, http.MethodGet, c.page, "", c.header...).Result().Cookies()
		require.Len(t, cookies, 2, name)
		for _, cookie := range cookies {
			require.Equal(t, c.secure, cookie.Secure, name)
		}
	}
}

const pageQuery = "/graphql?query={__typename}"

// The pages of the gateway may send more requests than a script without a key.
func TestPageSession_OwnPagesHaveABudget(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"/explorer", "/explorer/account/0:ab", "/playground"} {
		h, cookie := pages(t, page)
		for range 20 {
			w := do(h, http.MethodPost, pageQuery, "", "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
			require.Equal(t, http.StatusOK, w.Code)
			require.True(t, strings.HasPrefix(w.Header().Get("RateLimit-Policy"), `"page";`))
		}
		w := do(h, http.MethodHead, page, "", "Cookie", cookie)
		require.Len(t, w.Result().Cookies(), 2, "a page renews its token, for the API and for images")
		require.Empty(t, do(h, http.MethodGet, page+"/app.js", "").Result().Cookies())
	}
}

// The cookie alone is not enough: the request must come from a page of this site, to GraphQL, without a key.
func TestPageSession_OtherRequestsAreAnonymous(t *testing.T) {
	t.Parallel()
	h, cookie := pages(t, "/explorer")
	for name, header := range map[string][]string{
		"script":          {"Cookie", cookie},
		"another site":    {"Cookie", cookie, "Sec-Fetch-Site", "cross-site"},
		"sibling domain":  {"Cookie", cookie, "Sec-Fetch-Site", "same-site", "Origin", "http://example.com"},
		"another origin":  {"Cookie", cookie, "Origin", "https://elsewhere.example"},
		"opaque origin":   {"Cookie", cookie, "Origin", "null"},
		"forged cookie":   {"Cookie", "tonql_page=AAAA", "Sec-Fetch-Site", "same-origin"},
		"another address": {"Cookie", cookie, "Sec-Fetch-Site", "same-origin"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other, own := pages(t, "/explorer")
			if name != "another address" {
				header = append([]string{}, header...)
				header[1] = strings.ReplaceAll(header[1], cookie, own)
			}
			if name == "another address" {
				other, _ = pages(t, "/explorer") // another gateway with its own secret
			}
			w := do(other, http.MethodPost, pageQuery, "", header...)
			require.Equal(t, `"anonymous";q=1;w=1`, w.Header().Get("RateLimit-Policy"))
		})
	}
	w := do(h, http.MethodGet, "/api/v3/masterchainInfo", "", "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
	require.Equal(t, `"anonymous";q=1;w=1`, w.Header().Get("RateLimit-Policy"))
	w = do(h, http.MethodPost, pageQuery, "", "Cookie", cookie, "Sec-Fetch-Site", "same-origin", "X-API-Key", "tonql_unknown")
	require.Equal(t, http.StatusTooManyRequests, w.Code, "a key takes precedence over the cookie")

	w = do(h, http.MethodPost, pageQuery, "", "Cookie", cookie, "Origin", "http://example.com")
	require.Equal(t, http.StatusOK, w.Code, "example.com is the host of this request, so the page is ours")
	require.True(t, strings.HasPrefix(w.Header().Get("RateLimit-Policy"), `"page";`))
}

// Operations of a WebSocket take tokens of the page session like its requests.
func TestPageSession_WebSocketOperationsTakeTokens(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	silent := slog.New(slog.DiscardHandler)
	service := resolvers.New(db.Reader(), nil, resolvers.Options{})
	t.Cleanup(service.Close)
	limiter := access.New(db.Access(), access.Options{Network: "mainnet", WithoutKey: 1, Logger: silent})
	r := &resolvers.Resolver{Service: service, Limits: graphql.DefaultLimits, RateLimit: access.LimitOf}
	api := graphql.New(graphql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: r}), Limits: graphql.DefaultLimits, Logger: silent, Limiter: limiter,
		RequestID: func(context.Context) string { return "" }, Prepare: r.Prepare,
	})
	server := httptest.NewServer(rest.New(rest.Options{Service: service, GraphQL: api, Explorer: echo("explorer"), Limiter: limiter, Logger: silent}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { require.NoError(t, api.Close(context.WithoutCancel(t.Context()))) })
	page, err := http.Get(server.URL + "/explorer")
	require.NoError(t, err)
	require.NoError(t, page.Body.Close())

	// begin starts operations until one is refused.
	begin := func(header http.Header) int {
		ws, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http")+"/graphql",
			&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: header})
		require.NoError(t, err)
		defer func() { _ = ws.CloseNow() }() // the test ends with it
		say := func(text string) { require.NoError(t, ws.Write(t.Context(), websocket.MessageText, []byte(text))) }
		receive := func() string {
			_, data, err := ws.Read(t.Context())
			require.NoError(t, err)
			return string(data)
		}
		say(`{"type":"connection_init"}`)
		require.Contains(t, receive(), "connection_ack")
		for n := range 20 {
			say(`{"id":"a","type":"subscribe","payload":{"query":"{ __typename }"}}`)
			if strings.Contains(receive(), "RATE_LIMITED") {
				return n
			}
			require.Contains(t, receive(), "complete")
		}
		return 20
	}
	cookie := page.Cookies()[0]
	require.Equal(t, 20, begin(http.Header{"Cookie": {cookie.Name + "=" + cookie.Value}, "Origin": {server.URL}}))
	require.Less(t, begin(http.Header{}), 10)
}

// The documentation pages send several requests at once, which take no token.
func TestPageSession_DescriptionsAreNotLimited(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	h := newLimitedRouter(t, access.Options{Network: "mainnet", WithoutKey: 1}, slog.New(slog.DiscardHandler), db)
	for range 3 {
		for _, prefix := range []string{"/api/v3", "/api/v2"} {
			for _, path := range []string{"/", "/index.html", "/openapi.json", "/doc.json", "/page/page.css"} {
				w := do(h, http.MethodGet, prefix+path, "")
				require.Equal(t, http.StatusOK, w.Code, prefix+path)
				require.Empty(t, w.Header().Get("RateLimit"), prefix+path)
			}
		}
	}
	require.Equal(t, http.StatusOK, do(h, http.MethodGet, "/api/v3/masterchainInfo", "").Code)
	for _, path := range []string{"/api/v3/masterchainInfo", "/api/v3/page", "/api/v2/getMasterchainInfo", "/api/v3/nothing/page/"} {
		require.Equal(t, http.StatusTooManyRequests, do(h, http.MethodGet, path, "").Code, path)
	}
	require.Equal(t, http.StatusTooManyRequests, do(h, http.MethodPost, "/api/v2/", "").Code)
}
