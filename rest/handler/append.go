package handler

import (
	"encoding/base64"
	"math/big"
	"strconv"

	"tonql/internal/chain"
	"tonql/internal/jsontext"
)

// The Append functions append the JSON encoding of a value to b. They do not allocate if b has the capacity.

// AppendString appends a string. Like encoding/json it escapes <, > and &, and replaces invalid UTF-8.
func AppendString(b []byte, s string) []byte { return jsontext.Append(b, s, jsontext.Go) }

// AppendAddress appends an address in raw form, or null for nil.
func AppendAddress(b []byte, a *chain.Address) []byte {
	if a == nil {
		return append(b, "null"...)
	}
	return append(a.AppendRaw(append(b, '"')), '"')
}

// AppendHash appends a hash in base64, or null for nil.
func AppendHash(b []byte, h *chain.Hash) []byte {
	if h == nil {
		return append(b, "null"...)
	}
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), h[:]), '"')
}

// AppendBytes appends data in base64, or null for nil.
func AppendBytes(b, data []byte) []byte {
	if data == nil {
		return append(b, "null"...)
	}
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), data), '"')
}

// AppendInt appends a number.
func AppendInt[T ~int | ~int8 | ~int16 | ~int32 | ~int64](b []byte, v T) []byte {
	return strconv.AppendInt(b, int64(v), 10)
}

// AppendUint appends a number.
func AppendUint[T ~uint8 | ~uint16 | ~uint32 | ~uint64](b []byte, v T) []byte {
	return strconv.AppendUint(b, uint64(v), 10)
}

// AppendDecimal appends a number as a string, the format of all numbers that can exceed 53 bits.
func AppendDecimal[T ~uint8 | ~uint16 | ~uint32 | ~uint64](b []byte, v T) []byte {
	return append(strconv.AppendUint(append(b, '"'), uint64(v), 10), '"')
}

// AppendDecimalOrNull appends a number as a string, or null for nil.
func AppendDecimalOrNull[T ~uint8 | ~uint16 | ~uint32 | ~uint64](b []byte, v *T) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	return AppendDecimal(b, *v)
}

// AppendBig appends a big number as a string, or null for nil.
func AppendBig(b []byte, v *big.Int) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	if v.IsUint64() {
		return AppendDecimal(b, v.Uint64())
	}
	return append(v.Append(append(b, '"'), 10), '"')
}

// AppendBool appends true or false.
func AppendBool(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }

// AppendBoolOrNull appends true or false, or null for nil.
func AppendBoolOrNull(b []byte, v *bool) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	return strconv.AppendBool(b, *v)
}
