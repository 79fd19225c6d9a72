package config

import (
	"encoding/json"
	"slices"
	"time"
)

// property is one property of the JSON schema.
type property struct {
	Description string    `json:"description"`
	Type        any       `json:"type"`
	Enum        []string  `json:"enum,omitempty"`
	Minimum     *int64    `json:"minimum,omitempty"`
	Maximum     *int64    `json:"maximum,omitempty"`
	Pattern     string    `json:"pattern,omitempty"`
	MinLength   int       `json:"minLength,omitempty"`
	Items       *property `json:"items,omitempty"`
	Default     any       `json:"default,omitempty"`
	WriteOnly   bool      `json:"writeOnly,omitempty"` // secrets
}

// Schema returns the JSON schema of the configuration file.
func Schema(settings []Setting) ([]byte, error) {
	properties := map[string]property{}
	for _, s := range settings {
		if !s.argument {
			properties[s.name] = s.property()
		}
	}
	return json.MarshalIndent(struct {
		Schema     string              `json:"$schema"`
		Title      string              `json:"title"`
		Type       string              `json:"type"`
		Additional bool                `json:"additionalProperties"`
		Properties map[string]property `json:"properties"`
	}{"https://json-schema.org/draft/2020-12/schema", "Configuration file of tonql", "object", false, properties}, "", "  ")
}

func (s Setting) property() property {
	p := property{Description: s.usage, Enum: s.choices, Default: s.value, WriteOnly: s.secret}
	switch v := s.value.(type) {
	case bool:
		p.Type = "boolean"
	case int:
		p.Type = "integer"
		if s.bounded {
			p.Minimum, p.Maximum = &s.low, &s.high
		}
	case float64:
		p.Type = "number"
		if s.bounded {
			p.Minimum, p.Maximum = &s.low, &s.high
		}
	case time.Duration:
		p.Type, p.Pattern, p.Default = "string", `^(-?[0-9.]+(ns|us|µs|ms|s|m|h))+$`, short(v)
	case []string:
		p.Type, p.Items = []string{"array", "string"}, &property{Description: "one value", Type: "string"}
		if len(v) == 0 {
			p.Default = nil
		}
	case string:
		p.Type = []string{"string", "number"} // a text of digits need not be quoted
		if len(s.choices) > 0 {
			p.Type = "string"
			if !slices.Contains(s.choices, v) {
				p.Enum = append(slices.Clone(s.choices), v)
			}
		}
		if v == "" {
			p.Default = nil
		}
		if s.needed() {
			p.MinLength = 1
		}
	default:
		p.Type = []string{} // no value: there is a constructor for each type above
	}
	return p
}
