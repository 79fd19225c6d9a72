package jsontext

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Reason returns why a document could not be decoded by encoding/json into a value, with the offset in bytes where that is known.
func Reason(err error, into any) string {
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("offset %d: %s", syntax.Offset, syntax)
	case errors.As(err, &typed):
		return fmt.Sprintf("offset %d: %s", typed.Offset, Mismatch(typed, into))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the file ends too early"
	default:
		return err.Error()
	}
}
