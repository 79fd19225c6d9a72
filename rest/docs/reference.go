package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// reference is what the page of an API shows.
type reference struct {
	Title, Version, Network string
	Description             string
	Prefix                  string
	KeyHeader               string
	Groups                  []operations
	Webhooks                []operation
	Schemas                 []schema
}

// operations are those with one tag.
type operations struct {
	Name, Title string
	List        []operation
}

// groupTitle returns a tag as a heading.
func groupTitle(tag string) string {
	switch tag {
	case "nfts":
		return "NFTs"
	case "dns":
		return "DNS"
	case "jsonRPC":
		return "JSON-RPC"
	case "":
		return ""
	default:
		return strings.ToUpper(tag[:1]) + tag[1:]
	}
}

type operation struct {
	ID, Method, Path, Summary string
	Parameters                []parameter
	Body                      *body
	Responses                 []response
	Example                   string // the path and the query of the example
	Note                      string // why the example has another response than the usual one
	Missing                   bool   // the index has no object for the example
	Deprecated                bool
}

type parameter struct {
	ID, Name, In, Description string
	Type                      []part
	Required, Many, Boolean   bool
	Enum                      []string
	Default                   string
	Value                     string // in the example
}

type body struct {
	Type   []part
	Fields []field
	Value  string // of the example, as indented JSON
}

type response struct {
	Status, Description string
	Type                []part
	Fields              []field
	Headers             []field
}

// newReference reads an OpenAPI document. The examples have the objects found in the index.
func newReference(text []byte, prefix, network string, found map[string]string) (*reference, error) {
	document, err := parse(text)
	if err != nil {
		return nil, err
	}
	e, err := loadExamples(found)
	if err != nil {
		return nil, err
	}
	info := document.object("info")
	r := &reference{
		Title: strings.TrimPrefix(info.text("title"), "tonql "), Version: info.text("version"), Description: info.text("description"),
		Prefix: prefix, Network: network, Schemas: schemasOf(document),
	}
	for _, f := range document.object("components").object("securitySchemes") {
		if s, _ := f.Value.(Object); s.text("in") == "header" && r.KeyHeader == "" {
			r.KeyHeader = s.text("name")
		}
	}
	at := map[string]int{}
	for _, tag := range document.list("tags") {
		o, _ := tag.(Object)
		at[o.text("name")] = len(r.Groups)
		r.Groups = append(r.Groups, operations{Name: o.text("name"), Title: groupTitle(o.text("name"))})
	}
	for _, path := range document.object("paths") {
		item, _ := path.Value.(Object)
		for _, f := range item {
			o, _ := f.Value.(Object)
			tag, _ := firstOf(o.list("tags")).(string)
			i, ok := at[tag]
			if !ok {
				return nil, fmt.Errorf("%s: no such tag: %q", path.Name, tag)
			}
			op, err := newOperation(document, e, strings.ToUpper(f.Name), path.Name, prefix, o)
			if err != nil {
				return nil, err
			}
			r.Groups[i].List = append(r.Groups[i].List, op)
		}
	}
	for _, hook := range document.object("webhooks") {
		item, _ := hook.Value.(Object)
		for _, f := range item {
			o, _ := f.Value.(Object)
			op, err := newOperation(document, e, strings.ToUpper(f.Name), hook.Name, prefix, o)
			if err != nil {
				return nil, err
			}
			r.Webhooks = append(r.Webhooks, op)
		}
	}
	return r, nil
}

func firstOf(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// resolve returns the object that a value of the document is, or refers to.
func resolve(document Object, v any) Object {
	o, _ := v.(Object)
	ref, ok := strings.CutPrefix(o.text("$ref"), "#/")
	if !ok {
		return o
	}
	at := document
	for name := range strings.SplitSeq(ref, "/") {
		at = at.object(name)
	}
	return at
}

func newOperation(document Object, e *examples, method, path, prefix string, o Object) (operation, error) {
	op := operation{
		ID: strings.ToLower(method) + strings.ReplaceAll(strings.TrimPrefix(path, prefix), "/", "-"), Method: method, Path: path,
		Summary: o.text("summary"), Note: e.Notes[method+" "+path], Deprecated: o.yes("deprecated"), Example: path,
	}
	var query []string
	for _, v := range o.list("parameters") {
		p := newParameter(resolve(document, v), op.ID)
		s := resolve(document, v).object("schema")
		value, chosen := e.of(path, p.Name, s)
		if p.Required || chosen {
			if value == nil {
				op.Missing = true
			} else {
				p.Value = textOf(value)
			}
		}
		if p.Value != "" && p.In == "query" {
			query = append(query, url.QueryEscape(p.Name)+"="+escape(p.Value))
		}
		op.Parameters = append(op.Parameters, p)
	}
	if query != nil {
		op.Example += "?" + strings.Join(query, "&")
	}
	if s := bodySchema(o.object("requestBody")); s != nil {
		b, missing, err := newBody(document, e, path, s)
		if err != nil {
			return op, err
		}
		op.Body, op.Missing = b, op.Missing || missing
	}
	for _, f := range o.object("responses") {
		r, _ := f.Value.(Object)
		op.Responses = append(op.Responses, newResponse(document, f.Name, r))
	}
	return op, nil
}

// escape escapes a value of a query, but not the characters of addresses.
func escape(value string) string {
	return strings.NewReplacer("%3A", ":", "%2C", ",").Replace(url.QueryEscape(value))
}

func bodySchema(b Object) Object {
	return b.object("content").object("application/json").object("schema")
}

func newParameter(o Object, operation string) parameter {
	s := o.object("schema")
	p := parameter{
		Name: o.text("name"), In: o.text("in"), Description: o.text("description"), Required: o.yes("required"),
		Many: s.text("type") == "array", Boolean: s.text("type") == "boolean", Type: typeOf(s, 0),
	}
	p.ID = operation + "." + p.Name
	for _, v := range s.list("enum") {
		p.Enum = append(p.Enum, fmt.Sprint(v))
	}
	if p.Boolean {
		p.Enum = []string{"true", "false"}
	}
	if v := s.get("default"); v != nil {
		p.Default = fmt.Sprint(v)
	}
	return p
}

// textOf returns a value as it stands in a query; of a list the first.
func textOf(v any) string {
	if list, ok := v.([]any); ok {
		v = firstOf(list)
	}
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// newBody describes a request body. Its example has the required members, and those that examples names.
func newBody(document Object, e *examples, path string, s Object) (b *body, missing bool, err error) {
	b = &body{Type: typeOf(s, 0)}
	s = resolve(document, s)
	if first, _ := firstOf(s.list("oneOf")).(Object); first != nil {
		s = resolve(document, first)
	}
	b.Fields = fieldsOf(s, 0)
	if s.text("type") == "object" && s.object("properties") != nil && len(b.Type) == 1 && b.Type[0].Link != "" {
		b.Fields = nil // those of the schema that the type links to
	}
	required := map[string]bool{}
	for _, r := range s.list("required") {
		name, _ := r.(string)
		required[name] = true
	}
	example := Object{}
	for _, f := range s.object("properties") {
		member, _ := f.Value.(Object)
		v, chosen := e.of(path, f.Name, member)
		if !required[f.Name] && !chosen {
			continue
		}
		if v == nil {
			missing, v = true, ""
		}
		example = append(example, Field{f.Name, v})
	}
	text, err := example.MarshalJSON()
	if err != nil {
		return nil, false, err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		return nil, false, err
	}
	b.Value = indented.String()
	return b, missing, nil
}

func newResponse(document Object, status string, o Object) response {
	r := response{Status: status, Description: o.text("description")}
	if status == "default" {
		r.Status = "other"
	}
	if s := bodySchema(o); s != nil {
		r.Type = typeOf(s, 0)
		r.Fields = fieldsOf(s, 0)
	}
	for _, f := range o.object("headers") {
		h := resolve(document, f.Value)
		r.Headers = append(r.Headers, field{Name: f.Name, Description: h.text("description"), Type: typeOf(h.object("schema"), 0)})
	}
	return r
}
