package chain

import (
	"fmt"
	"runtime/debug"
)

// Recover turns a panic of the function that defers it into *err, of kind Internal, with the stack. It is for goroutines that process untrusted
// input outside of an HTTP handler: their panics would end the program, and with it the requests of everybody.
//
//	defer chain.Recover(&err)
func Recover(err *error) { //nolint:gocritic // it sets a named result
	if p := recover(); p != nil {
		*err = &Error{Kind: Internal, Message: "panic", Err: fmt.Errorf("%v\n%s", p, debug.Stack())}
	}
}
