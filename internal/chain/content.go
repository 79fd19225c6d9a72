package chain

import (
	"maps"
	"slices"
	"unicode/utf8"
)

// Content is what a contract says of itself on the chain (TEP-64): the known attributes by name, all as text, image_data
// in base64. Off-chain content is the single attribute uri. What the uri leads to is metadata, not content. It is never
// nil in a record; a contract without readable content has an empty one.
type Content map[string]string

// Names lists the attributes in ascending order, so that printing is deterministic.
func (c Content) Names() []string { return slices.Sorted(maps.Keys(c)) }

// Size returns the size, in bytes, of the content as JSON, the form in which it is stored.
func (c Content) Size() int {
	const around = len(`"":"",`)
	n := len(`{}`)
	for name, value := range c {
		n += len(name) + JSONSize(value) + around
	}
	return n
}

// JSONSize returns the size, in bytes, of a text in JSON as encoding/json writes it, without its quotes.
func JSONSize(text string) int {
	n := 0
	for i := 0; i < len(text); {
		size := 1
		if text[i] < utf8.RuneSelf {
			n += jsonSize(rune(text[i]), 1)
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			n += jsonSize(r, size)
		}
		i += size
	}
	return n
}

// CutJSON returns the longest beginning of a text of complete characters that has at most limit bytes in JSON.
func CutJSON(text string, limit int) string {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if limit -= jsonSize(r, size); limit < 0 {
			return text[:i]
		}
		i += size
	}
	return text
}

// jsonSize returns the size of a character of size bytes in JSON.
func jsonSize(r rune, size int) int {
	const escaped = len(`\u0000`)
	switch r {
	case '"', '\\', '\b', '\f', '\n', '\r', '\t':
		return len(`\n`)
	case '<', '>', '&', '\u2028', '\u2029':
		return escaped
	}
	if r < ' ' || r == utf8.RuneError && size == 1 {
		return escaped
	}
	return size
}
