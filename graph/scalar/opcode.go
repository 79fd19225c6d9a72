package scalar

import (
	"encoding/json"
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
	var s string
	switch v := v.(type) {
	case string:
		s = v
	case json.Number:
		s = v.String()
	case int64:
		s = strconv.FormatInt(v, 10)
	case int:
		s = strconv.Itoa(v)
	}
	base, digits := 10, s
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		base, digits = 16, hex
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil {
		return 0, chain.Invalidf("Opcode is 0x and up to eight hex digits, or a decimal number, not %s", chain.Quote(s))
	}
	return uint32(n), nil
}
