package payment

import (
	"strconv"

	"tonql/internal/chain"
)

// FullError reports that a merchant has the maximum number of some objects. The database enforces it, so that concurrent
// requests cannot exceed it. Its kind is [chain.Invalid].
type FullError struct {
	Limit  int
	Of     string // the limited objects, in the plural
	Remedy string // a clause
}

// Error returns the message for clients.
func (e *FullError) Error() string {
	return "there are " + strconv.Itoa(e.Limit) + " " + e.Of + " already, which is the limit: " + e.Remedy
}

// Unwrap returns the error for clients.
func (e *FullError) Unwrap() error { return &chain.Error{Kind: chain.Invalid, Message: e.Error()} }
