package chain

import (
	"context"
	"time"
)

// PendingMessage is an external-in message that was sent through a gateway, with its emulation at that time. All times
// are those of the chain, so that nothing expires while the chain produces no blocks, or the index has not reached them.
type PendingMessage struct {
	Hash     Hash
	HashNorm Hash // normalized by TEP-467; the key of the message
	Account  Address
	BOC      BOC
	// SentUtime is the time of the network when the message was sent, and McSeqno the newest indexed masterchain block.
	SentUtime uint32
	McSeqno   uint32
	// ExpireUtime is the first time at which no block accepts the message.
	ExpireUtime uint32
	// Accounts have a transaction in the emulated trace, ascending; at least the destination.
	Accounts []Address
	// Content is a BoC with the emulated transactions as its roots, in the order of execution; nil when they were not
	// emulated in time.
	Content BOC
}

// Expired reports whether a chain whose newest block has this time no longer accepts the message.
func (m *PendingMessage) Expired(utime uint32) bool { return utime >= m.ExpireUtime }

// LastSent names a stored message by its normalized hash, with the time at which it was last sent, by the clock of the database.
type LastSent struct {
	Hash Hash
	At   time.Time
}

// PendingFilter selects pending messages by accounts, or else by hashes.
type PendingFilter struct {
	Accounts []Address // one of them has a transaction in the trace; when set, Hashes is ignored
	Hashes   []Hash    // of external-in messages, plain or normalized
}

// PendingStore stores the messages that were sent through all gateways of one database. It is bounded: the oldest
// messages are removed first. Implementations are safe for concurrent use.
type PendingStore interface {
	// StorePending stores a message. One that is stored already was sent again: it is the newest, with its new times, and retains its content
	// if m has none.
	StorePending(ctx context.Context, m *PendingMessage) error
	// PendingMessages returns the matching messages, the newest first, up to the limit.
	PendingMessages(ctx context.Context, f PendingFilter, limit int) ([]PendingMessage, error)
	// NewestPending lists the stored messages, newest first, up to the limit.
	NewestPending(ctx context.Context, limit int) ([]LastSent, error)
	// ListenPending calls hint each time it begins to listen, and whenever any process stores a message, until ctx
	// ends. When the connection fails, lost receives the error and ListenPending reconnects.
	ListenPending(ctx context.Context, hint func(), lost func(error))
}
