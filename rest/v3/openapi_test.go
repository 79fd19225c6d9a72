package v3_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	v3 "tonql/rest/v3"
)

// published reads the published description of the interface, which is not part of this repository.
func published(t *testing.T) *openapi3.T {
	t.Helper()
	path := os.Getenv("TONQL_V3_OPENAPI")
	if path == "" {
		t.Skip("TONQL_V3_OPENAPI does not name the published OpenAPI document")
	}
	doc, err := openapi3.NewLoader().LoadFromFile(path)
	require.NoError(t, err)
	return doc
}

// Parameters that the running service has and the published document lacks.
var undocumented = map[string][]string{
	"/masterchainBlockShards": {"sort"},
	"/transactionsByMessage":  {"source", "destination", "sort"},
	"/messages":               {"hash"},
	"/accountStates":          {"code_hash"},
	"/addressInformation":     {"seqno"},
	"/walletInformation":      {"seqno"},
	"/jetton/transfers":       {"address"},
	"/jetton/burns":           {"owner_address"},
	"/nft/transfers":          {"address"},
}

// Every published operation is in the table, and a served one reads every published parameter.
func TestPublishedRoutes(t *testing.T) {
	t.Parallel()
	doc := published(t)
	table := map[string]v3.Route{}
	for _, r := range v3.Routes() {
		table[r.Method+" "+v3.Prefix+r.Path] = r
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			r, ok := table[method+" "+path]
			require.True(t, ok, "%s %s", method, path)
			if !r.Served() {
				continue
			}
			var names []string
			for _, p := range op.Parameters {
				names = append(names, p.Value.Name)
			}
			names = append(names, undocumented[r.Path]...)
			require.ElementsMatch(t, names, r.Params, path)
		}
	}
}

// Answers fit the published schemas, save the differences that docs/compatibility.md explains.
func TestPublishedSchemas(t *testing.T) {
	t.Parallel()
	doc := published(t)
	d := serve(t)
	w := walletAddress.String()
	for path, schema := range map[string]string{
		"/masterchainInfo":                                     "MasterchainInfo",
		"/blocks":                                              "BlocksResponse",
		"/masterchainBlockShards?seqno=12":                     "BlocksResponse",
		"/masterchainBlockShardState?seqno=12":                 "BlocksResponse",
		"/transactions?limit=100":                              "TransactionsResponse",
		"/transactionsByMasterchainBlock?seqno=12":             "TransactionsResponse",
		"/transactionsByMessage?opcode=0x0f8a7ea5":             "TransactionsResponse",
		"/adjacentTransactions?hash=" + id(hTx, 'W', 12).Hex(): "TransactionsResponse",
		"/messages?limit=100":                                  "MessagesResponse",
		"/accountStates?address=" + w:                          "AccountStatesResponse",
		"/walletStates?address=" + w:                           "WalletStatesResponse",
		"/addressBook?address=" + w:                            "AddressBook",
		"/transactions?limit=x":                                "RequestError",
	} {
		var body any
		require.NoError(t, json.Unmarshal(d.ask(path).Body.Bytes(), &body))
		ref := doc.Components.Schemas[schema]
		require.NotNil(t, ref, schema)
		require.NoError(t, ref.Value.VisitJSON(withoutDeviations(body)), path)
		requireKnown(t, ref.Value, body, path)
	}
}

// withoutDeviations drops nulls, which the document does not allow for, and opcodes, which it types as numbers.
func withoutDeviations(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			if member != nil && name != "opcode" {
				out[name] = withoutDeviations(member)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutDeviations(v[i])
		}
		return out
	default:
		return v
	}
}

// Members we print that the document does not know.
var undocumentedMembers = []string{"finality", "details"}

// requireKnown finds members that are printed and not published, and published ones that are never printed.
func requireKnown(t *testing.T, s *openapi3.Schema, v any, at string) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, row := range v {
			requireKnown(t, s.Items.Value, row, at+"[]")
		}
	case map[string]any:
		if len(s.Properties) == 0 {
			if extra := s.AdditionalProperties.Schema; extra != nil {
				for name, member := range v {
					requireKnown(t, extra.Value, member, at+"."+name)
				}
			}
			return
		}
		for name, member := range v {
			ref, ok := s.Properties[name]
			require.True(t, ok || slices.Contains(undocumentedMembers, name), "%s.%s is not published", at, name)
			if ok && member != nil {
				requireKnown(t, ref.Value, member, at+"."+name)
			}
		}
	}
}
