package scalar

import (
	"encoding/json"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalUint32 writes a JSON number.
func MarshalUint32(n uint32) graphql.Marshaler { return printed(AppendUint32(nil, n)) }

// AppendUint32 writes a JSON number.
func AppendUint32(to []byte, n uint32) []byte { return strconv.AppendInt(to, int64(n), 10) }

// UnmarshalUint32 parses an integer of at most 32 bits.
func UnmarshalUint32(v any) (uint32, error) {
	n, err := integer(v, 32)
	return uint32(n), err
}

// MarshalUint16 writes a small counter as an Int.
func MarshalUint16(n uint16) graphql.Marshaler { return printed(AppendUint16(nil, n)) }

// AppendUint16 writes a small counter as an Int.
func AppendUint16(to []byte, n uint16) []byte { return strconv.AppendInt(to, int64(n), 10) }

// UnmarshalUint16 parses an integer of at most 16 bits.
func UnmarshalUint16(v any) (uint16, error) {
	n, err := integer(v, 16)
	return uint16(n), err
}

// MarshalInt8 writes a small number as an Int.
func MarshalInt8(n int8) graphql.Marshaler { return printed(AppendInt8(nil, n)) }

// AppendInt8 writes a small number as an Int.
func AppendInt8(to []byte, n int8) []byte { return strconv.AppendInt(to, int64(n), 10) }

// UnmarshalInt8 parses a non-negative integer of at most 7 bits.
func UnmarshalInt8(v any) (int8, error) {
	n, err := integer(v, 7)
	return int8(n), err
}

func integer(v any, bits int) (uint64, error) {
	n, err := strconv.ParseUint(digits(v), 10, bits)
	if err != nil {
		return 0, chain.Invalidf("expected a whole number of at most %d bits", bits)
	}
	return n, nil
}

// digits returns the text of an integer, which is written as a number or a string. It is empty for other values.
func digits(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case int64:
		return strconv.FormatInt(v, 10)
	case int:
		return strconv.Itoa(v)
	default:
		return ""
	}
}
