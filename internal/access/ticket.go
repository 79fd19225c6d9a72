package access

import (
	"context"
	"sync"
	"time"

	"tonql/internal/chain"
)

// Ticket is what an admitted request carries.
type Ticket struct {
	// Pool names the private liteservers that its calls go to; empty for everybody's.
	Pool string
	// Page is the token of the page that sent it; empty for other requests.
	Page string
	// Owner is whose key was sent, with its network; empty without a key.
	Owner string

	bucket *bucket // nil: unlimited
	rate   float64
	limit  *chain.RateLimit
	take   func(ctx context.Context, n int) (left float64, wait time.Duration)

	mu     sync.Mutex
	unused int // tokens that were taken and that no work has used: the one of the admission, at first
}

type ticketKey struct{}

// WithTicket puts a ticket into the context of its request.
func WithTicket(ctx context.Context, t *Ticket) context.Context {
	return context.WithValue(ctx, ticketKey{}, t)
}

// Charge spends what a request turned out to cost beyond the one token it was let in for. It never fails: the owner pays
// by waiting before the next one.
func Charge(ctx context.Context, tokens float64) {
	if t, ok := ctx.Value(ticketKey{}).(*Ticket); ok && t.bucket != nil && tokens > 0 {
		t.bucket.charge(t.rate, tokens)
	}
}

// Take takes n tokens for work that counts as n requests: the calls of a batch, the get-methods of a document. The token
// that the request was let in for is the first of them. Where there are too few, none is taken, and wait says when there
// are as many, 0 when the plan never has so many at once.
func Take(ctx context.Context, n int) (wait time.Duration, ok bool) {
	t := TicketOf(ctx)
	if t == nil || t.bucket == nil || n <= 0 {
		return 0, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
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
	return 0, true
}

// PoolOf names the private liteservers of the request's key, "" for everybody's.
func PoolOf(ctx context.Context) string {
	if t, ok := ctx.Value(ticketKey{}).(*Ticket); ok {
		return t.Pool
	}
	return ""
}

// TicketOf finds the ticket of a request; nil when it has none.
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

// PageOf is the page token that a request was admitted by; empty when it was not.
func PageOf(ctx context.Context) string {
	if t := TicketOf(ctx); t != nil {
		return t.Page
	}
	return ""
}

// OwnerOf is whose key a request was sent with, "" without one.
func OwnerOf(ctx context.Context) string {
	if t := TicketOf(ctx); t != nil {
		return t.Owner
	}
	return ""
}
