package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"

	"tonql/internal/pacetest"
	"tonql/internal/tracing/tracingtest"
)

// Each API is traced down to its statements and liteserver queries; nothing of the client is in what is sent.
func TestUp_TracesRequestsWithoutDataOfClients(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	receiver := tracingtest.Start(t)
	p := start(t, "up", "--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--devnet-listen", "127.0.0.1:0",
		"--trace-endpoint", strings.Replace(receiver.URL, "://", "://operator:password@", 1), "--trace-header", "X-Tenant=tenant",
		"--trace-parent", "--trusted-proxy", "127.0.0.1")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	var page struct {
		Transactions []struct{ Account, Hash string }
	}
	eventually(t, time.Minute, "the index has transactions", func() bool {
		_, body := get(t, base+"/api/v3/transactions?limit=1")
		return follows(t, base, 4) && json.Unmarshal(body, &page) == nil && len(page.Transactions) == 1
	})
	account, hash := page.Transactions[0].Account, page.Transactions[0].Hash
	const parent = "0af7651916cd43dd8448eb211c80319c"

	response, body := request(t, base+"/api/v3/transactions?limit=3&account="+url.QueryEscape(account), "X-Request-Id", "of-v3",
		"Traceparent", "00-"+parent+"-b7ad6b7169203331-01", "Tracestate", "vendor=SecretState", "User-Agent", "SecretAgent", "X-Forwarded-For", "198.51.100.7")
	require.Equal(t, http.StatusOK, response.StatusCode, body)
	response, body = request(t, base+"/api/v3/masterchainInfo", "X-Request-Id", "of-memory")
	require.Equal(t, http.StatusOK, response.StatusCode, body)
	response, body = request(t, base+"/api/v2/getMasterchainBlockSignatures?seqno=2&SecretParameter=x", "X-Request-Id", "of-v2")
	require.Equal(t, http.StatusOK, response.StatusCode, body)
	request(t, base+"/api/v3/SecretPath?hash="+url.QueryEscape(hash), "X-API-Key", "SecretKey", "X-Request-Id", "of-key")
	sent, err := json.Marshal(map[string]any{
		"query":         `query SecretName($a: Address!) { secretAlias: account(address: $a) { address transactions(first: 2) { nodes { hash } } } }`,
		"variables":     map[string]any{"a": account},
		"operationName": "SecretName",
	})
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/graphql", bytes.NewReader(sent))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Request-Id", "of-graphql")
	graph, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	text, err := io.ReadAll(graph.Body)
	require.NoError(t, err)
	require.NoError(t, graph.Body.Close())
	require.Contains(t, string(text), "nodes", "%s", text)
	require.NotContains(t, string(text), `"errors"`)
	_, metrics := get(t, base+"/metrics")
	require.Contains(t, string(metrics), `tonql_request_traces_total{outcome="started"}`)
	p.interrupt(10 * time.Second) // sends what waits

	spans := receiver.Spans(t)
	root, operation := tree(t, spans, "of-v3", "GET /api/v3/transactions", "transactions")
	require.Equal(t, parent, tracingtest.TraceID(root))
	require.True(t, hasCall(spans, operation, "tonql.statement.kind", "snapshot"), "%v", spans)
	tree(t, spans, "of-memory", "GET /api/v3/masterchainInfo", "masterchainInfo")
	_, operation = tree(t, spans, "of-v2", "GET /api/v2/getMasterchainBlockSignatures", "getMasterchainBlockSignatures")
	require.True(t, hasCall(spans, operation, "rpc.system.name", "ton-liteserver"), "%v", spans)
	_, operation = tree(t, spans, "of-graphql", "POST /graphql", "query")
	require.Equal(t, "account", tracingtest.Attribute(operation, "graphql.fields"))
	resolver := child(t, spans, operation, "Query.account")
	require.True(t, hasCall(spans, child(t, spans, resolver, "Account.transactions"), "db.system.name", "postgresql"), "%v", spans)
	for _, secret := range []string{
		account, account[strings.Index(account, ":")+1:], hash, strings.ToLower(account), "SecretState", "SecretAgent", "198.51.100.7", "SecretParameter",
		"SecretPath", "SecretKey", "SecretName", "secretAlias", "seqno=", "limit=", "operator", "password", "SELECT ",
	} {
		require.False(t, receiver.Contains(secret), secret)
	}
	require.NotContains(t, p.stderr.String(), "password@")
	require.Equal(t, "tenant", receiver.Headers()[0].Get("X-Tenant"))
}

// tree returns the span of the request with an id and that of its only operation, of the given names.
func tree(t *testing.T, spans []*otlp.Span, id, name, operation string) (root, below *otlp.Span) {
	t.Helper()
	for _, s := range spans {
		if tracingtest.Attribute(s, "tonql.request_id") == id {
			root = s
		}
	}
	require.NotNil(t, root, id)
	require.Equal(t, name, root.GetName())
	for _, s := range tracingtest.Below(spans, root) {
		if s.GetKind() == otlp.Span_SPAN_KIND_INTERNAL {
			require.Nil(t, below, "one operation")
			below = s
		}
	}
	require.NotNil(t, below, "%v", spans)
	require.Equal(t, operation, below.GetName())
	require.NotEqual(t, otlp.Status_STATUS_CODE_ERROR, below.GetStatus().GetCode())
	return root, below
}

// child returns the span of a resolver below another one or an operation.
func child(t *testing.T, spans []*otlp.Span, of *otlp.Span, name string) *otlp.Span {
	t.Helper()
	for _, s := range tracingtest.Below(spans, of) {
		if s.GetName() == name {
			require.Equal(t, "graphql", tracingtest.Attribute(s, "tonql.api"))
			return s
		}
	}
	require.Fail(t, "no span", "%s in %v", name, spans)
	return nil
}

// hasCall reports whether an operation made a call with an attribute.
func hasCall(spans []*otlp.Span, operation *otlp.Span, name, value string) bool {
	for _, s := range tracingtest.Below(spans, operation) {
		if s.GetKind() == otlp.Span_SPAN_KIND_CLIENT && tracingtest.Attribute(s, name) == value {
			return true
		}
	}
	return false
}
