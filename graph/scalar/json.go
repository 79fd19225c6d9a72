package scalar

import (
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"

	"tonql/graph/exec"
	"tonql/internal/chain"
)

// MarshalJSON writes a value that is JSON already; nothing is null.
func MarshalJSON(v json.RawMessage) graphql.Marshaler {
	if v == nil {
		return graphql.Null
	}
	return printed(v)
}

// AppendJSON writes a value that is JSON already, in one line; nothing is null.
func AppendJSON(to []byte, v json.RawMessage) []byte { return exec.AppendJSON(to, v) }

// UnmarshalJSON reads any value.
func UnmarshalJSON(v any) (json.RawMessage, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, chain.Invalidf("JSON is any value JSON can carry")
	}
	return raw, nil
}
