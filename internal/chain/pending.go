package chain

import "context"

// PendingMessage is an external-in message that was sent through a gateway, and its emulation at that time. All times are those
// of the chain, so that a chain that stands still expires nothing.
type PendingMessage struct {
	Hash     Hash
	HashNorm Hash // as TEP-467 writes it; names the message
	Account  Address
	BOC      BOC
	// SentUtime and McSeqno are of the masterchain block that was the newest one then.
	SentUtime uint32
	McSeqno   uint32
	// ExpireUtime is when no block takes it any more.
	ExpireUtime uint32
	// Accounts have a transaction in the emulated trace, ascending; at least the destination.
	Accounts []Address
	// Content is a bag of cells with the emulated transactions as its roots, in the order of execution; nil when there was
	// no time to emulate them.
	Content BOC
}

// Expired says whether a chain whose newest block is of that time still takes the message.
func (m *PendingMessage) Expired(utime uint32) bool { return utime >= m.ExpireUtime }

// PendingFilter selects what is pending: by an account, or else by external messages.
type PendingFilter struct {
	Accounts []Address // has a transaction in the trace; goes first
	Hashes   []Hash    // of external messages, plain or normalised
}

// PendingStore keeps the messages that were sent, for all gateways of one database. It is bounded: what is oldest goes
// first. Implementations are safe for concurrent use.
type PendingStore interface {
	// KeepPending keeps a message. One that is known already keeps the time at which it was sent first.
	KeepPending(ctx context.Context, m *PendingMessage) error
	// PendingMessages finds messages, the newest first, up to the limit.
	PendingMessages(ctx context.Context, f PendingFilter, limit int) ([]PendingMessage, error)
	// NewestPending lists the normalized hashes of the stored messages, newest first, up to the limit.
	NewestPending(ctx context.Context, limit int) ([]Hash, error)
	// ListenPending calls hint each time it begins to listen, and whenever any process stores a message, until ctx ends.
	// When the connection fails, lost receives the error and ListenPending reconnects.
	ListenPending(ctx context.Context, hint func(), lost func(error))
}
