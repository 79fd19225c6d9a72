package graphql

import (
	"bytes"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// printed is an answer as clients get it. Data is absent, not null, where nothing was executed.
type printed struct {
	Errors     gqlerror.List   `json:"errors,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
	Extensions map[string]any  `json:"extensions,omitempty"`
}

// body prints an answer in one line.
func body(resp *graphql.Response) []byte {
	if resp == nil { // the client went away while we worked
		resp = failure("the request was cancelled")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	//nolint:errchkjson // what cannot be printed is answered as an internal error
	if enc.Encode(printed{bounded(resp.Errors), resp.Data, resp.Extensions}) != nil {
		return []byte(`{"errors":[{"message":"internal error","extensions":{"code":"INTERNAL"}}]}`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
