package payment

import (
	"strconv"

	"tonql/internal/chain"
)

// FullError says that a merchant has as many of something as it may have. The database enforces it, so that concurrent
// requests cannot pass a count together. Its kind is [chain.Invalid].
type FullError struct {
	Limit  int
	Of     string // what is limited, in the plural
	Remedy string // a clause
}

// Error is the sentence for clients.
func (e *FullError) Error() string {
	return "there are " + strconv.Itoa(e.Limit) + " " + e.Of + " already, which is the limit: " + e.Remedy
}

// Unwrap gives the error that clients are shown.
func (e *FullError) Unwrap() error { return &chain.Error{Kind: chain.Invalid, Message: e.Error()} }
