package v2_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/pacetest"
	v2 "tonql/rest/v2"
)

// tagged returns a stack entry of runGetMethodStd.
func tagged(kind, field string, value any) any {
	return map[string]any{"@type": "tvm.stackEntry" + kind, field: value}
}

// nested returns a tuple of the given nesting depth.
func nested(depth int) any {
	v := tagged("Tuple", "tuple", map[string]any{"elements": []any{}})
	for range depth {
		v = tagged("Tuple", "tuple", map[string]any{"elements": []any{v}})
	}
	return v
}

// deepBag returns a chain of cells as a bag of cells in base64.
func deepBag(depth int) string {
	c := cell.BeginCell().EndCell()
	for range depth {
		c = cell.BeginCell().MustStoreRef(c).EndCell()
	}
	return base64.StdEncoding.EncodeToString(c.ToBOC())
}

// Arguments that are too large, too deep or of the wrong type are rejected quickly, with an error response.
func TestRunGetMethod_ExcessiveArgumentsAreRejected(t *testing.T) {
	t.Parallel()
	d := serve(t)
	run := func(stack any) string {
		body, err := json.Marshal(map[string]any{"address": chaintest.Wallet.String(), "method": "seqno", "stack": stack})
		require.NoError(t, err)
		return string(body)
	}
	libraries := func(n int) string {
		hashes := make([]string, n)
		for i := range hashes {
			hashes[i] = chain.Hash{byte(i)}.Hex()
		}
		body, err := json.Marshal(map[string]any{"libraries": hashes})
		require.NoError(t, err)
		return string(body)
	}
	number := []any{"num", "1"}
	long := make([]any, 256)
	for i := range long {
		long[i] = number
	}
	for name, tc := range map[string]struct {
		route, body string
		status      int
	}{
		"256 arguments":        {"runGetMethod", run(long), 422},
		"20000 arguments":      {"runGetMethod", run(slices.Repeat([]any{number}, 20_000)), 422},
		"256 elements":         {"runGetMethodStd", run([]any{tagged("Tuple", "tuple", map[string]any{"elements": slices.Repeat([]any{nested(0)}, 256)})}), 422},
		"17 libraries":         {"getLibraries", libraries(17), 422},
		"deep tuples":          {"runGetMethodStd", run([]any{nested(200)}), 422},
		"deep tuples in pairs": {"runGetMethod", run([]any{[]any{"tuple", map[string]any{"elements": []any{nested(300)}}}}), 422},
		"deep JSON":            {"runGetMethodStd", `{"address":"` + chaintest.Wallet.String() + `","method":"a","stack":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}`, 422},
		"deeper JSON":          {"getMasterchainInfo", strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000), 422},
		"too deep cells":       {"sendBoc", `{"boc":"` + deepBag(1024) + `"}`, 500},
		"long number":          {"runGetMethod", run([]any{[]any{"num", strings.Repeat("9", 100_000)}}), 422},
		"form":                 {"getAddressBalance", "address=" + chaintest.Wallet.String(), 422},
		"large message":        {"sendBoc", `{"boc":"` + base64.StdEncoding.EncodeToString(make([]byte, 70_000)) + `"}`, 500},
		"ten megabytes":        {"sendBoc", `{"boc":"` + strings.Repeat("A", 10<<20) + `"}`, 413},
	} {
		start := time.Now()
		e := d.open(d.do(http.MethodPost, tc.route, tc.body))
		require.Equal(t, tc.status, e.Code, "%s: %s", name, e.Error)
		require.Less(t, time.Since(start), pacetest.Slow*2*time.Second, name)
	}
	for name, tc := range map[string]struct{ route, body string }{
		"255 arguments": {"runGetMethod", run(long[1:])},
		"255 elements":  {"runGetMethodStd", run([]any{tagged("Tuple", "tuple", map[string]any{"elements": slices.Repeat([]any{nested(0)}, 255)})})},
		"16 libraries":  {"getLibraries", libraries(16)},
	} {
		e := d.open(d.do(http.MethodPost, tc.route, tc.body))
		require.True(t, e.OK, "%s: %s", name, e.Error)
	}
	// The content type is ignored.
	r := httptest.NewRequest(http.MethodPost, v2.Prefix+"/getAddressBalance", strings.NewReader(`{"address":"`+chaintest.Wallet.String()+`"}`))
	r.Header.Set("Content-Type", "text/plain")
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	require.True(t, d.open(w).OK)
}

// endless is an infinite body that counts the bytes read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return copy(p, bytes.Repeat([]byte{'['}, len(p))), nil
}

// A body that exceeds the limit is read only up to the limit.
func TestLongBody_IsReadUpToTheLimit(t *testing.T) {
	t.Parallel()
	d := withoutIndex(t)
	for _, announced := range []int64{10 << 20, -1} {
		body := &endless{}
		r := httptest.NewRequest(http.MethodPost, v2.Prefix+"/jsonRPC", body)
		r.ContentLength = announced
		w := httptest.NewRecorder()
		d.handler.ServeHTTP(w, r)
		require.Equal(t, http.StatusRequestEntityTooLarge, d.open(w).Code)
		require.Less(t, body.read, 3<<20)
		require.True(t, announced < 0 || body.read == 0)
	}
}

// FuzzRequests_GetWellFormedResponses checks that every request gets a well-formed response that is not an internal
// error.
func FuzzRequests_GetWellFormedResponses(f *testing.F) {
	d := serve(f)
	routes := v2.Routes()
	hello := base64.StdEncoding.EncodeToString(cell.BeginCell().MustStoreSlice([]byte("hello"), 40).EndCell().ToBOC())
	for i := range routes {
		f.Add(i, `{"address":"`+chaintest.Wallet.String()+`","seqno":11}`)
		f.Add(i, `{"address":"`+chaintest.Wallet.String()+`","method":"seqno","stack":[["tvm.Slice","`+hello+`"]]}`)
		f.Add(i, `{"address":"`+chaintest.Wallet.String()+`","body":"`+hello+`","boc":"te6ccgEBAQEAAgAAAA=="}`)
		f.Add(i, `{"boc":"te6cckEBAQEAAgAAAEysuc0="}`)
		f.Add(i, `{"workchain":0,"shard":"-9223372036854775808","seqno":22,"count":1,"after_lt":1,"after_hash":"`+unused.String()+`"}`)
		f.Add(i, `{"hash":"x","config_id":0,"libraries":[],"source":1,"destination":null,"created_lt":"1"}`)
	}
	f.Fuzz(func(t *testing.T, route int, body string) {
		if route < 0 || route >= len(routes) {
			route = 0
		}
		w := d.do(http.MethodPost, routes[route].Name, body)
		var e envelope
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &e), w.Body)
		require.NotEmpty(t, e.Extra)
		require.Equal(t, w.Code == http.StatusOK, e.OK)
		require.NotContains(t, e.Error, "internal server error", "%s %s", routes[route].Name, body)
	})
}
