package v2_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	v2 "tonql/rest/v2"
)

// deviations returns the table of differences from the published document in docs/compatibility.md: what differs, and
// why.
func deviations() map[string]string {
	text, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		return nil
	}
	_, section, _ := strings.Cut(string(text), "\n### Differences of /api/v2 from the published description\n")
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

// The published document and ours have the same methods, parameters and result members, except for exactly the
// differences that docs/compatibility.md lists with their reasons.
func TestOpenAPI_DiffersFromThePublishedDocumentAsListed(t *testing.T) {
	t.Parallel()
	theirs, err := publishedTree()
	require.NoError(t, err)
	if theirs == nil {
		t.Skip("TONQL_V2_OPENAPI does not name the published OpenAPI document")
	}
	doc, err := ours()
	require.NoError(t, err)
	c := comparison{theirs: theirs, ours: doc.tree, seen: map[string]bool{}, found: map[string]bool{}}
	c.routes()
	listed := deviations()
	require.Equal(t, slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Keys(c.found)),
		"the table of differences in docs/compatibility.md")
	for at, why := range listed {
		require.NotEmpty(t, why, at)
	}
	require.Greater(t, len(c.seen), 60, "records compared")
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
	table := map[string]v2.Route{}
	for _, r := range v2.Routes() {
		table[v2.Prefix+"/"+r.Name] = r
	}
	own := pathsOf(c.ours)
	for path, item := range pathsOf(c.theirs) {
		mine, ok := own[path].(map[string]any)
		name := strings.TrimPrefix(path, v2.Prefix+"/")
		if !ok {
			c.differf("%s", name)
			continue
		}
		for method, operation := range item.(map[string]any) {
			if mine[method] == nil {
				c.differf("%s %s", method, name)
				continue
			}
			if name == "jsonRPC" { // its request and response are those of any other method
				continue
			}
			c.operation(name, table[path], operation.(map[string]any), mine[method].(map[string]any))
		}
	}
	for path := range own {
		if pathsOf(c.theirs)[path] == nil {
			c.differf("%s", strings.TrimPrefix(path, v2.Prefix+"/"))
		}
	}
}

func (c *comparison) operation(name string, r v2.Route, theirs, mine map[string]any) {
	their := c.parameters(theirs)
	here := map[string]bool{}
	for _, p := range r.Params() {
		here[p.Name] = p.Required
		if required, ok := their[p.Name]; !ok || required != p.Required {
			c.differf("%s %s", name, p.Name)
		}
	}
	for p := range their {
		if _, ok := here[p]; !ok {
			c.differf("%s %s", name, p)
		}
	}
	c.schema(name, resultOf(resolve(c.theirs, responseOf(theirs))), resultOf(resolve(c.ours, responseOf(mine))))
}

// parameters returns the parameters of a published operation, and whether they are required.
func (c *comparison) parameters(operation map[string]any) map[string]bool {
	found := map[string]bool{}
	list, _ := operation["parameters"].([]any)
	for _, p := range list {
		p := p.(map[string]any)
		if ref, ok := p["$ref"].(string); ok {
			p = c.theirs["components"].(map[string]any)["parameters"].(map[string]any)[ref[strings.LastIndex(ref, "/")+1:]].(map[string]any)
		}
		found[p["name"].(string)] = p["required"] == true
	}
	if body, ok := operation["requestBody"].(map[string]any); ok {
		content := body["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
		schema, _ := resolve(c.theirs, content)
		required, _ := schema["required"].([]any)
		for p := range schema["properties"].(map[string]any) {
			found[p] = slices.Contains(required, any(p))
		}
	}
	return found
}

func responseOf(operation map[string]any) map[string]any {
	ok := operation["responses"].(map[string]any)["200"].(map[string]any)
	return ok["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
}

func resultOf(envelope map[string]any, _ string) map[string]any {
	return envelope["properties"].(map[string]any)["result"].(map[string]any)
}

// schema compares two schemas; at is where they are.
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
	their = c.joined(their)
	if kinds := either(their); kinds != nil {
		c.kinds(at, kinds, own)
		return
	}
	if own["type"] == nil && either(own) == nil { // anything
		return
	}
	if choices := either(own); choices != nil { // a result that may have more forms than published
		for _, choice := range choices {
			if resolved, _ := resolve(c.ours, choice); tagOf(resolved) == tagOf(their) {
				c.schema(at, their, resolved)
				return
			}
		}
		c.differf("%s", at)
		return
	}
	if their["type"] != own["type"] {
		c.differf("%s", at)
		return
	}
	if items, ok := their["items"].(map[string]any); ok {
		c.schema(at, items, own["items"].(map[string]any))
		return
	}
	members, _ := their["properties"].(map[string]any)
	owned, _ := own["properties"].(map[string]any)
	if members == nil || owned == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		b, ok := owned[name].(map[string]any)
		if !ok {
			c.differf("%s.%s", at, name)
			continue
		}
		c.schema(at+"."+name, members[name].(map[string]any), b)
	}
	for name := range owned {
		if members[name] == nil {
			c.differf("%s.%s", at, name)
		}
	}
}

// kinds compares the alternatives of a oneOf by their @type.
func (c *comparison) kinds(at string, theirs []map[string]any, mine map[string]any) {
	owned := map[string]map[string]any{}
	list := either(mine)
	if list == nil {
		list = []map[string]any{mine}
	}
	for _, one := range list {
		s, _ := resolve(c.ours, one)
		owned[tagOf(s)] = one
	}
	for _, one := range theirs {
		s, name := resolve(c.theirs, one)
		if match, ok := owned[tagOf(c.joined(s))]; ok {
			c.schema(at, one, match)
		} else if len(mine) > 0 && name != "" {
			c.differf("%s", name)
		}
	}
}

// joined returns a schema with the members of all schemas that it is composed of.
func (c *comparison) joined(s map[string]any) map[string]any {
	parts, ok := s["allOf"].([]any)
	if !ok {
		return s
	}
	members := map[string]any{}
	for _, part := range parts {
		one, _ := resolve(c.theirs, part.(map[string]any))
		if own, ok := c.joined(one)["properties"].(map[string]any); ok {
			maps.Copy(members, own)
		}
	}
	return map[string]any{"type": "object", "properties": members}
}

func either(s map[string]any) (list []map[string]any) {
	kinds, _ := s["oneOf"].([]any)
	for _, k := range kinds {
		list = append(list, k.(map[string]any))
	}
	return list
}

// tagOf returns what identifies a schema among alternatives: @type or the member names of a record, else the JSON type.
func tagOf(s map[string]any) string {
	if members, ok := s["properties"].(map[string]any); ok {
		if tag, ok := members["@type"].(map[string]any); ok {
			return tag["enum"].([]any)[0].(string)
		}
		return strings.Join(slices.Sorted(maps.Keys(members)), " ")
	}
	return fmt.Sprint(s["type"])
}

// resolve follows references.
func resolve(tree, s map[string]any) (schema map[string]any, name string) {
	for {
		ref, ok := s["$ref"].(string)
		if !ok {
			return s, name
		}
		name = ref[strings.LastIndex(ref, "/")+1:]
		s = recordsOf(tree)[name].(map[string]any)
	}
}
