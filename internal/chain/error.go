package chain

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Kind classifies an [Error] by who can correct it; each API translates it once into its status or code.
type Kind uint8

// The kinds of error.
const (
	Internal     Kind = iota // our fault; the text is logged, never shown
	Invalid                  // the caller's input; the text says what is wrong and what would be right
	NotFound                 // nothing of that name in the index or on the chain
	Behind                   // the index has not reached the requested position yet
	Unavailable              // the node or the database cannot be reached now; trying again may help
	TooLarge                 // the request exceeds the published limits
	RangeDropped             // the index had it and does not retain it any more
)

// String is the kind's name in upper case, as GraphQL's extensions.code carries it.
func (k Kind) String() string {
	switch k {
	case Invalid:
		return "INVALID"
	case NotFound:
		return "NOT_FOUND"
	case Behind:
		return "BEHIND"
	case Unavailable:
		return "UNAVAILABLE"
	case TooLarge:
		return "TOO_LARGE"
	case RangeDropped:
		return "RANGE_DROPPED"
	case Internal:
		return "INTERNAL"
	default:
		return "INTERNAL"
	}
}

// Error is a failure whose Message may be shown to a client, unless its Kind is Internal. Err is the cause for the log.
type Error struct {
	Kind    Kind
	Message string
	Err     error
}

// Error is the message followed by its cause: the text for logs.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Invalidf makes an error of kind Invalid; the sentence is for the client.
func Invalidf(format string, args ...any) error {
	return &Error{Kind: Invalid, Message: fmt.Sprintf(format, args...)}
}

// NotFoundf makes an error of kind NotFound; the sentence is for the client.
func NotFoundf(format string, args ...any) error {
	return &Error{Kind: NotFound, Message: fmt.Sprintf(format, args...)}
}

// Unavailablef makes an error of kind Unavailable with its cause, which only the log sees.
func Unavailablef(cause error, format string, args ...any) error {
	return &Error{Kind: Unavailable, Message: fmt.Sprintf(format, args...), Err: cause}
}

// transient is the cause of an error that another try may not have.
type transient struct{ cause error }

func (t *transient) Error() string {
	if t.cause == nil {
		return "transient"
	}
	return t.cause.Error()
}

func (t *transient) Unwrap() error { return t.cause }

// Transientf is [Unavailablef] for an error that another try in a moment may not have.
func Transientf(cause error, format string, args ...any) error {
	return Unavailablef(&transient{cause}, format, args...)
}

// ErrAhead is the cause of the error for a client that requires a masterchain block which the index does not reach in time. Whoever
// sends a request chooses that block, so it is no fault of the service.
var ErrAhead = errors.New("ahead of the index")

// IsTransient reports whether an error is one of [Transientf].
func IsTransient(err error) bool {
	var t *transient
	return errors.As(err, &t)
}

// KindOf finds the kind of the first [Error] in err's chain. A passed deadline or a cancelled request counts as
// Unavailable; everything unknown is Internal.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Unavailable
	default:
		return Internal
	}
}

// PublicMessage is the sentence a client may read.
func PublicMessage(err error) string {
	var e *Error
	switch {
	case errors.As(err, &e) && e.Kind != Internal:
		return e.Message
	case errors.Is(err, context.DeadlineExceeded):
		return "the request took longer than allowed"
	case errors.Is(err, context.Canceled):
		return "the request was cancelled"
	default:
		return "internal error"
	}
}

// Quote shows client input inside a sentence: quoted, control characters escaped, cut when long.
func Quote(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "…"
	}
	return strconv.QuoteToASCII(s)
}
