package scalar

import (
	"io"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalAddress writes the raw form.
func MarshalAddress(a chain.Address) graphql.Marshaler { return quoted(a.AppendRaw(nil)) }

// UnmarshalAddress reads any form of address.
func UnmarshalAddress(v any) (chain.Address, error) {
	s, err := text("Address", v)
	if err != nil {
		return chain.Address{}, err
	}
	return chain.ParseAddress(s)
}

// quoted writes text that needs no escaping as a JSON string.
func quoted(b []byte) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		out := make([]byte, 0, len(b)+2)
		out = append(append(append(out, '"'), b...), '"')
		_, _ = w.Write(out) // the transport reports a broken connection
	})
}

// text insists on a string: a number would have lost digits before it came here.
func text(scalar string, v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", chain.Invalidf("%s is written as a string", scalar)
	}
	return s, nil
}
