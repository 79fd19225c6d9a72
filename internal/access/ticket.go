package access

import (
	"context"
	"sync"
	"time"

	"tonql/internal/chain"
)

// Ticket is the admission of a request. Its context carries it.
type Ticket struct {
	// Pool is the pool of private liteservers for its calls; empty: the shared ones.
	Pool string
	// Page is the page token; empty for other requests.
	Page string
	// Owner is the network and the owner of the API key; empty without a key.
	Owner string

	bucket *bucket // nil: unlimited
	rate   float64
	limit  *chain.RateLimit
	take   func(ctx context.Context, n int) (left float64, wait time.Duration)

	mu     sync.Mutex
	unused int     // taken tokens that Take has not used; initially the one of the admission
	runs   int     // tokens that Take was called for, also without a limit
	above  float64 // tokens that were charged, also without a limit
}

type ticketKey struct{}

// WithTicket returns a context with a ticket.
func WithTicket(ctx context.Context, t *Ticket) context.Context {
	return context.WithValue(ctx, ticketKey{}, t)
}

// Charge spends the cost of a request above its first token. It never fails: the bucket goes into debt, and later requests
// wait.
func Charge(ctx context.Context, tokens float64) {
	t := TicketOf(ctx)
	if t == nil || tokens <= 0 {
		return
	}
	t.mu.Lock()
	t.above += tokens
	t.mu.Unlock()
	if t.bucket != nil {
		t.bucket.charge(t.rate, tokens)
	}
}

// Cost returns the tokens that the request has cost so far, at least the one of its admission. A request without a limit has a
// cost as well.
func (t *Ticket) Cost() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return float64(max(1, t.runs)) + t.above
}

// Take takes n tokens for work that counts as n requests, such as the calls of a batch or the get-methods of a document. The
// first of them is the token of the admission. With too few tokens it takes none, and wait is the time until there are as
// many, or 0 when n exceeds the capacity of the bucket.
func Take(ctx context.Context, n int) (wait time.Duration, ok bool) {
	t := TicketOf(ctx)
	if t == nil || n <= 0 {
		return 0, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bucket == nil {
		t.runs += n
		return 0, true
	}
	if n > t.unused {
		needed := n - t.unused
		if _, wait = t.take(ctx, needed); wait > 0 {
			if float64(n) > t.bucket.size {
				wait = 0
			}
			return wait, false
		}
		t.unused += needed
	}
	t.unused -= n
	t.runs += n
	return 0, true
}

// PoolOf returns the pool of private liteservers of a request, "" for the shared ones.
func PoolOf(ctx context.Context) string {
	if t, ok := ctx.Value(ticketKey{}).(*Ticket); ok {
		return t.Pool
	}
	return ""
}

// TicketOf returns the ticket of a request; nil without one.
func TicketOf(ctx context.Context) *Ticket {
	t, _ := ctx.Value(ticketKey{}).(*Ticket)
	return t
}

// LimitOf returns the state of the limit when the request was admitted; nil without a limit.
func LimitOf(ctx context.Context) *chain.RateLimit {
	if t := TicketOf(ctx); t != nil {
		return t.limit
	}
	return nil
}

// PageOf returns the page token of a request; empty without one.
func PageOf(ctx context.Context) string {
	if t := TicketOf(ctx); t != nil {
		return t.Page
	}
	return ""
}

// OwnerOf returns the owner of the API key of a request, "" without one.
func OwnerOf(ctx context.Context) string {
	if t := TicketOf(ctx); t != nil {
		return t.Owner
	}
	return ""
}
