package graphql

import (
	"bytes"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"
)

// body encodes a response in one line. Data is absent, not null, when nothing was executed; the executor has encoded it, so
// it is copied.
func body(resp *graphql.Response) []byte {
	if resp == nil { // the request was cancelled during execution
		resp = failure("the request was cancelled")
	}
	b := bytes.NewBuffer(make([]byte, 0, len(resp.Data)+256))
	open := byte('{')
	member := func(name string) {
		b.WriteByte(open)
		b.WriteString(name)
		open = ','
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	var failed error
	if len(resp.Errors) != 0 {
		member(`"errors":`)
		failed = enc.Encode(bounded(resp.Errors))
		b.Truncate(b.Len() - 1) // the line's end
	}
	if len(resp.Data) != 0 {
		member(`"data":`)
		b.Write(resp.Data)
	}
	if len(resp.Extensions) != 0 && failed == nil {
		member(`"extensions":`)
		failed = enc.Encode(resp.Extensions)
		b.Truncate(b.Len() - 1)
	}
	if failed != nil {
		return []byte(`{"errors":[{"message":"internal error","extensions":{"code":"INTERNAL"}}]}`)
	}
	if open == '{' {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes()
}
