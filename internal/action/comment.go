package action

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

const opEncryptedComment = 0x2167da4b

// Comment returns the text behind opcode 0, or the bytes behind the opcode of encrypted comments as base64. The value is nil
// when the cell has neither: a comment has at least one byte in the first cell, and a number of complete bytes and at most one
// reference in each.
func Comment(c *cell.Cell) (value *string, encrypted bool) {
	l, encrypted := loadComment(c)
	if l == nil || l.BitsLeft() < 8 {
		return nil, encrypted
	}
	return commentText(l, encrypted), encrypted
}

// payloadComment is [Comment] of the payload of a Jetton transfer. There a comment can be empty, and an encrypted one that cannot
// be read is none.
func payloadComment(c *cell.Cell) (value *string, encrypted bool) {
	l, encrypted := loadComment(c)
	if l == nil {
		return nil, false
	}
	value = commentText(l, encrypted)
	return value, encrypted && value != nil
}

// loadComment returns a loader behind the opcode; nil for a cell without the opcode of a comment.
func loadComment(c *cell.Cell) (l *contract.Loader, encrypted bool) {
	if c == nil || c.IsSpecial() {
		return nil, false
	}
	l = contract.Load(c)
	op := l.Uint(32)
	if l.Err() != nil || op != 0 && op != opEncryptedComment {
		return nil, false
	}
	return l, op == opEncryptedComment
}

func commentText(l *contract.Loader, encrypted bool) *string {
	raw, ok := content.StrictSnake(l.Slice())
	if !ok {
		return nil
	}
	s := printable(raw)
	if encrypted {
		s = base64.StdEncoding.EncodeToString(raw)
	}
	return &s
}

// printable converts bytes to text: it omits NUL, and writes bytes that are not UTF-8 as \xNN.
func printable(raw []byte) string {
	var b strings.Builder
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, raw[0])
		case r != 0:
			b.Write(raw[:n])
		}
		raw = raw[n:]
	}
	return b.String()
}
