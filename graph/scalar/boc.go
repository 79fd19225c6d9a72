package scalar

import (
	"encoding/base64"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalBoc writes standard base64.
func MarshalBoc(b chain.BOC) graphql.Marshaler {
	if b == nil {
		return graphql.Null
	}
	return printed(AppendBoc(nil, b))
}

// AppendBoc writes standard base64, or null for nil.
func AppendBoc(to []byte, b chain.BOC) []byte {
	if b == nil {
		return append(to, "null"...)
	}
	return append(base64.StdEncoding.AppendEncode(append(to, '"'), b), '"')
}

// UnmarshalBoc parses base64 or base64url.
func UnmarshalBoc(v any) (chain.BOC, error) {
	s, err := text("Boc", v)
	if err != nil {
		return nil, err
	}
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		if b, err := enc.DecodeString(s); err == nil {
			return b, nil
		}
	}
	return nil, chain.Invalidf("Boc is a bag of cells in base64")
}
