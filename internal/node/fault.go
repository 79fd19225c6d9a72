package node

import (
	"errors"
	"fmt"
)

// lieError reports a response that contradicts its proof, its hash, its query, or a proven block.
type lieError struct {
	sentence string
	err      error // of the check; may be nil
}

func (e *lieError) Error() string {
	if e.err == nil {
		return e.sentence
	}
	return e.sentence + ": " + e.err.Error()
}

func (e *lieError) Unwrap() error { return e.err }

// lie returns a lieError; the sentence follows the server's name, as in "127.0.0.1:4000 returned a block of another
// place".
func lie(err error, format string, args ...any) error {
	return &lieError{sentence: fmt.Sprintf(format, args...), err: err}
}

// absentError reports that the server does not have the requested data; the text is the server's. Its class is absent,
// behind, nonexistent or unsupported.
type absentError struct {
	class class
	text  string
}

func (e *absentError) Error() string { return e.text }

// refusalError is any other error that a server returns.
type refusalError struct {
	class class
	code  int32
	text  string
}

func (e *refusalError) Error() string { return fmt.Sprintf("error %d: %s", e.code, e.text) }

// classOf returns the class of the liteserver's error in err; refused when there is none.
func classOf(err error) class {
	var a *absentError
	var r *refusalError
	switch {
	case errors.As(err, &a):
		return a.class
	case errors.As(err, &r):
		return r.class
	default:
		return refused
	}
}

// brokenError reports that no response came: the connection broke or the deadline passed.
type brokenError struct {
	sentence string // follows the server's name
	err      error
}

func (e *brokenError) Error() string { return e.sentence + ": " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// believable runs a check of a response. A panic of the library's parsers on hostile cells counts as a lie, too.
func believable(what string, check func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = lie(fmt.Errorf("%v", p), "returned %s that cannot be parsed", what)
		}
	}()
	err = check()
	var l *lieError
	if err == nil || errors.As(err, &l) {
		return err
	}
	return lie(err, "returned %s that is not valid", what)
}
