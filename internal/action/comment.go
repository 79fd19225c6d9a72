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
// when the cell has neither.
func Comment(c *cell.Cell) (value *string, encrypted bool) {
	if c == nil || c.IsSpecial() {
		return nil, false
	}
	l := contract.Load(c)
	op := l.Uint(32)
	if l.Err() != nil || op != 0 && op != opEncryptedComment || l.BitsLeft() < 8 || l.BitsLeft()%8 != 0 || l.RefsLeft() > 1 {
		return nil, op == opEncryptedComment && l.Err() == nil
	}
	raw := content.Snake(l.Rest())
	if op == opEncryptedComment {
		s := base64.StdEncoding.EncodeToString(raw)
		return &s, true
	}
	s := printable(raw)
	return &s, false
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
