package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// OpenAPI30 returns a document of OpenAPI 3.1 in the form of 3.0, for generators that read no other: what may be null is
// marked `nullable`, and a constant is an enumeration of one. The encodings of strings and webhooks, which 3.0 does not have, are
// left out.
func OpenAPI30(document []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var root map[string]any
	if err := decoder.Decode(&root); err != nil {
		return nil, fmt.Errorf("OpenAPI document: %w", err)
	}
	delete(root, "webhooks")
	downgrade(root)
	root["openapi"] = "3.0.3"
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(root); err != nil {
		return nil, fmt.Errorf("OpenAPI document: %w", err)
	}
	return text.Bytes(), nil
}

// downgrade changes all schemas in a part of the document. Members of a schema can have the names of keywords, so a keyword
// is recognized by the type of its value.
func downgrade(part any) {
	switch part := part.(type) {
	case []any:
		for _, element := range part {
			downgrade(element)
		}
	case map[string]any:
		for _, member := range part {
			downgrade(member)
		}
		schema30(part)
	}
}

func schema30(schema map[string]any) {
	if types, ok := schema["type"].([]any); ok {
		if some, null := withoutNull(types, func(t any) bool { return t == "null" }); null && len(some) == 1 {
			schema["type"], schema["nullable"] = some[0], true
		}
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		choices, _ := schema[keyword].([]any)
		some, null := withoutNull(choices, isNull)
		if !null {
			continue
		}
		delete(schema, keyword)
		if len(some) == 1 {
			keyword = "allOf"
		}
		schema[keyword], schema["nullable"] = some, true
	}
	if constant, ok := schema["const"]; ok {
		if _, member := constant.(map[string]any); !member {
			delete(schema, "const")
			schema["enum"] = []any{constant}
		}
	}
	if _, ok := schema["contentEncoding"].(string); ok {
		delete(schema, "contentEncoding")
	}
}

// isNull reports whether a schema has null as its only value. It was downgraded before the schema that has it.
func isNull(schema any) bool {
	object, ok := schema.(map[string]any)
	return ok && object["type"] == "null"
}

func withoutNull(list []any, null func(any) bool) (some []any, found bool) {
	for _, element := range list {
		if null(element) {
			found = true
		} else {
			some = append(some, element)
		}
	}
	return some, found
}
