package devnet

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// call sends a request to the administration API and decodes its response.
func call(ctx context.Context, t *testing.T, d *Devnet, method, path, body string, wantStatus int, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+d.AdminAddr()+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	require.Equal(t, wantStatus, res.StatusCode)
	require.NoError(t, json.NewDecoder(res.Body).Decode(into))
}

func TestAdmin_EveryRouteResponds(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := start(ctx, t, Options{Seed: seedOf(5), Interval: ByHand, Admin: "127.0.0.1:0", Scenario: true, ShardPeriod: -1})

	var s Status
	call(ctx, t, d, http.MethodGet, "/status", "", http.StatusOK, &s)
	require.EqualValues(t, 1, s.Seqno)
	require.Equal(t, d.Faucet.Address().String(), s.Faucet)
	call(ctx, t, d, http.MethodPost, "/mine", `{"count": 3}`, http.StatusOK, &s)
	require.EqualValues(t, 4, s.Seqno)
	call(ctx, t, d, http.MethodPost, "/mine", ``, http.StatusOK, &s)
	require.EqualValues(t, 5, s.Seqno)

	shards := func() int {
		var s Status
		call(ctx, t, d, http.MethodPost, "/mine", `{}`, http.StatusOK, &s)
		count := 0
		for _, sh := range s.Shards {
			if sh.Workchain == 0 {
				count++
			}
		}
		return count
	}
	require.Equal(t, 1, shards())
	call(ctx, t, d, http.MethodPost, "/split", `{"shard": "8000000000000000"}`, http.StatusOK, &s)
	for range 20 {
		if shards() == 2 {
			break
		}
	}
	require.Equal(t, 2, shards())
	call(ctx, t, d, http.MethodPost, "/merge", `{}`, http.StatusOK, &s)
	for range 20 {
		if shards() == 1 {
			break
		}
	}
	require.Equal(t, 1, shards())

	var sent map[string]any
	to := `"0:` + strings.Repeat("ab", 32) + `"`
	call(ctx, t, d, http.MethodPost, "/faucet", `{"to": `+to+`, "amount": "5000000000", "comment": "hi"}`, http.StatusOK, &sent)
	require.Equal(t, true, sent["sent"])
	call(ctx, t, d, http.MethodPost, "/burst", `{"count": 500}`, http.StatusOK, &sent)
	require.EqualValues(t, 500, sent["sent"])
	call(ctx, t, d, http.MethodPost, "/mine", `{"count": 2}`, http.StatusOK, &s)
}

func TestAdmin_InvalidRequestsAreRefused(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := start(ctx, t, Options{Seed: seedOf(6), Interval: ByHand, Admin: "localhost:0"})
	for _, c := range []struct{ path, body, fragment string }{
		{"/mine", `{"count": 0}`, "count"},
		{"/mine", `{"count": 100000}`, "count"},
		{"/mine", `{"blocks": 1}`, "unknown field"},
		{"/mine", `nonsense`, "request body"},
		{"/split", `{"shard": "zz"}`, "hexadecimal"},
		{"/faucet", `{"to": "nowhere", "amount": "1"}`, "address"},
		{"/faucet", `{"to": "0:` + strings.Repeat("00", 32) + `", "amount": "0"}`, "amount"},
		{"/faucet", `{"to": "0:` + strings.Repeat("00", 32) + `", "amount": "18446744073709551615"}`, "to give"},
		{"/burst", `{}`, "scenario"},
	} {
		var response map[string]string
		call(ctx, t, d, http.MethodPost, c.path, c.body, http.StatusBadRequest, &response)
		require.Contains(t, response["error"], c.fragment)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+d.AdminAddr()+"/mine", strings.NewReader(`{}`))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "text/plain")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusBadRequest, res.StatusCode, "pages of other origins can send this without a preflight")
}

func TestAdmin_OtherThanLoopbackAddressesAreRefused(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":8080", "192.168.1.5:80", "example.org:80", "nonsense"} {
		_, err := Start(testContext(t), Options{Seed: seedOf(7), Interval: ByHand, Admin: addr})
		require.Equal(t, chain.Invalid, chain.KindOf(err), addr)
	}
}

// GET / lists exactly the routes of the router, each of which exists with its method.
func TestAdmin_ListsItsRoutes(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := start(ctx, t, Options{Seed: seedOf(8), Interval: ByHand, Admin: "127.0.0.1:0"})
	get := func(path, accept, host string) (int, string) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+d.AdminAddr()+path, http.NoBody)
		require.NoError(t, err)
		req.Header.Set("Accept", accept)
		if host != "" {
			req.Host = host
		}
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		res, err := client.Do(req)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(body)
	}
	status, body := get("/", "application/json", "")
	require.Equal(t, http.StatusOK, status)
	var list struct{ Routes []AdminRoute }
	require.NoError(t, json.Unmarshal([]byte(body), &list))
	_, text := get("/", "*/*", "")
	mux := d.admin.router()
	registered := map[string]bool{}
	for _, route := range list.Routes {
		req := httptest.NewRequestWithContext(ctx, route.Method, route.Path, http.NoBody)
		_, pattern := mux.Handler(req)
		require.Equal(t, route.Method+" "+route.Path, strings.Replace(pattern, "{$}", "", 1))
		require.NotEmpty(t, route.Description)
		require.Contains(t, text, route.Description)
		require.Equal(t, route.Method == http.MethodPost, route.Body != "", route.Path)
		if route.Body != "" {
			require.True(t, json.Valid([]byte(route.Body)), route.Body)
		}
		registered[route.Path] = true
	}
	// What the methods of admin implement is listed.
	for _, path := range []string{"/", "/status", "/mine", "/split", "/merge", "/faucet", "/burst", "/consensus"} {
		require.True(t, registered[path], path)
	}
	status, _ = get("/nothing", "", "")
	require.Equal(t, http.StatusNotFound, status)

	// A page whose domain resolves to this machine sends that domain as Host.
	for host, want := range map[string]int{
		"evil.example": http.StatusForbidden, "evil.example:80": http.StatusForbidden, "127.0.0.1.evil.example": http.StatusForbidden,
		"localhost:1": http.StatusOK, "[::1]:5": http.StatusOK, "127.0.0.1": http.StatusOK, "10.0.0.1": http.StatusForbidden,
	} {
		status, _ := get("/", "", host)
		require.Equal(t, want, status, host)
	}
}
