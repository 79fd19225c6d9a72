package payment

import (
	"strings"
	"unicode/utf8"
)

// appendString prints a string as JavaScript's JSON.stringify does: nothing is escaped but quotes, backslashes and
// control characters. The text must be valid UTF-8.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= ' ':
			b = append(b, c)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c == '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(b, '"')
}

// longestShown bounds texts from the chain in an event, in bytes.
const longestShown = 1000

// clean makes untrusted text usable in an event: valid UTF-8, without NUL, bounded.
func clean(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "")
	if len(s) <= longestShown {
		return s
	}
	s = s[:longestShown]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s
}
