package metadata

import (
	"strings"
	"unicode/utf8"
)

// line cleans a text that stands in one line: white space of every kind is one space.
func line(s string, most int) string {
	return cut(strings.Join(strings.Fields(shapes(s)), " "), most)
}

// paragraphs cleans a text that may have several lines.
func paragraphs(s string, most int) string {
	return cut(strings.TrimSpace(shapes(s)), most)
}

func shapes(s string) string { return strings.Map(printable, strings.ToValidUTF8(s, "\ufffd")) }

// printable leaves out what has no shape and can mislead: control characters, which PostgreSQL would not take either in
// the case of NUL, and the marks that turn the direction of the text around them.
func printable(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r < ' ', r >= 0x7f && r <= 0x9f, // control
		r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // embeddings, overrides and isolates
		r == 0x2028 || r == 0x2029, // separators that end a line of JavaScript
		r == 0xfeff, r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe001f:
		return -1
	default:
		return r
	}
}

// cut shortens s to at most that many bytes, between two characters and without white space at the new end.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return strings.TrimSpace(s[:most])
}
