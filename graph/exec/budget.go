package exec

import (
	"context"
	"errors"
)

// Budget bounds the response of one run. The run counts what it puts into the response and stops at the bounds, or when
// its context ends: it then resolves nothing more, drops what it holds, and responds with null and one error.
// Not safe for concurrent use: one run at a time has a budget.
type Budget struct {
	Values   int   // fields of objects and elements of lists of leaves; 0 for no bound
	Bytes    int   // leaves as they are printed; 0 for no bound
	Exceeded error // returned when a bound is exceeded

	spent int
}

var errExceeded = errors.New("the response is too large")

type budgetKey struct{}

// WithBudget bounds the runs that begin in the context.
func WithBudget(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, budgetKey{}, b)
}

// Spent is the number of values that runs have put into responses.
func (b *Budget) Spent() int { return b.spent }

// Spent is what runs have spent of the budget of the context, 0 where there is none.
func Spent(ctx context.Context) int {
	if b, ok := ctx.Value(budgetKey{}).(*Budget); ok {
		return b.spent
	}
	return 0
}

// checkEvery is how many values pass between two checks of the context, which cost a lock.
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

// check reports whether the context of the run has not ended.
func (r *Run) check() bool {
	r.unchecked = 0
	if err := r.ctx.Err(); err != nil {
		r.stop(err)
	}
	return r.stopped == nil
}

// stop ends the run with an error. The leaves are released at once, resolvers that wait for others never begin.
func (r *Run) stop(err error) {
	if r.stopped != nil {
		return
	}
	r.stopped = err
	r.leaves, r.queue = nil, nil
}
