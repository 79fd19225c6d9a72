package scalar

import (
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"

	"tonql/graph/exec"
	"tonql/internal/chain"
)

// MarshalJSON writes a JSON value, or null for an empty one.
func MarshalJSON(v json.RawMessage) graphql.Marshaler {
	if v == nil {
		return graphql.Null
	}
	return printed(v)
}

// AppendJSON writes a JSON value in one line, or null for an empty one.
func AppendJSON(to []byte, v json.RawMessage) []byte { return exec.AppendJSON(to, v) }

// UnmarshalJSON accepts any value.
func UnmarshalJSON(v any) (json.RawMessage, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, chain.Invalidf("JSON is any value JSON can carry")
	}
	return raw, nil
}
