package sqlbuild

import (
	"encoding/binary"
	"math/big"
	"strconv"

	"tonql/internal/chain"
)

// PostgreSQL's numeric travels as groups of four decimal digits: number of groups, weight of the first, sign, decimals,
// groups. This package writes whole numbers only.
const (
	numericBase     = 10000
	numericPositive = 0x0000
	numericNegative = 0x4000
)

// appendNumeric appends n in numeric's binary form.
func appendNumeric(b []byte, n *big.Int) []byte {
	sign := uint16(numericPositive)
	rest := new(big.Int).Abs(n)
	if n.Sign() < 0 {
		sign = numericNegative
	}
	var groups []uint16 // least significant first
	base, group := big.NewInt(numericBase), new(big.Int)
	for rest.Sign() > 0 {
		rest.QuoRem(rest, base, group)
		groups = append(groups, uint16(group.Uint64()))
	}
	weight := len(groups) - 1
	low := 0
	for low < len(groups) && groups[low] == 0 { // trailing zeros are implied by the weight
		low++
	}
	b = binary.BigEndian.AppendUint16(b, uint16(len(groups)-low))
	b = binary.BigEndian.AppendUint16(b, uint16(max(weight, 0)))
	b = binary.BigEndian.AppendUint16(b, sign)
	b = binary.BigEndian.AppendUint16(b, 0)
	for i := len(groups) - 1; i >= low; i-- {
		b = binary.BigEndian.AppendUint16(b, groups[i])
	}
	return b
}

// zero is shared by all values that are 0, which no reader changes.
var zero = new(big.Int)

// parseNumeric reads a whole number in numeric's binary form; false for anything else.
func parseNumeric(b []byte) (*big.Int, bool) {
	const header = 8
	if len(b) < header {
		return nil, false
	}
	groups := int(binary.BigEndian.Uint16(b))
	weight := int(int16(binary.BigEndian.Uint16(b[2:])))
	sign := binary.BigEndian.Uint16(b[4:])
	if len(b) != header+2*groups || groups > weight+1 && groups > 0 || sign != numericPositive && sign != numericNegative {
		return nil, false
	}
	if groups == 0 {
		return zero, true
	}
	n, base := new(big.Int), big.NewInt(numericBase)
	for i := 0; i <= weight; i++ {
		n.Mul(n, base)
		if i < groups {
			n.Add(n, big.NewInt(int64(binary.BigEndian.Uint16(b[header+2*i:]))))
		}
	}
	if sign == numericNegative {
		n.Neg(n)
	}
	return n, true
}

// appendCurrencies appends {"id": "amount", …} in ascending order of ids, as the server prints jsonb.
func appendCurrencies(b []byte, e chain.ExtraCurrencies) []byte {
	b = append(b, '{')
	for i, id := range e.IDs() {
		if i > 0 {
			b = append(b, ',', ' ')
		}
		b = append(b, '"')
		b = strconv.AppendUint(b, uint64(id), 10)
		b = append(b, `": "`...)
		b = e[id].Append(b, 10)
		b = append(b, '"')
	}
	return append(b, '}')
}

// CurrenciesText returns extra currencies as JSON text, nil when there are none.
func CurrenciesText(e chain.ExtraCurrencies) *string {
	if len(e) == 0 {
		return nil
	}
	text := string(appendCurrencies(nil, e))
	return &text
}

// parseCurrencies reads what appendCurrencies wrote, in the server's spacing and order. It runs for each row, so it
// takes the few characters that can occur apart without a JSON decoder.
func parseCurrencies(b []byte) (chain.ExtraCurrencies, bool) {
	e := chain.ExtraCurrencies{}
	for {
		key, rest, ok := quoted(b)
		if !ok {
			return e, len(e) > 0
		}
		value, rest, ok := quoted(rest)
		if !ok {
			return nil, false
		}
		id, err := strconv.ParseUint(string(key), 10, 32)
		amount, valid := new(big.Int).SetString(string(value), 10)
		if err != nil || !valid {
			return nil, false
		}
		e[uint32(id)] = amount
		b = rest
	}
}

// quoted cuts the next string in double quotes; strings of ours hold no escapes.
func quoted(b []byte) (inner, rest []byte, ok bool) {
	open := -1
	for i, c := range b {
		switch {
		case c != '"':
		case open < 0:
			open = i
		default:
			return b[open+1 : i], b[i+1:], true
		}
	}
	return nil, nil, false
}
