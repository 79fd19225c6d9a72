package exec

import (
	"context"
	"errors"
)

// Budget bounds the response of one run. The run counts the values that it puts into the response. It stops when it
// exceeds a bound, or when its context ends: then it resolves no further fields, releases the response so far, and
// responds with null and one error. A budget is not safe for concurrent use: at most one run may use it at a time.
type Budget struct {
	Values   int   // maximum number of object fields and elements of leaf lists; 0 for no bound
	Bytes    int   // maximum size of all leaves as JSON; 0 for no bound
	Exceeded error // returned when a bound is exceeded; nil for a general message

	spent int
}

var errExceeded = errors.New("the response is too large")

type budgetKey struct{}

// WithBudget returns a context in which runs have the budget.
func WithBudget(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, budgetKey{}, b)
}

// Spent returns the number of values that runs have put into responses.
func (b *Budget) Spent() int { return b.spent }

// Spent returns the number of values that runs have charged to the budget of the context; 0 without a budget.
func Spent(ctx context.Context) int {
	if b, ok := ctx.Value(budgetKey{}).(*Budget); ok {
		return b.spent
	}
	return 0
}

// checkEvery is the number of values between two checks of the context. A check takes a lock.
const checkEvery = 256

// spend counts values and reports whether the run continues.
func (r *Run) spend(values int) bool {
	if r.stopped != nil {
		return false
	}
	r.unchecked += values
	if b := r.budget; b != nil {
		b.spent += values
		if b.Values > 0 && b.spent > b.Values || b.Bytes > 0 && len(r.leaves) > b.Bytes {
			err := b.Exceeded
			if err == nil {
				err = errExceeded
			}
			r.stop(err)
			return false
		}
	}
	if r.unchecked >= checkEvery {
		return r.check()
	}
	return true
}

// check stops the run if its context has ended, and reports whether the run continues.
func (r *Run) check() bool {
	r.unchecked = 0
	if err := r.ctx.Err(); err != nil {
		r.stop(err)
	}
	return r.stopped == nil
}

// stop ends the run with an error. It releases the leaves, and queued resolvers never start.
func (r *Run) stop(err error) {
	if r.stopped != nil {
		return
	}
	r.stopped = err
	r.leaves, r.queue = nil, nil
}
