package devnet

import (
	"context"
	"encoding/json"
	"net/http"
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
