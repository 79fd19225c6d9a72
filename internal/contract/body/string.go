package body

import (
	"unicode/utf8"

	"tonql/internal/jsontext"
)

// appendString appends valid UTF-8 as a JSON string that is safe inside HTML.
func appendString(b, text []byte) []byte { return jsontext.Append(b, text, jsontext.HTML) }

// validText reports whether bytes are text that JSON can contain.
func validText(text []byte) bool { return utf8.Valid(text) }
