package feed

import (
	"context"

	"tonql/internal/chain"
)

// PendingSource knows what becomes of messages before blocks tell. Messages go by their normalised hashes. Safe for concurrent
// use.
type PendingSource interface {
	// Sent lists the messages that were sent lately through any gateway, the newest first, up to the limit.
	Sent(ctx context.Context, limit int) ([]chain.Hash, error)
	// Listen calls hint each time it begins to listen and after each message that was sent, until ctx ends. When the
	// connection fails, lost receives the error and Listen reconnects.
	Listen(ctx context.Context, hint func(), lost func(error))
	// Reach waits until the answers below know of a masterchain block that somebody has seen in the index.
	Reach(ctx context.Context, mcSeqno uint32) error
	// Emulate gives the traces of these messages that go on, with all their actions, and those that came to nothing. A
	// trace that is complete in the index is not among them, nor one of which nothing can be foretold in time. There are at most [MaxEmulated] messages.
	Emulate(ctx context.Context, messages []chain.Hash) ([]chain.FullTrace, error)
	// Indexed gives those that the index has: complete ones with transactions and all their actions, of others the trace
	// alone.
	Indexed(ctx context.Context, messages []chain.Hash) ([]chain.FullTrace, error)
	// Expired gives those of the messages that no block takes any more.
	Expired(ctx context.Context, messages []chain.Hash) ([]chain.Hash, error)
}

// MaxEmulated is how many messages one question is about.
const MaxEmulated = 100
