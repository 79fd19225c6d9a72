package payment

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"
	"strings"
)

// NewReference returns a random UUID as the reference of a transfer.
func NewReference() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return referenceOf(b[:])
}

// referenceOf formats 16 bytes as a UUID.
func referenceOf(id []byte) string {
	h := hex.EncodeToString(id)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

var referenceForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// referenceIn returns the reference that a comment is or ends with, "" for none.
func referenceIn(comment string) string {
	comment = strings.TrimSpace(comment)
	if i := strings.LastIndexAny(comment, " \n"); i >= 0 {
		comment = comment[i+1:]
	}
	comment = strings.ToLower(comment)
	if !referenceForm.MatchString(comment) {
		return ""
	}
	return comment
}
