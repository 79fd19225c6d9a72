package v3

import "tonql/rest/docs"

// scalars are the JSON schemas of the scalar types of the description, by type name.
var scalars = map[string]object{
	"any":           {},
	"object":        {{Name: "type", Value: "object"}, {Name: "additionalProperties", Value: true}},
	"string":        {{Name: "type", Value: "string"}},
	"bool":          {{Name: "type", Value: "boolean"}},
	"int32":         {{Name: "type", Value: "integer"}, {Name: "format", Value: "int32"}},
	"uint32":        {{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}, {Name: "minimum", Value: 0}, {Name: "maximum", Value: 1<<32 - 1}},
	"int64":         {{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}},
	"uint64":        {{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}, {Name: "minimum", Value: 0}},
	"number":        {{Name: "type", Value: "number"}},
	"decimal":       docs.Pattern("^-?[0-9]+$"),
	"address":       docs.Pattern("^-?[0-9]+:[0-9A-F]{64}$"),
	"addressOrNone": docs.Pattern("^(-?[0-9]+:[0-9A-F]{64}|addr_none|addr_extern)$"),
	"hash":          docs.Pattern("^[A-Za-z0-9+/]{43}=$"),
	"hex256":        docs.Pattern("^[0-9A-F]{64}$"),
	"shard":         docs.Pattern("^[0-9A-F]{1,16}$"),
	"opcode":        docs.Pattern("^0x[0-9a-f]{8}$"),
	"boc":           {{Name: "type", Value: "string"}, {Name: "contentEncoding", Value: "base64"}, {Name: "pattern", Value: "^[A-Za-z0-9+/]*={0,2}$"}},
	"status":        {{Name: "type", Value: "string"}, {Name: "enum", Value: []string{"uninit", "active", "frozen", "nonexist"}}},
}
