package scalar

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalDateTime writes Unix seconds as ISO 8601 in UTC.
func MarshalDateTime(unix uint32) graphql.Marshaler {
	return printed(AppendDateTime(nil, unix))
}

// AppendDateTime writes Unix seconds as ISO 8601 in UTC.
func AppendDateTime(to []byte, unix uint32) []byte {
	return append(time.Unix(int64(unix), 0).UTC().AppendFormat(append(to, '"'), time.RFC3339), '"')
}

// UnmarshalDateTime parses ISO 8601 with a time zone, or Unix seconds. It truncates fractions of a second.
func UnmarshalDateTime(v any) (uint32, error) {
	switch v := v.(type) {
	case string:
		if t, err := time.Parse(time.RFC3339, v); err == nil {
			return unixSeconds(t.Unix())
		}
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return unixSeconds(n)
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return unixSeconds(n)
		}
	case int64:
		return unixSeconds(v)
	case int:
		return unixSeconds(int64(v))
	}
	return 0, chain.Invalidf("DateTime is written 2026-01-31T12:00:00Z or as a number of unix seconds")
}

func unixSeconds(n int64) (uint32, error) {
	if n < 0 || n > math.MaxUint32 {
		return 0, chain.Invalidf("DateTime lies between 1970 and 2106")
	}
	return uint32(n), nil
}
