// Package jsontext appends JSON strings. JSON leaves open which characters are escaped; published formats and signed bodies
// fix it, so each of them has its [Escapes].
package jsontext

import "unicode/utf8"

// Escapes is the escaping of one format. It is immutable.
type Escapes struct {
	ascii   [utf8.RuneSelf]string // empty for characters that are appended as they are
	invalid string                // replaces each byte of invalid UTF-8
}

var (
	// Go is the escaping of encoding/json: <, > and & are escaped, so that the text is safe inside HTML.
	Go = escapes("\n\r\t", "<>&", `\ufffd`)
	// HTML is [Go] with DEL escaped as well.
	HTML = escapes("\n\r\t", "<>&\x7f", `\ufffd`)
	// JavaScript is the escaping of JSON.stringify.
	JavaScript = escapes("\b\t\n\f\r", "", "\ufffd")
	// GraphQL is the escaping of gqlgen.
	GraphQL = escapes("\n", "", "\ufffd")
)

// escapes returns an Escapes with short escapes (\n) for the control characters in short, and with the characters in long
// escaped as \u00XX like the other control characters.
func escapes(short, long, invalid string) *Escapes {
	const digits = "0123456789abcdef"
	letters := map[rune]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`}
	e := &Escapes{invalid: invalid}
	set := func(c byte) { e.ascii[c] = `\u00` + string(digits[c>>4]) + string(digits[c&15]) }
	for c := range byte(' ') {
		set(c)
	}
	for _, c := range []byte(long) {
		set(c)
	}
	for _, c := range short {
		e.ascii[c] = letters[c]
	}
	e.ascii['"'], e.ascii['\\'] = `\"`, `\\`
	return e
}

// Append appends s to b as a JSON string. It does not allocate if b has the capacity.
func Append[T ~string | ~[]byte](b []byte, s T, e *Escapes) []byte {
	b = append(b, '"')
	start := 0 // of the bytes before i that are not appended yet
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if escaped := e.ascii[c]; escaped != "" {
				b = append(append(b, s[start:i]...), escaped...)
				start = i + 1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if r == utf8.RuneError && size == 1 {
			b = append(append(b, s[start:i]...), e.invalid...)
			start = i + 1
		}
		i += size
	}
	return append(append(b, s[start:]...), '"')
}
