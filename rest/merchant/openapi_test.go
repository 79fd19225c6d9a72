package merchant_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/rest/merchant"
)

// document is the OpenAPI document of an API as it is served. Its records are closed: members that it does not describe are errors.
type document struct {
	t    *testing.T
	tree map[string]any
}

func documentOf(t *testing.T, s *shop) *document {
	t.Helper()
	w, text := s.do(http.MethodGet, "/openapi.json", "", "", "")
	require.Equal(t, http.StatusOK, w.StatusCode, text)
	require.Equal(t, "application/json", w.Header.Get("Content-Type"))
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	d := &document{t, tree.(map[string]any)}
	for _, schema := range d.object("components", "schemas") {
		if s := schema.(map[string]any); s["properties"] != nil {
			s["additionalProperties"] = false
		}
	}
	return d
}

// object returns the object at a path of names.
func (d *document) object(names ...string) map[string]any {
	d.t.Helper()
	at := d.tree
	for _, name := range names {
		next, ok := at[name].(map[string]any)
		require.True(d.t, ok, "%s of %v", name, names)
		at = next
	}
	return at
}

// validate validates a value against a record.
func (d *document) validate(record, text string) error {
	d.t.Helper()
	const name = "https://test.example/openapi.json"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(d.t, c.AddResource(name, d.tree))
	schema, err := c.Compile(name + "#/components/schemas/" + record)
	require.NoError(d.t, err)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(d.t, err, text)
	return schema.Validate(value)
}

// The document lists the routes that are served, the parameters and members that they read, and nothing else.
func TestOpenAPI_ListsWhatIsServed(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil)
	d := documentOf(t, s)
	require.Equal(t, "3.1.0", d.tree["openapi"])
	var routes []string
	for path, item := range d.object("paths") {
		for method := range item.(map[string]any) {
			routes = append(routes, strings.ToUpper(method)+" "+path)
		}
	}
	require.ElementsMatch(t, merchant.Routes(), routes)
	require.ElementsMatch(t, merchant.RequestMembers(), slices.Collect(maps.Keys(d.object("components", "schemas", "TransferRequest", "properties"))))
	text, err := json.Marshal(d.tree)
	require.NoError(t, err)
	for name := range d.object("components", "schemas") {
		require.Contains(t, string(text), `"#/components/schemas/`+name+`"`, "a record without a reference")
	}
	// A parameter that the document names changes the response: neither is given, either, both.
	var parameters []string
	for _, p := range d.object("paths", merchant.Prefix+"/transfer", "get")["parameters"].([]any) {
		parameters = append(parameters, p.(map[string]any)["name"].(string))
	}
	require.Len(t, parameters, 2)
	status := func(names ...string) int {
		q := url.Values{}
		for _, name := range names {
			q.Set(name, strings.Repeat("0", 64))
		}
		w, _ := s.do(http.MethodGet, "/transfer?"+q.Encode(), "", "", "")
		return w.StatusCode
	}
	require.Equal(t, http.StatusBadRequest, status())
	require.Equal(t, http.StatusBadRequest, status(parameters...))
	for _, name := range parameters {
		require.Equal(t, http.StatusNotFound, status(name), name)
	}
}

// Requests that the document allows are accepted, and all responses are as it describes them.
func TestOpenAPI_DescribesRequestsAndResponses(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(o *merchant.Options) { o.Limiter = nil })
	d, key := documentOf(t, s), s.newKey()
	for _, amount := range []string{`1.5`, `"1.5"`, `1e-9`, `"2E3"`} {
		request := strings.Replace(order, `1.5`, amount, 1)
		require.NoError(t, d.validate("TransferRequest", request), request)
		for _, key := range []string{key, ""} {
			w, text := s.do(http.MethodPost, "/create-transfer", request, key, "")
			require.Equal(t, http.StatusOK, w.StatusCode, text)
			require.NoError(t, d.validate("CreatedTransfer", text))
			if key == "" {
				continue
			}
			var made struct{ Reference string }
			require.NoError(t, json.Unmarshal([]byte(text), &made))
			for _, key := range []string{key, ""} {
				w, text = s.do(http.MethodGet, "/transfer?reference="+made.Reference, "", key, "")
				require.Equal(t, http.StatusOK, w.StatusCode, text)
				require.NoError(t, d.validate("Transfer", text))
			}
		}
	}
	for _, wrong := range []string{`{}`, `{"amount":true,"asset":"TON","senderAddr":"x"}`, `{"amount":"-1","asset":"TON","senderAddr":"x"}`, `[]`} {
		require.Error(t, d.validate("TransferRequest", wrong), wrong)
		w, text := s.do(http.MethodPost, "/create-transfer", wrong, key, "")
		require.Equal(t, http.StatusBadRequest, w.StatusCode, wrong)
		require.NoError(t, d.validate("RequestError", text))
	}
	for path, status := range map[string]int{"/transfer?reference=none": 404, "/nothing": 404, "/transfer": 400, "/transfer?bodyHash=%00": 422} {
		w, text := s.do(http.MethodGet, path, "", key, "")
		require.Equal(t, status, w.StatusCode, path)
		require.NoError(t, d.validate("RequestError", text))
	}
	w, text := s.do(http.MethodGet, "/transfer", "", "tqpay_unknown", "")
	require.Equal(t, http.StatusUnauthorized, w.StatusCode)
	require.NoError(t, d.validate("RequestError", text))
}

// Events of all outcomes are as the section webhooks describes them.
func TestOpenAPI_DescribesEvents(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := documentOf(t, newShop(t, nil))
	schema := d.object("webhooks", payment.TransferCompleted, "post", "requestBody", "content", "application/json", "schema")
	require.Equal(t, "#/components/schemas/TransferEvent", schema["$ref"])
	id, at := chain.Hash{1}, time.Unix(1_700_000_000, 123e6)
	success := payment.Info{
		Amount: "1.5", RawAmount: big.NewInt(15e8), SenderAddr: "a", RecipientAddr: "b", Asset: "TON", AssetTicker: "TON", Status: payment.Success,
		Reference: payment.NewReference(), TxHash: &id, TraceID: &id, CommentToSender: "c", CommentToRecipient: "d", Date: at,
	}
	failed := success
	failed.Status, failed.ErrorCode, failed.ErrorMessage, failed.AssetTicker, failed.CommentToSender = payment.Failed, -14, "Out of gas", "", ""
	for _, info := range []payment.Info{success, failed} {
		require.NoError(t, d.validate("TransferEvent", string(payment.Event(at, &info))))
	}
	require.Error(t, d.validate("TransferEvent", strings.Replace(string(payment.Event(at, &success)), `"status":"success"`, `"status":"paid"`, 1)))
}

// The documentation page and the form of the document for OpenAPI 3.0 are served, without a key and outside the limits.
func TestDocumentation_IsServed(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	s := newShop(t, nil)
	for range 2 * merchant.DefaultAddressRate {
		w, page := s.do(http.MethodGet, "/", "", "", "198.51.100.7")
		require.Equal(t, http.StatusOK, w.StatusCode)
		require.Contains(t, page, `data-header="X-Api-Key"`)
		require.Contains(t, page, "/create-transfer")
		require.Contains(t, w.Header.Get("Content-Security-Policy"), "connect-src 'self'")
	}
	w, text := s.do(http.MethodGet, "/openapi-3.0.json", "", "", "")
	require.Equal(t, http.StatusOK, w.StatusCode)
	var old map[string]any
	require.NoError(t, json.NewDecoder(bytes.NewReader([]byte(text))).Decode(&old))
	require.Equal(t, "3.0.3", old["openapi"])
	require.NotContains(t, old, "webhooks", "3.0 has none")
	require.NotContains(t, text, `"null"`)
	w, _ = s.do(http.MethodPost, "/", "", "", "")
	require.Equal(t, http.StatusNotFound, w.StatusCode)
}
