package contract

import (
	"errors"
	"fmt"

	"tonql/internal/chain"
)

// Reason is the cause of the failure of a get-method.
type Reason uint8

// The reasons. All but TooLong depend on the state and the budget alone.
const (
	NotActive   Reason = iota + 1 // the account has no code
	NoMethod                      // the code has no such method: exit code 11
	Threw                         // any other exit code
	OutOfGas                      // the gas of the budget was used up
	TooLong                       // the time of the budget passed before its gas was used: this machine is too slow
	TooLarge                      // the result is larger or deeper than the budget allows
	WrongResult                   // the result has other types or values than the standard requires
	Broken                        // the TVM itself failed on the code
)

var reasonText = map[Reason]string{
	NotActive: "the account is not active", NoMethod: "the contract has no such method", Threw: "the method threw",
	OutOfGas: "the method ran out of gas", TooLong: "the method ran too long", TooLarge: "the result is too large",
	WrongResult: "the result has the wrong types", Broken: "the machine failed",
}

// String returns the reason in a few words.
func (r Reason) String() string { return reasonText[r] }

// Fault is the failure of a get-method that the contract caused.
type Fault struct { //nolint:errname // a property of the contract, not an error of this program
	Method string
	Reason Reason
	Exit   int32  // exit code, if the code was executed
	Gas    int64  // used by the run; 0 when unknown
	Detail string // may be empty
}

// Error returns the method, the reason and the exit code.
func (f *Fault) Error() string {
	text := "get-method " + f.Method + ": " + f.Reason.String()
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
	switch f.Reason {
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

func faultf(method string, reason Reason, format string, args ...any) *Fault {
	return &Fault{Method: method, Reason: reason, Detail: fmt.Sprintf(format, args...)}
}
