package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
)

// Kind is why a request failed. Its text is a single word, usable as a metric's label.
type Kind string

// The kinds.
const (
	Refused     Kind = "refused"     // by the client: the address is not allowed
	TooLarge    Kind = "too_large"   // the response exceeds a limit
	WrongType   Kind = "wrong_type"  // the response has a media type or encoding that was not requested
	Timeout     Kind = "timeout"     // no complete response in time
	Status      Kind = "status"      // the server responded with a status other than 2xx
	Unreachable Kind = "unreachable" // no such name, no connection, no trusted certificate, no HTTP
)

// Error is how a request failed. Its text holds nothing of our network, so that it may be shown to those who chose the
// address; the cause, which may, is behind Unwrap for the log.
type Error struct {
	Kind       Kind
	Detail     string
	Code       int           // the HTTP status, for Status
	RetryAfter time.Duration // the server's Retry-After, for Status; 0 without one
	Err        error
}

// Error is the kind and the detail, without the cause.
func (e *Error) Error() string {
	return strings.ReplaceAll(string(e.Kind), "_", " ") + ": " + e.Detail
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf finds the kind of the first [Error] in err's chain; Unreachable when there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Unreachable
}

func refusef(format string, args ...any) error {
	return &Error{Kind: Refused, Detail: fmt.Sprintf(format, args...)}
}

// classify turns what net/http says into an [Error]. An Error that the dialer made deep inside is handed through.
func classify(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if netErr, ok := errors.AsType[net.Error](err); errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, os.ErrDeadlineExceeded) || (ok && netErr.Timeout()) {
		return &Error{Kind: Timeout, Detail: "no complete response in time", Err: err}
	}
	// net/http has no typed error for this bound.
	if text := err.Error(); strings.Contains(text, "server response headers exceeded") ||
		strings.Contains(text, "too many 1xx informational responses") {
		return &Error{Kind: TooLarge, Detail: "more headers than allowed", Err: err}
	}
	return &Error{Kind: Unreachable, Detail: unreachable(err), Err: err}
}

// unreachable says what is wrong on the way to the server, naming nothing on our side.
func unreachable(err error) string {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound {
			return "no such host"
		}
		return "the host's name could not be resolved"
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "the server's certificate is not trusted"
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "the server's certificate is not trusted"
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "the server does not speak TLS"
	}
	if _, ok := errors.AsType[tls.AlertError](err); ok {
		return "TLS handshake failed"
	}
	switch {
	// crypto/tls has no typed error for the rest: no common version, no common cipher, a broken handshake.
	case strings.Contains(err.Error(), "tls: "):
		return "TLS handshake failed; TLS 1.2 or later is needed"
	case errors.Is(err, context.Canceled):
		return "the request was cancelled"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the response ends too early"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET):
		return "connection reset"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "no route to the host"
	}
	return "no valid HTTP response"
}
