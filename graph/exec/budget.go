package exec

import (
	"context"
	"errors"
	"math"
)

// Budget bounds the response of one run. The run counts the values that it puts into the response, and their bytes. It
// stops when it exceeds a bound, or when its context ends: then it resolves no further fields, releases the response so
// far, ends the context of those in progress, and responds with null and one error. A budget is not safe for concurrent use: at most one run may use it at a time.
type Budget struct {
	Values   int   // maximum number of object fields and elements of leaf lists; 0 for no bound
	Bytes    int   // maximum size of the response as JSON, as if each field and element were also null; 0 for no bound
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

// begin sets the bound of leaves.
func (b *Budget) begin(r *Run) {
	r.budget, r.room = b, math.MaxInt
	if b != nil && b.Bytes > 0 {
		r.room = b.Bytes
	}
}

// spend counts values and the bytes around them, and reports whether the run continues.
func (r *Run) spend(values, bytes int) bool {
	if r.stopped != nil {
		return false
	}
	r.unchecked += values
	r.around += bytes
	r.room -= bytes
	if len(r.leaves) > r.room {
		return r.exceed()
	}
	if b := r.budget; b != nil {
		if b.spent += values; b.Values > 0 && b.spent > b.Values {
			return r.exceed()
		}
	}
	if r.unchecked >= checkEvery {
		return r.check()
	}
	return true
}

// exceed stops the run, unless it has stopped, because the response exceeds a bound. It returns false.
func (r *Run) exceed() bool {
	err := errExceeded
	if r.budget != nil && r.budget.Exceeded != nil {
		err = r.budget.Exceeded
	}
	r.stop(err)
	return false
}

// check stops the run if its context has ended, and reports whether the run continues.
func (r *Run) check() bool {
	r.unchecked = 0
	if err := r.ctx.Err(); err != nil {
		r.stop(err)
	}
	return r.stopped == nil
}

// stop ends the run with an error. It releases the leaves and has no room for others, queued resolvers never start, and the context of
// those that are in progress ends, because nobody needs their results.
func (r *Run) stop(err error) {
	if r.stopped != nil {
		return
	}
	r.stopped = err
	r.leaves, r.queue, r.room = nil, nil, -1
	r.cancel()
}
