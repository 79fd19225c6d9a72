package body

import "unicode/utf8"

// appendString prints valid UTF-8 as a JSON string, safe inside HTML.
func appendString(b, text []byte) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\t':
			b = append(b, '\\', 't')
		case c < ' ' || c == '<' || c == '>' || c == '&' || c == utf8.RuneSelf-1:
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// validText says that bytes are text that JSON can carry.
func validText(text []byte) bool { return utf8.Valid(text) }
