package v3_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	v3 "tonql/rest/v3"
)

// deviations returns the table of differences from the published document in docs/compatibility.md: what differs, and
// why. If t is nil, a missing file counts as an empty table.
func deviations(t testing.TB) map[string]string { //nolint:thelper // it may be nil
	if t != nil {
		t.Helper()
	}
	text, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		if t != nil {
			require.NoError(t, err)
		}
		return nil
	}
	_, section, _ := strings.Cut(string(text), "\n## Differences from the published description\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := map[string]string{}
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		for at := range strings.SplitSeq(cells[1], ",") {
			rows[strings.Trim(at, " `")] = strings.TrimSpace(cells[4])
		}
	}
	return rows
}

// The published document and ours have the same routes, parameters and members, of the same types, except for exactly
// the differences that docs/compatibility.md lists with their reasons.
func TestOpenAPI_DiffersFromThePublishedDocumentAsListed(t *testing.T) {
	t.Parallel()
	theirs, err := publishedTree()
	require.NoError(t, err)
	if theirs == nil {
		t.Skip("TONQL_V3_OPENAPI does not name the published OpenAPI document")
	}
	doc, err := ours()
	require.NoError(t, err)
	c := comparison{theirs: theirs, ours: doc.tree, seen: map[string]bool{}, found: map[string]bool{}}
	c.routes()
	listed := deviations(t)
	require.Equal(t, slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Keys(c.found)),
		"the table of differences in docs/compatibility.md")
	for at, why := range listed {
		require.NotEmpty(t, why, at)
	}
	require.Greater(t, len(c.seen), 40, "records compared")
}

// comparison walks two documents in parallel and records their differences.
type comparison struct {
	theirs, ours map[string]any
	seen         map[string]bool // pairs of records
	found        map[string]bool
}

func (c *comparison) differf(format string, args ...any) {
	c.found[fmt.Sprintf(format, args...)] = true
}

func (c *comparison) routes() {
	own := c.ours["paths"].(map[string]any)
	for path, item := range c.theirs["paths"].(map[string]any) {
		for method, operation := range item.(map[string]any) {
			mine, ok := own[path].(map[string]any)
			if !ok {
				c.differf("%s", strings.TrimPrefix(path, v3.Prefix))
				continue
			}
			c.operation(strings.TrimPrefix(path, v3.Prefix), operation.(map[string]any), mine[method].(map[string]any))
		}
	}
	for path := range own {
		if c.theirs["paths"].(map[string]any)[path] == nil {
			c.differf("%s", strings.TrimPrefix(path, v3.Prefix))
		}
	}
}

func (c *comparison) operation(path string, theirs, mine map[string]any) {
	their, here := queryParameters(theirs), queryParameters(mine)
	for _, name := range names2(their, here) {
		a, b := their[name], here[name]
		if a == nil || b == nil || !reflect.DeepEqual(facts(a), facts(b)) {
			c.differf("%s %s", path, name)
		}
	}
	if body, ok := theirs["requestBody"].(map[string]any); ok {
		c.schema(path+" request", requestOf(body), requestOf(mine["requestBody"].(map[string]any)))
	}
	response, own := responseOf(theirs)["schema"].(map[string]any), responseOf(mine)["schema"].(map[string]any)
	if a, b := response["$ref"], own["$ref"]; a != nil && b != nil && a != b {
		c.differf("%s response", path)
		return
	}
	c.schema(path+" response", response, own)
}

func requestOf(body map[string]any) map[string]any {
	return body["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
}

func queryParameters(operation map[string]any) map[string]map[string]any {
	params := map[string]map[string]any{}
	list, _ := operation["parameters"].([]any)
	for _, p := range list {
		// Parameters of all routes are references and, like cursor, extensions.
		if p := p.(map[string]any); p["in"] == "query" && p["name"] != "cursor" {
			params[p["name"].(string)] = p
		}
	}
	return params
}

func names2[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// facts returns the properties of a parameter that must be equal.
func facts(p map[string]any) map[string]any {
	s := p["schema"].(map[string]any)
	f := map[string]any{"required": p["required"] == true}
	if items, ok := s["items"].(map[string]any); ok {
		f["many"] = true
		s = items
	}
	for _, name := range []string{"type", "enum", "minimum", "maximum", "default"} {
		f[name] = fmt.Sprint(s[name])
	}
	if f["default"] == "false" { // the value when nothing is sent
		f["default"] = "<nil>"
	}
	return f
}

// schema compares two schemas. at is the record's member, or the route's response or request.
func (c *comparison) schema(at string, theirs, mine map[string]any) {
	their, theirName := resolve(c.theirs, theirs)
	own, ownName := resolve(c.ours, mine)
	if theirName != "" {
		if c.seen[theirName+" "+ownName] {
			return
		}
		c.seen[theirName+" "+ownName] = true
		at = theirName
	}
	if their["type"] == nil || own["type"] == nil { // anything
		return
	}
	if their["type"] != typeOf(own) {
		c.differf("%s", at)
		return
	}
	if items, ok := their["items"].(map[string]any); ok {
		c.schema(at, items, own["items"].(map[string]any))
		return
	}
	if extra, ok := their["additionalProperties"].(map[string]any); ok {
		if own, ok := own["additionalProperties"].(map[string]any); ok && len(extra) > 0 {
			c.schema(at, extra, own)
		}
		return
	}
	members, _ := their["properties"].(map[string]any)
	if members == nil {
		return
	}
	record := theirName
	if record == "" {
		record = at
	}
	owned, ok := own["properties"].(map[string]any)
	if !ok {
		c.differf("%s", at)
		return
	}
	for _, name := range names2(members, owned) {
		a, inTheirs := members[name].(map[string]any)
		b, inOurs := owned[name].(map[string]any)
		if !inTheirs || !inOurs {
			c.differf("%s.%s", record, name)
			continue
		}
		c.schema(record+"."+name, a, b)
	}
}

// typeOf returns a type without null.
func typeOf(s map[string]any) any {
	if list, ok := s["type"].([]any); ok {
		return list[0]
	}
	return s["type"]
}

// resolve follows a reference, also in a union with null.
func resolve(tree, s map[string]any) (schema map[string]any, name string) {
	if either, ok := s["oneOf"].([]any); ok {
		s = either[0].(map[string]any)
	}
	ref, ok := s["$ref"].(string)
	if !ok {
		return s, ""
	}
	name = ref[strings.LastIndexByte(ref, '/')+1:]
	return recordsOf(tree)[name].(map[string]any), name
}

// The document lists every route, is served, and has no unused texts.
func TestOpenAPI_ListsEveryRoute(t *testing.T) {
	t.Parallel()
	d := serve(t)
	var doc struct {
		OpenAPI    string
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	w := d.do("/openapi.json")
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &doc))
	require.Equal(t, "3.1.0", doc.OpenAPI)
	require.Equal(t, w.Body.String(), d.do("/doc.json").Body.String())
	for _, r := range v3.Routes() {
		_, described := doc.Paths[v3.Prefix+r.Path][strings.ToLower(r.Method)]
		require.True(t, described, "%s %s", r.Method, r.Path)
	}
	text := w.Body.String()
	for name := range doc.Components.Schemas {
		require.Contains(t, text, `"#/components/schemas/`+name+`"`, "a record without a reference")
	}
	require.Empty(t, v3.Superfluous(), "descriptions of routes and parameters that do not exist")
}

// The page and its files are embedded, and the page can send requests to this server only.
func TestDocumentationPage_IsEmbedded(t *testing.T) {
	t.Parallel()
	d := serve(t)
	for _, path := range []string{"/", "/index.html"} {
		w := d.do(path)
		require.Equal(t, 200, w.Code)
		require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "connect-src 'self'")
		require.NotContains(t, w.Body.String(), "://")
	}
	require.Equal(t, "text/javascript; charset=utf-8", d.do("/page/page.js").Header().Get("Content-Type"))
	require.Equal(t, "text/css; charset=utf-8", d.do("/page/page.css").Header().Get("Content-Type"))
	for _, none := range []string{"/page/", "/page/none.js", "/page/../routes.go", "/page/..%2Froutes.go"} {
		require.Equal(t, 404, d.do(none).Code, none)
	}
}
