package scalar

import (
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalOpcode writes 0x and eight hex digits.
func MarshalOpcode(op uint32) graphql.Marshaler { return printed(AppendOpcode(nil, op)) }

// AppendOpcode writes 0x and eight hex digits.
func AppendOpcode(to []byte, op uint32) []byte {
	return append(append(append(to, '"'), chain.FormatOpcode(op)...), '"')
}

// UnmarshalOpcode parses hex after 0x, or a decimal number.
func UnmarshalOpcode(v any) (uint32, error) {
	s := digits(v)
	number, base := s, 10
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		number, base = hex, 16
	}
	n, err := strconv.ParseUint(number, base, 32)
	if err != nil {
		return 0, chain.Invalidf("Opcode is 0x and up to eight hex digits, or a decimal number, not %s", chain.Quote(s))
	}
	return uint32(n), nil
}
