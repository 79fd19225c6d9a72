package scalar

import (
	"encoding/json"
	"io"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalJSON writes a value that is JSON already; nothing is null.
func MarshalJSON(v json.RawMessage) graphql.Marshaler {
	if v == nil {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) {
		_, _ = w.Write(v) // the transport reports a broken connection
	})
}

// UnmarshalJSON reads any value.
func UnmarshalJSON(v any) (json.RawMessage, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, chain.Invalidf("JSON is any value JSON can carry")
	}
	return raw, nil
}
