package chain

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// Hash is a 256-bit hash: of a cell's representation (transactions, messages, states, code, data, block roots) or of
// bytes (block files). The zero value means "no hash" where a field says so.
type Hash [32]byte

// HashFrom copies b, which must hold 32 bytes; anything else gives the zero hash.
func HashFrom(b []byte) Hash {
	var h Hash
	if len(b) == len(h) {
		copy(h[:], b)
	}
	return h
}

// String is the published form: standard base64 with padding, 44 characters.
func (h Hash) String() string { return base64.StdEncoding.EncodeToString(h[:]) }

// Hex is the lower-case hexadecimal form, 64 digits.
func (h Hash) Hex() string { return hex.EncodeToString(h[:]) }

// Bytes is the 32 bytes, aliasing a copy.
func (h Hash) Bytes() []byte { return h[:] }

// IsZero reports whether no hash is set.
func (h Hash) IsZero() bool { return h == Hash{} }

// ParseHash reads 64 hex digits (optionally after 0x) or 44 characters of base64 or base64url with padding.
func ParseHash(s string) (Hash, error) {
	var h Hash
	text := strings.TrimPrefix(s, "0x")
	switch {
	case len(text) == hex.EncodedLen(len(h)):
		if _, err := hex.Decode(h[:], []byte(text)); err == nil {
			return h, nil
		}
	case len(s) == base64.StdEncoding.EncodedLen(len(h)):
		std := strings.NewReplacer("-", "+", "_", "/").Replace(s)
		if n, err := base64.StdEncoding.Strict().Decode(make([]byte, 33), []byte(std)); err == nil && n == len(h) {
			raw, _ := base64.StdEncoding.DecodeString(std)
			return HashFrom(raw), nil
		}
	}
	return Hash{}, Invalidf("a hash is 64 hex digits or 44 characters of base64, not %s", Quote(s))
}

// MarshalText prints the published form.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads any form [ParseHash] accepts.
func (h *Hash) UnmarshalText(text []byte) (err error) {
	*h, err = ParseHash(string(text))
	return err
}
