package v3_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/internal/pacetest"
	"tonql/rest/handler"
	v3 "tonql/rest/v3"
)

// row tests one parameter of a route: a request, the effect of the parameter on the response, a value that finds
// nothing, and an invalid value.
type row struct {
	base string // the request without the parameter: a query, or a JSON body
	does effect
	none outcome // zero: its form's value in [nothing] gives an empty list
	bad  outcome // zero: its form's value in [illegible] gives 422 with the published text
}

// outcome is the expected result of a value.
type outcome struct {
	query  string // the complete query, including the parameter; "" for the base with value
	value  string // of the parameter
	status int    // 0 for 200
	text   string // text of the error; with status 200, a part of the JSON; "" for an empty list
	like   string // the value with the same response; "none" for the request without the parameter
}

// nothing holds values that no row has, by the form of the parameter.
var nothing = map[handler.Form]string{
	handler.AddressForm: "{nobody}", handler.NullableAddressForm: "{nobody}", handler.HashForm: "{nothing}",
	handler.Int32Form: "2000000", handler.ShardForm: "1", handler.OpcodeForm: "0x0badbad0",
}

// illegible holds invalid values, by the form of the parameter.
var illegible = map[handler.Form]string{
	handler.AddressForm: "0:12", handler.NullableAddressForm: "nil", handler.HashForm: "abc", handler.ShardForm: "z", handler.OpcodeForm: "0xg",
	handler.Int32Form: "1.5", handler.Uint64Form: "-1", handler.UtimeForm: "-1", handler.BoolForm: "maybe", handler.LimitForm: "ten",
	handler.OffsetForm: "ten",
}

// Every parameter of every list has its documented effect, and lists have their documented order. Responses are
// validated against both OpenAPI documents, as in all tests.
//
//nolint:tparallel // the subtests share one devnet
func TestDevnet_OrdersAndParametersAreAsDocumented(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	s := extendScenario(t)
	t.Run("orders", func(t *testing.T) { s.requireOrder(t) })
	t.Run("orders within rows", func(t *testing.T) { s.requireOrderInside(t) })
	t.Run("parameters", func(t *testing.T) { s.everyParameter(t) })
	t.Run("staking", func(t *testing.T) { s.requireStaking(t) })
	t.Run("at once", func(t *testing.T) { s.everyRouteAtOnce(t) })
}

// everyRouteAtOnce sends the request of each row by several clients at once, in different orders. Though there is one connection to the
// database, each response is the one that the request gets alone.
func (s *fixture) everyRouteAtOnce(t *testing.T) {
	t.Helper()
	type request struct {
		parameterCase
		alone string
	}
	var requests []request
	for key, r := range table() {
		route, _, _ := strings.Cut(key, " /")
		path, _, _ := strings.Cut(strings.TrimPrefix(key, route+" "), " ")
		if route != http.MethodGet || strings.HasPrefix(path, "/pending") { // the state of pending messages depends on the time
			continue
		}
		c := parameterCase{fixture: s, parameter: parameter{method: route, path: path}, base: r.base}
		requests = append(requests, request{c, c.putAnew(t, c.base).text})
	}
	require.Greater(t, len(requests), 150)
	var clients errgroup.Group
	for range 8 {
		order := rand.Perm(len(requests))
		clients.Go(func() error {
			for _, i := range order {
				r := &requests[i]
				if got := r.do(r.path + "?" + r.fill(r.base, url.QueryEscape)); got.Body.String() != r.alone {
					return fmt.Errorf("%s %s: %d: %.300s\nalone: %.300s", r.path, r.base, got.Code, got.Body, r.alone)
				}
			}
			return nil
		})
	}
	require.NoError(t, clients.Wait())
}

// everyParameter tests every parameter of our OpenAPI document by its row in the table, which has no other rows: the
// parameter has its documented effect, finds nothing for a value that no row has, and is rejected if the value is
// invalid.
func (s *fixture) everyParameter(t *testing.T) {
	t.Helper()
	left := table()
	for _, p := range parameters(t) {
		key := p.method + " " + p.path + " " + p.name
		if p.common {
			key = "* " + p.name
			p.method, p.path = http.MethodGet, "/actions"
		}
		r, ok := left[key]
		require.True(t, ok, "no row shows what %s does", key)
		delete(left, key)
		t.Run(strings.ReplaceAll(key, "/", "."), func(t *testing.T) { r.show(t, parameterCase{fixture: s, parameter: p, base: r.base}) })
	}
	require.Empty(t, slices.Sorted(maps.Keys(left)), "rows for parameters that no route has")
}

// show tests the row on the devnet.
func (r row) show(t *testing.T, p parameterCase) {
	t.Helper()
	t.Run("changes", func(t *testing.T) { r.does(t, p) })
	t.Run("nothing", func(t *testing.T) { p.requireOutcome(t, r.none.or(nothing[p.form], 0, "")) })
	t.Run("unreadable", func(t *testing.T) {
		text := `failed to decode: schema: error converting value for "` + p.name + `"`
		if p.many {
			text = `failed to decode: schema: error converting value for index 0 of "` + p.name + `"`
		}
		p.requireOutcome(t, r.bad.or(illegible[p.form], http.StatusUnprocessableEntity, text))
	})
}

// or returns the outcome or, if that is zero, the outcome of the form's value.
func (o outcome) or(value string, status int, text string) outcome {
	if o == (outcome{}) {
		return outcome{value: value, status: status, text: text}
	}
	return o
}

// parameter is a parameter of a route.
type parameter struct {
	method, path, name string
	form               handler.Form
	many               bool
	body               bool // a member of the body
	header             bool
	common             bool // to many routes
}

// parameters lists the parameters of the OpenAPI document.
func parameters(t *testing.T) (list []parameter) {
	t.Helper()
	type param struct {
		Ref, Name, In string
	}
	var document struct {
		Paths map[string]map[string]struct {
			Parameters  []map[string]any
			RequestBody struct {
				Content map[string]struct{ Schema map[string]string }
			}
		}
		Components struct {
			Parameters map[string]param
			Schemas    map[string]struct{ Properties map[string]any }
		}
	}
	text, err := v3.Document()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &document))
	seen := map[string]bool{}
	for _, route := range v3.Routes() {
		forms := map[string]handler.Param{}
		for _, p := range v3.ParamsOf(route) {
			forms[p.Name] = p
		}
		operation := document.Paths[v3.Prefix+route.Path][strings.ToLower(route.Method)]
		for _, described := range operation.Parameters {
			if ref, ok := described["$ref"].(string); ok {
				p := document.Components.Parameters[ref[strings.LastIndex(ref, "/")+1:]]
				if !seen[p.Name] {
					list = append(list, parameter{route.Method, route.Path, p.Name, handler.TextForm, false, false, p.In == "header", true})
				}
				seen[p.Name] = true
				continue
			}
			name, _ := described["name"].(string)
			list = append(list, parameter{route.Method, route.Path, name, forms[name].Form, forms[name].Many, false, false, false})
		}
		for _, content := range operation.RequestBody.Content {
			ref := content.Schema["$ref"]
			for _, name := range slices.Sorted(maps.Keys(document.Components.Schemas[ref[strings.LastIndex(ref, "/")+1:]].Properties)) {
				list = append(list, parameter{route.Method, route.Path, name, handler.TextForm, false, true, false, false})
			}
		}
	}
	require.Greater(t, len(list), 200)
	return list
}
