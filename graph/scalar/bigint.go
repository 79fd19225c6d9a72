package scalar

import (
	"math/big"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/chain"
)

// MarshalUint64 writes a decimal string.
func MarshalUint64(n uint64) graphql.Marshaler { return printed(AppendUint64(nil, n)) }

// AppendUint64 writes a decimal string.
func AppendUint64(to []byte, n uint64) []byte {
	return append(strconv.AppendUint(append(to, '"'), n, 10), '"')
}

// UnmarshalUint64 parses a decimal string or an integer of at most 63 bits, the range of logical times and amounts.
func UnmarshalUint64(v any) (uint64, error) {
	n, err := strconv.ParseUint(digits(v), 10, 63)
	if err != nil {
		return 0, chain.Invalidf("BigInt here is a whole number from 0 to 9223372036854775807, written as a string")
	}
	return n, nil
}

// MarshalInt64 writes a decimal string.
func MarshalInt64(n int64) graphql.Marshaler { return printed(AppendInt64(nil, n)) }

// AppendInt64 writes a decimal string.
func AppendInt64(to []byte, n int64) []byte {
	return append(strconv.AppendInt(append(to, '"'), n, 10), '"')
}

// UnmarshalInt64 parses the same forms as [UnmarshalUint64]. No input of this type is negative.
func UnmarshalInt64(v any) (int64, error) {
	n, err := UnmarshalUint64(v)
	return int64(n), err
}

// MarshalCoins writes an amount in nanotons as a decimal string.
func MarshalCoins(c chain.Coins) graphql.Marshaler { return MarshalUint64(uint64(c)) }

// AppendCoins writes an amount in nanotons as a decimal string.
func AppendCoins(to []byte, c chain.Coins) []byte { return AppendUint64(to, uint64(c)) }

// UnmarshalCoins parses an amount in nanotons.
func UnmarshalCoins(v any) (chain.Coins, error) {
	n, err := UnmarshalUint64(v)
	return chain.Coins(n), err
}

// MarshalBigInt writes a decimal string.
func MarshalBigInt(n *big.Int) graphql.Marshaler {
	if n == nil {
		return graphql.Null
	}
	return printed(AppendBigInt(nil, n))
}

// AppendBigInt writes a decimal string, or null for nil.
func AppendBigInt(to []byte, n *big.Int) []byte {
	if n == nil {
		return append(to, "null"...)
	}
	return append(n.Append(append(to, '"'), 10), '"')
}

// UnmarshalBigInt parses a decimal string of at most 80 digits, enough for 256 bits, or an integer.
func UnmarshalBigInt(v any) (*big.Int, error) {
	s := digits(v)
	n, ok := new(big.Int).SetString(s, 10)
	if !ok || len(s) > 80 || s[0] == '+' {
		return nil, chain.Invalidf("BigInt is a whole number in decimal, not %s", chain.Quote(s))
	}
	return n, nil
}
