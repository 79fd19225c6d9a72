package recordedtest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"tonql/graph"
	"tonql/internal/testdb"
)

// notRecorded has the operations whose responses do not follow from the index alone, and why.
var notRecorded = map[string]string{
	"POST /api/v3/message":                  "sends a message",
	"POST /api/v3/estimateFee":              "emulates a message that is not in the index",
	"/api/v2/estimateFee":                   "emulates a message that is not in the index",
	"/api/v2/sendBoc":                       "sends a message",
	"/api/v2/sendBocReturnHash":             "sends a message",
	"/api/v2/sendBocReturnHashNoError":      "sends a message",
	"/api/v2/getConsensusBlock":             "has the time of the response",
	"/api/v2/getMasterchainBlockSignatures": "reads the network",
	"/api/v2/getShardBlockProof":            "reads the network",
	"/api/v2/getBlock":                      "reads the network",
	"/api/v2/getOutMsgQueueSize":            "reads the network",
	"/api/v2/getOutMsgQueueSizes":           "reads the network",
	"Query.estimateFee":                     "emulates a message that is not in the index",
	"Query.simulate":                        "emulates a message that is not in the index",
	"Query.account(fromNode)":               "reads the network, in TestRunGetMethod_AgreesWithTheLiteserver",
	"AccountState.fromNode":                 "is true of what was read from the network",
	"Query.rateLimit":                       "depends on earlier requests",
	"Query.__schema":                        "is the schema, not the index",
	"Query.__type":                          "is the schema, not the index",
	"IndexStatus.lagSeconds":                "depends on the time",
	"IndexStatus.estimates":                 "are statistics of the database",
	"Query.dnsAuctions(after)":              "no recorded bidder has two pages; TestDNSAuctions_AreFoundByBidderAndState",
	"Query.dnsAuctions(before)":             "as above; TestDNSAuctions_ArePagedFromBothEnds",
	"Query.poolEvents(after)":               "no recorded account is a pool; TestDevnet_OrdersAndParametersAreAsDocumented",
	"Query.poolEvents(before)":              "as above; no recorded account is a pool",
	"Query.poolValidatorEvents(after)":      "as above; no recorded account is a pool",
	"Query.poolValidatorEvents(before)":     "as above; no recorded account is a pool",
	"Query.indexDigest":                     "needs 1,000 blocks and an indexer that runs",
	"Query.counterparties(first)":           "has a value of its own in TestCharts_BoundsAreRefused",
	"TokenMetadata.imagePath(size)":         "has values of its own in TestPath_NoneForDrawings",
	"Query.networkDays":                     "needs an indexer that runs",
	"Query.fiatRates":                       "needs a file of the operator",
	"FiatRates.currency":                    "is returned by fiatRates alone",
	"FiatRates.updatedAt":                   "is returned by fiatRates alone",
	"CodeSource.sources":                    "needs an IPFS gateway",
	"SourceFiles.compiler":                  "is returned by CodeSource.sources alone",
	"SourceFiles.compilerVersion":           "is returned by CodeSource.sources alone",
	"SourceFiles.commandLine":               "is returned by CodeSource.sources alone",
	"SourceFiles.files":                     "is returned by CodeSource.sources alone",
	"SourceFiles.error":                     "is returned by CodeSource.sources alone",
	"SourceFile.name":                       "is returned by CodeSource.sources alone",
	"SourceFile.content":                    "is returned by CodeSource.sources alone",
	"SourceFile.entrypoint":                 "is returned by CodeSource.sources alone",
	"SourceFile.inCommand":                  "is returned by CodeSource.sources alone",
	"FiatRates.ton":                         "is returned by fiatRates alone",
	"FiatRates.tokens":                      "is returned by fiatRates alone",
	"FiatRate.account":                      "is returned by fiatRates alone",
	"FiatRate.price":                        "is returned by fiatRates alone",
	"Query.jettonDays":                      "needs an indexer that runs",
	"NetworkDays.days":                      "is returned by networkDays alone",
	"NetworkDays.completeFrom":              "is returned by networkDays alone",
	"NetworkDays.completeUntil":             "is returned by networkDays alone",
	"NetworkDay.date":                       "is returned by networkDays alone",
	"NetworkDay.complete":                   "is returned by networkDays alone",
	"NetworkDay.transactions":               "is returned by networkDays alone",
	"NetworkDay.fees":                       "is returned by networkDays alone",
	"NetworkDay.activeAccounts":             "is returned by networkDays alone",
	"JettonDays.days":                       "is returned by jettonDays alone",
	"JettonDays.completeUntil":              "is returned by jettonDays alone",
	"JettonDay.date":                        "is returned by jettonDays alone",
	"JettonDay.transfers":                   "is returned by jettonDays alone",
	"JettonDay.amount":                      "is returned by jettonDays alone",
	"JettonDay.holders":                     "is returned by jettonDays alone",
	"JettonDay.supply":                      "is returned by jettonDays alone",
	"Counterparties.completeFrom":           "needs more than 4,000 messages",
	"RangeDigest.range":                     "is returned by indexDigest alone",
	"RangeDigest.hash":                      "is returned by indexDigest alone",
	"RangeDigest.crossingHash":              "is returned by indexDigest alone",
	"RangeDigest.rows":                      "is returned by indexDigest alone",
	"RangeDigest.crossingTraces":            "is returned by indexDigest alone",
	"RangeDigest.wantingTraces":             "is returned by indexDigest alone",
	"RangeDigest.actionSets":                "is returned by indexDigest alone",
}

// Every route, parameter, argument, member of a filter and field has a recorded request.
func TestRecordedRequests_CoverEveryRouteParameterAndField(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	n := 0
	for _, s := range sets() {
		for _, e := range load(t, s.name) {
			n++
			cover(t, e, used)
		}
	}
	require.GreaterOrEqual(t, n, 2000)
	var missing []string
	h := newService(t, testdb.New(t), "test")
	for _, name := range append(append(operations(openAPI(t, h, prefix3)), operations(openAPI(t, h, prefix2))...), members()...) {
		if !used[name] && !excused(name) {
			missing = append(missing, name)
		}
	}
	require.Empty(t, missing, "no request is recorded: add values to the generator and run the tests with -update, or a reason to notRecorded\n%s",
		strings.Join(missing, "\n"))
}

// excused reports whether the operation or field that name belongs to is in notRecorded.
func excused(name string) bool {
	for operation := range notRecorded {
		if name == operation || strings.HasPrefix(name, operation+" ") || strings.HasPrefix(name, operation+"(") {
			return true
		}
	}
	return false
}

// schema is that of GraphQL.
var schema = graph.NewExecutableSchema(graph.Config{}).Schema()

// cover marks what a request uses.
func cover(t *testing.T, e exchange, used map[string]bool) {
	t.Helper()
	u, err := url.Parse(e.Target)
	require.NoError(t, err)
	if u.Path == "/graphql" {
		coverDocument(t, e.Body, used)
		return
	}
	coverREST(e, u, used)
}

func coverREST(e exchange, u *url.URL, used map[string]bool) {
	operation := e.Method + " " + u.Path
	if strings.HasPrefix(u.Path, prefix2) {
		operation = u.Path // the methods of HTTP have the same handler
	}
	used[operation] = true
	for name := range u.Query() {
		used[operation+" "+name] = true
		used["* "+name] = true
	}
	if name, _, ok := strings.Cut(e.Header, ": "); ok {
		used["* "+name] = true
	}
	var body map[string]json.RawMessage
	if json.Unmarshal([]byte(e.Body), &body) == nil {
		for name := range body {
			used[operation+" "+name] = true
		}
	}
}

// described is a parameter, or a member of the body, of an OpenAPI document; name is empty for the operation itself.
type described struct {
	method, path, name, in string
	common                 bool // to many operations
}

// operations returns the texts that [coverREST] uses.
func operations(list []described) (all []string) {
	for _, d := range list {
		operation := d.method + " " + d.path
		if strings.HasPrefix(d.path, prefix2) {
			operation = d.path
		}
		switch {
		case d.name == "":
			all = append(all, operation)
		case d.common:
			all = append(all, "* "+d.name)
		default:
			all = append(all, operation+" "+d.name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// openAPI lists what the OpenAPI document of an API describes.
func openAPI(t *testing.T, h http.Handler, prefix string) (list []described) {
	t.Helper()
	type schema struct {
		Ref        string `json:"$ref"`
		Properties map[string]any
	}
	type parameter struct {
		Ref      string `json:"$ref"`
		Name, In string
	}
	var document struct {
		Paths map[string]map[string]struct {
			Parameters  []parameter
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct {
			Parameters map[string]parameter
			Schemas    map[string]schema
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, prefix+"/openapi.json", http.NoBody))
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &document))
	last := func(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }
	for path, methods := range document.Paths {
		for method, operation := range methods {
			d := described{method: strings.ToUpper(method), path: path}
			list = append(list, d)
			for _, p := range operation.Parameters {
				d.common = p.Ref != ""
				if d.common {
					p = document.Components.Parameters[last(p.Ref)]
				}
				d.name, d.in = p.Name, p.In
				list = append(list, d)
			}
			for _, content := range operation.RequestBody.Content {
				s := content.Schema
				if s.Ref != "" {
					s = document.Components.Schemas[last(s.Ref)]
				}
				for name := range s.Properties {
					list = append(list, described{method: d.method, path: path, name: name, in: "body"})
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b described) int {
		return strings.Compare(a.path+" "+a.method+" "+a.name, b.path+" "+b.method+" "+b.name)
	})
	require.NotEmpty(t, list)
	return list
}

// coverDocument marks the fields, arguments and members of inputs that a GraphQL request uses.
func coverDocument(t *testing.T, body string, used map[string]bool) {
	t.Helper()
	var request struct{ Query string }
	require.NoError(t, json.Unmarshal([]byte(body), &request))
	doc, err := parser.ParseQuery(&ast.Source{Input: request.Query})
	require.NoError(t, err)
	validator.Walk(schema, doc, visitor(used))
}

func visitor(used map[string]bool) *validator.Events {
	events := &validator.Events{}
	events.OnField(func(_ *validator.Walker, f *ast.Field) {
		if f.ObjectDefinition == nil {
			return
		}
		used[f.ObjectDefinition.Name+"."+f.Name] = true
		for _, a := range f.Arguments {
			used[f.ObjectDefinition.Name+"."+f.Name+"("+a.Name+")"] = true
		}
	})
	events.OnValue(func(_ *validator.Walker, v *ast.Value) {
		if v.Kind != ast.ObjectValue || v.Definition == nil {
			return
		}
		for _, c := range v.Children {
			used[v.Definition.Name+"."+c.Name] = true
		}
	})
	return events
}

// members lists the fields that queries reach, their arguments, and the members of inputs, as [coverDocument] marks them.
func members() (all []string) {
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		d := schema.Types[name]
		if seen[name] || strings.HasPrefix(name, "__") || d == nil {
			return
		}
		seen[name] = true
		for _, possible := range schema.GetPossibleTypes(d) {
			visit(possible.Name)
		}
		for _, f := range d.Fields {
			key := name + "." + f.Name
			if strings.HasPrefix(f.Name, "__") || notRecorded[key] != "" {
				continue
			}
			if d.Kind == ast.Object || d.Kind == ast.InputObject {
				all = append(all, key)
			}
			for _, a := range f.Arguments {
				all = append(all, key+"("+a.Name+")")
				visit(a.Type.Name())
			}
			visit(f.Type.Name())
		}
	}
	visit(schema.Query.Name)
	slices.Sort(all)
	return all
}
