package chain

import (
	"encoding/hex"
	"strings"
)

// minHashPrefix is the number of hexadecimal digits from which a text is searched for as the beginning of a hash.
const minHashPrefix = 8

// HashPrefix is the beginning of a hash, in lower-case hexadecimal digits, at least 8 and less than 64.
type HashPrefix struct{ digits string }

// ParseHashPrefix reads hexadecimal digits, also behind 0x. It reports whether the text is a prefix.
func ParseHashPrefix(text string) (HashPrefix, bool) {
	text = strings.TrimPrefix(strings.ToLower(text), "0x")
	if len(text) < minHashPrefix || len(text) >= 2*len(Hash{}) || strings.Trim(text, "0123456789abcdef") != "" {
		return HashPrefix{}, false
	}
	return HashPrefix{text}, true
}

// Range returns the lowest and the highest hash with the prefix.
func (p HashPrefix) Range() (first, last Hash) {
	fill := func(digit string) (h Hash) {
		copied, err := hex.DecodeString(p.digits + strings.Repeat(digit, 2*len(h)-len(p.digits)))
		if err == nil {
			copy(h[:], copied)
		}
		return h
	}
	return fill("0"), fill("f")
}
