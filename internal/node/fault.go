package node

import (
	"errors"
	"fmt"
)

// lieError says that an answer contradicts its proof, its hash, its question, or what was proven before.
type lieError struct {
	sentence string
	err      error // what the check said; may be nil
}

func (e *lieError) Error() string {
	if e.err == nil {
		return e.sentence
	}
	return e.sentence + ": " + e.err.Error()
}

func (e *lieError) Unwrap() error { return e.err }

// lie makes a lieError; the sentence follows the server's name, as in "127.0.0.1:4000 gave a block of another place".
func lie(err error, format string, args ...any) error {
	return &lieError{sentence: fmt.Sprintf(format, args...), err: err}
}

// absentError says that the server does not hold what was asked for, in the server's words.
type absentError struct{ text string }

func (e *absentError) Error() string { return e.text }

// refusalError is any other error a server answers with.
type refusalError struct {
	code int32
	text string
}

func (e *refusalError) Error() string { return fmt.Sprintf("error %d: %s", e.code, e.text) }

// brokenError says that no answer came: connection or deadline.
type brokenError struct {
	sentence string // follows the server's name
	err      error
}

func (e *brokenError) Error() string { return e.sentence + ": " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// believable runs a check of an answer. Parsers of the library may panic on cells made to hurt; that, too, is a lie.
func believable(what string, check func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = lie(fmt.Errorf("%v", p), "gave %s that cannot be read", what)
		}
	}()
	err = check()
	var l *lieError
	if err == nil || errors.As(err, &l) {
		return err
	}
	return lie(err, "gave %s that does not hold", what)
}
