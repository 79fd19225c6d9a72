package payment

import (
	"math/big"
	"strconv"
	"strings"

	"tonql/internal/chain"
)

// MaxDecimals bounds the decimals of an asset: TEP-64 stores them in one byte.
const MaxDecimals = 255

// longestAmount is above every amount that fits 256 bits with 255 decimals.
const longestAmount = 400

// ParseAmount parses an amount in units of the asset, in the syntax of JSON numbers such as 1e-9, and returns smallest
// units. It is exact. It returns an Invalid error for amounts that are not positive or have more decimals than the asset.
func ParseAmount(text string, decimals int) (*big.Int, error) {
	invalid := func(why string) error { return chain.Invalidf("the amount %s %s", chain.Quote(text), why) }
	if len(text) > longestAmount {
		return nil, invalid("is too long")
	}
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		n, err := strconv.Atoi(text[i+1:])
		if err != nil || n > longestAmount || n < -longestAmount {
			return nil, invalid("is not a number of this asset")
		}
		mantissa, exponent = text[:i], n
	}
	integer, fraction, dotted := strings.Cut(mantissa, ".")
	digits := integer + fraction
	if integer == "" || dotted && fraction == "" || strings.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) {
		return nil, invalid("is not a positive decimal number")
	}
	shift := decimals + exponent - len(fraction) // zeros to append, or digits to drop
	if shift < 0 {
		keep := max(0, len(digits)+shift)
		if strings.Trim(digits[keep:], "0") != "" {
			return nil, invalid("has more decimals than the asset: " + strconv.Itoa(decimals))
		}
		digits, shift = digits[:keep], 0
	}
	raw, ok := new(big.Int).SetString("0"+digits+strings.Repeat("0", shift), 10)
	switch {
	case !ok:
		return nil, invalid("is not a number")
	case raw.Sign() == 0:
		return nil, invalid("is not above zero")
	case raw.BitLen() > 120: // VarUInteger 16
		return nil, invalid("is larger than a message can carry")
	}
	return raw, nil
}

// FormatAmount formats smallest units as an exact decimal in units of the asset, without trailing zeros.
func FormatAmount(raw *big.Int, decimals int) string {
	digits := raw.String()
	if decimals <= 0 {
		return digits
	}
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	integer, fraction := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	if fraction == "" {
		return integer
	}
	return integer + "." + fraction
}
