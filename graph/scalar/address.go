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

// UnmarshalAddress reads any form of address.
func UnmarshalAddress(v any) (chain.Address, error) {
	s, err := text("Address", v)
	if err != nil {
		return chain.Address{}, err
	}
	return chain.ParseAddress(s)
}

// printed writes what one of the functions that append has printed.
func printed(b []byte) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		_, _ = w.Write(b) // the transport reports a broken connection
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
