package chain

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// ErrText is the cause of errors about text that nothing can store or match: no valid UTF-8, or with a NUL in it.
var ErrText = errors.New("text that is no UTF-8, or has a NUL")

// CheckText refuses such text; what names it in the sentence for the client. The error is of kind Invalid with the cause
// [ErrText].
func CheckText(what, text string) error {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return nil
	}
	return &Error{Kind: Invalid, Message: what + " is not valid UTF-8, or has a NUL character", Err: ErrText}
}
