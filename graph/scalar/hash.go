package scalar

import (
	"encoding/base64"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalHash writes standard base64.
func MarshalHash(h chain.Hash) graphql.Marshaler { return printed(AppendHash(nil, h)) }

// AppendHash writes standard base64.
func AppendHash(to []byte, h chain.Hash) []byte {
	return append(base64.StdEncoding.AppendEncode(append(to, '"'), h[:]), '"')
}

// UnmarshalHash parses hex, base64 or base64url.
func UnmarshalHash(v any) (chain.Hash, error) {
	s, err := text("Hash", v)
	if err != nil {
		return chain.Hash{}, err
	}
	return chain.ParseHash(s)
}
