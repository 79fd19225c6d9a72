package metadata

import (
	"errors"
	"fmt"
	"time"

	"tonql/internal/outbound"
)

// The reasons of failures that no server is to blame for; the others are the kinds of internal/outbound.
const (
	reasonContent  = "no_content"   // the token has no readable content
	reasonURI      = "invalid_uri"  // of a kind that nobody can follow
	reasonDocument = "invalid_json" // the document is no JSON object
	reasonComplex  = "too_complex"  // it has more values than anybody needs; a member is left out
	reasonImage    = "image"        // the rest is fine, the image is left out
	reasonInternal = "internal"     // a reader of ours panicked; what it read is left out
)

// failure is why a job gave no metadata, or metadata without an image.
type failure struct {
	reason     string
	detail     string        // for those who read the metadata
	final      bool          // another try would find the same
	retryAfter time.Duration // the server's Retry-After
	err        error         // for the log
}

func failf(reason, format string, args ...any) *failure {
	return &failure{reason: reason, detail: fmt.Sprintf(format, args...)}
}

// finally marks a failure that no later try can mend.
func (f *failure) finally() *failure {
	f.final = true
	return f
}

// Error is the detail.
func (f *failure) Error() string { return f.detail }

// Unwrap gives the cause.
func (f *failure) Unwrap() error { return f.err }

// requestFailure converts an error of a request to a failure.
func requestFailure(err error) *failure {
	f := &failure{reason: string(outbound.KindOf(err)), detail: err.Error(), err: err}
	if e, ok := errors.AsType[*outbound.Error](err); ok {
		f.retryAfter, f.err = e.RetryAfter, e.Err
	}
	return f
}
