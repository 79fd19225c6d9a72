package exec

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"tonql/internal/jsontext"
)

// AppendString appends a text as a JSON string. Invalid UTF-8 is replaced by U+FFFD.
func AppendString(to []byte, s string) []byte { return jsontext.Append(to, s, jsontext.GraphQL) }

// AppendID appends a global id as a JSON string.
func AppendID(to []byte, s string) []byte { return AppendString(to, s) }

// AppendBoolean appends true or false.
func AppendBoolean(to []byte, b bool) []byte { return strconv.AppendBool(to, b) }

// AppendInt appends an integer.
func AppendInt(to []byte, n int) []byte { return strconv.AppendInt(to, int64(n), 10) }

// AppendInt32 appends an integer.
func AppendInt32(to []byte, n int32) []byte { return strconv.AppendInt(to, int64(n), 10) }

// AppendInt64 appends an integer.
func AppendInt64(to []byte, n int64) []byte { return strconv.AppendInt(to, n, 10) }

// AppendFloat appends a number, or null for NaN and infinities, which JSON cannot represent.
func AppendFloat(to []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(to, "null"...)
	}
	return strconv.AppendFloat(to, f, 'g', -1, 64)
}

// AppendJSON appends a JSON value in one line, or null if v is empty.
func AppendJSON(to []byte, v json.RawMessage) []byte {
	if len(v) == 0 {
		return append(to, "null"...)
	}
	if bytes.IndexByte(v, '\n') >= 0 {
		b := bytes.NewBuffer(to)
		if json.Compact(b, v) != nil {
			return append(to, "null"...)
		}
		return b.Bytes()
	}
	return append(to, v...)
}
