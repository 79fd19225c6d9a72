package v3_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/rest/handler"
	v3 "tonql/rest/v3"
)

// row shows one parameter of a route on the devnet: a question, what the parameter does to its answer, a value for which
// there is nothing, and a value that cannot be read.
type row struct {
	base string // the question without the parameter: a query, or the JSON of a body
	does effect
	none outcome // zero: its form's value in [nothing] gives an empty list
	bad  outcome // zero: its form's value in [illegible] gives 422 in the published words
}

// outcome is what a value of a parameter leads to.
type outcome struct {
	query  string // the complete query, including the parameter; "" for the base with value
	value  string // of the parameter
	status int    // 0 for 200
	text   string // what the error says; of an answer with status 200, what its JSON contains; "" for an empty list
	like   string // for values that are taken for another one: that one; "none" for the question without the parameter
}

// nothing are values that no row has, by the form of the parameter.
var nothing = map[handler.Form]string{
	handler.AddressForm: "{nobody}", handler.NullableAddressForm: "{nobody}", handler.HashForm: "{nothing}",
	handler.Int32Form: "2000000", handler.ShardForm: "1", handler.OpcodeForm: "0x0badbad0",
}

// illegible are values that cannot be read, by the form of the parameter.
var illegible = map[handler.Form]string{
	handler.AddressForm: "0:12", handler.NullableAddressForm: "nil", handler.HashForm: "abc", handler.ShardForm: "z", handler.OpcodeForm: "0xg",
	handler.Int32Form: "1.5", handler.Uint64Form: "-1", handler.UtimeForm: "-1", handler.BoolForm: "maybe", handler.LimitForm: "ten",
	handler.OffsetForm: "ten",
}

// What every list of the devnet is asked for, and in which order it answers. Every answer also fits both descriptions of
// the interface, as all answers of these tests.
//
//nolint:tparallel // the subtests share one devnet
func TestQuestionsOnADevnet(t *testing.T) {
	t.Parallel()
	s := extendScenario(t)
	t.Run("orders", func(t *testing.T) { s.inOrder(t) })
	t.Run("orders within rows", func(t *testing.T) { s.inOrderInside(t) })
	t.Run("parameters", func(t *testing.T) { s.everyParameter(t) })
}

// everyParameter holds every parameter of every route, as our OpenAPI document lists them, against its row in the table,
// which has no other rows: the parameter changes the answer as the interface says, finds nothing where there is nothing,
// and is refused when it cannot be read.
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

// show holds the row against the devnet.
func (r row) show(t *testing.T, p parameterCase) {
	t.Helper()
	t.Run("changes", func(t *testing.T) { r.does(t, p) })
	t.Run("nothing", func(t *testing.T) { p.leads(t, r.none.or(nothing[p.form], 0, "")) })
	t.Run("unreadable", func(t *testing.T) {
		nonEmptyTexts := `failed to decode: schema: error converting value for "` + p.name + `"`
		if p.many {
			nonEmptyTexts = `failed to decode: schema: error converting value for index 0 of "` + p.name + `"`
		}
		p.leads(t, r.bad.or(illegible[p.form], http.StatusUnprocessableEntity, nonEmptyTexts))
	})
}

// or is the outcome, or else that of the form's value.
func (o outcome) or(value string, status int, text string) outcome {
	if o == (outcome{}) {
		return outcome{value: value, status: status, text: text}
	}
	return o
}

// parameter is one that a route takes.
type parameter struct {
	method, path, name string
	form               handler.Form
	many               bool
	body               bool // a member of the body
	header             bool
	common             bool // to many routes
}

// parameters lists what the OpenAPI document has.
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
