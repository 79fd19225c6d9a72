package contract

import (
	"errors"
	"fmt"

	"tonql/internal/chain"
)

// Why says what went wrong in a get-method.
type Why uint8

// The reasons. All but TooLong follow from the state and the budget alone.
const (
	NotActive   Why = iota + 1 // the account has no code
	NoMethod                   // the code has no such method: exit code 11
	Threw                      // any other exit code
	OutOfGas                   // the gas of the budget was used up
	TooLong                    // the time of the budget passed; the budget's gas is too much for this machine
	TooLarge                   // the result is larger or deeper than the budget allows
	WrongResult                // the result has other types or values than the standard requires
	Broken                     // the TVM itself failed on the code
)

var whyText = map[Why]string{
	NotActive: "the account is not active", NoMethod: "the contract has no such method", Threw: "the method threw",
	OutOfGas: "the method ran out of gas", TooLong: "the method ran too long", TooLarge: "the result is too large",
	WrongResult: "the result has the wrong types", Broken: "the machine failed",
}

// String returns the reason in a few words.
func (w Why) String() string { return whyText[w] }

// Fault is the failure of one get-method through the contract's own doing.
type Fault struct { //nolint:errname // a fault is a property of the contract, not a failure of this program
	Method string
	Why    Why
	Exit   int32  // exit code, where the code got to one
	Gas    int64  // used up by the run; 0 when unknown
	Detail string // what exactly; may be empty
}

// Error returns the method, the reason and the exit code.
func (f *Fault) Error() string {
	text := "get-method " + f.Method + ": " + f.Why.String()
	if f.Exit != 0 {
		text += fmt.Sprintf(" (exit code %d)", f.Exit)
	}
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

// Unwrap makes the fault a [chain.Error] of the kind a client should see.
func (f *Fault) Unwrap() error {
	kind := chain.Invalid
	switch f.Why {
	case NotActive, NoMethod:
		kind = chain.NotFound
	case OutOfGas, TooLong, TooLarge:
		kind = chain.TooLarge
	case Threw, WrongResult, Broken:
	}
	return &chain.Error{Kind: kind, Message: f.Error()}
}

// IsFault distinguishes failures of the contract, which are results, from ours (a cancelled context, a lost database), which
// are not.
func IsFault(err error) bool {
	_, ok := asFault(err)
	return ok
}

func asFault(err error) (*Fault, bool) {
	var f *Fault
	ok := errors.As(err, &f)
	return f, ok
}

func faultf(method string, why Why, format string, args ...any) *Fault {
	return &Fault{Method: method, Why: why, Detail: fmt.Sprintf(format, args...)}
}
