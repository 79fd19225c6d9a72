package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// field is a member of a record.
type field struct {
	name     string
	kind     string // a key of kinds, or of records: a record, "[R]" a list and "{R}" a map of them
	nullable bool
	optional bool
}

// parseFields reads "name kind, …". The kind ends in ? where null is allowed, in ~ where the member may be left out.
func parseFields(text string) []field {
	var fields []field
	for part := range strings.SplitSeq(text, ",") {
		tokens := strings.Fields(part)
		f := field{name: tokens[0], kind: tokens[1]}
		for {
			if kind, ok := strings.CutSuffix(f.kind, "?"); ok {
				f.kind, f.nullable = kind, true
			} else if kind, ok := strings.CutSuffix(f.kind, "~"); ok {
				f.kind, f.optional = kind, true
			} else {
				break
			}
		}
		fields = append(fields, f)
	}
	return fields
}

// records are the members of the records of all sections.
var records = func() map[string][]field {
	parsed := map[string][]field{}
	for _, texts := range []map[string]string{v3Records, v2Records, emulateRecords, graphqlRecords, streamingRecords} {
		for name, text := range texts {
			parsed[name] = parseFields(text)
		}
	}
	return parsed
}()

// conforms checks a value against a record, and fails the check at the first difference.
func (v value) conforms(name string) {
	if !v.present() {
		return
	}
	object, ok := v.v.(map[string]any)
	if !ok {
		v.p.failf("%s is no object", v.path)
		return
	}
	for _, f := range records[name] {
		member, there := object[f.name]
		path := v.path + "." + f.name
		switch {
		case !there && f.optional:
		case !there:
			v.p.failf("%s is missing", path)
		case member == nil && f.nullable:
		default:
			value{v.p, member, path, true}.is(f.kind)
		}
	}
}

// is checks a value against a kind or a record.
func (v value) is(kind string) {
	inner := strings.Trim(kind, "[]{}")
	switch {
	case !v.present():
	case kinds[kind] != nil:
		if !kinds[kind](v.v) {
			v.p.failf("%s is %s, which is no %s", v.path, show(v.v), kindNames[kind])
		}
	case kind == inner:
		v.conforms(kind)
	case kind[0] == '[':
		for _, row := range v.rows() {
			row.is(inner)
		}
	default:
		for _, member := range v.members() {
			member.is(inner)
		}
	}
}

// kindNames are the kinds in sentences.
var kindNames = map[string]string{
	"any": "value", "str": "string", "bool": "boolean", "int": "JSON integer", "dec": "decimal string",
	"hash": "hash in base64", "addr": "raw address in upper case", "lowaddr": "raw address in lower case",
	"friend": "user-friendly address", "friend0": "user-friendly address or empty string", "shard": "shard in upper-case hex",
	"opcode": "opcode, 0x and 8 hex digits", "boc": "bag of cells in base64", "bytes": "base64", "obj": "object", "arr": "array",
	"hashes": "array of hashes", "addrs": "array of raw addresses", "state": "account status", "final": "finality", "time": "time in ISO 8601",
}

// show prints a value of the server in a sentence.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return fmt.Sprintf("an object of %d members", len(v))
	case []any:
		return fmt.Sprintf("an array of %d", len(v))
	case string:
		return fmt.Sprintf("%+q", cut(v, 80))
	default:
		return cut(fmt.Sprint(v), 80)
	}
}

// sortedNames returns the names of an object's members.
func sortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
