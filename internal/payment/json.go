package payment

import (
	"strings"
	"unicode/utf8"

	"tonql/internal/jsontext"
)

// appendString appends a string as JSON.stringify of JavaScript does.
func appendString(b []byte, s string) []byte { return jsontext.Append(b, s, jsontext.JavaScript) }

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
