package feed

import (
	"context"

	"tonql/internal/chain"
)

// PendingSource reads sent messages and emulates their traces. Messages are identified by their normalized hashes. Safe for
// concurrent use.
type PendingSource interface {
	// Sent lists the messages that were sent recently through any gateway, newest first, up to the limit.
	Sent(ctx context.Context, limit int) ([]chain.Hash, error)
	// Listen calls hint each time it begins to listen and after each message that was sent, until ctx ends. When the
	// connection fails, lost receives the error and Listen reconnects.
	Listen(ctx context.Context, hint func(), lost func(error))
	// Reach waits until the calls below see a masterchain block of the index.
	Reach(ctx context.Context, mcSeqno uint32) error
	// Emulate returns the traces of these messages that are not complete, with all their actions, and the invalidated ones.
	// Traces that are complete in the index, or cannot be emulated in time, are left out. At most [MaxEmulated] messages.
	Emulate(ctx context.Context, messages []chain.Hash) ([]chain.FullTrace, error)
	// Indexed returns the indexed traces: complete ones with transactions and all their actions, others without.
	Indexed(ctx context.Context, messages []chain.Hash) ([]chain.FullTrace, error)
	// Expired returns the messages that no block can accept any more.
	Expired(ctx context.Context, messages []chain.Hash) ([]chain.Hash, error)
}

// MaxEmulated bounds the messages of one call.
const MaxEmulated = 100
