package scalar

import (
	"io"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalAddress writes the raw form.
func MarshalAddress(a chain.Address) graphql.Marshaler { return printed(AppendAddress(nil, a)) }

// AppendAddress writes the raw form.
func AppendAddress(to []byte, a chain.Address) []byte {
	return append(a.AppendRaw(append(to, '"')), '"')
}

// UnmarshalAddress parses an address in any form.
func UnmarshalAddress(v any) (chain.Address, error) {
	s, err := text("Address", v)
	if err != nil {
		return chain.Address{}, err
	}
	return chain.ParseAddress(s)
}

// printed returns a marshaler that writes b.
func printed(b []byte) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		_, _ = w.Write(b) // the transport reports a broken connection
	})
}

// text returns the input as a string. It refuses numbers, which may have lost digits when the JSON was parsed.
func text(scalar string, v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", chain.Invalidf("%s is written as a string", scalar)
	}
	return s, nil
}
