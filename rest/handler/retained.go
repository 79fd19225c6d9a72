package handler

import (
	"context"

	"tonql/internal/chain"
)

// ErrReceived is the error of a long message of a live connection when those that are being received take all the memory that they may.
var ErrReceived = chain.Unavailablef(nil, "too many long messages are being received; try again later")

// ErrRetained is the error of a subscription when those of the same client, or of all, take all the memory that they may.
var ErrRetained = chain.Unavailablef(nil, "the subscriptions take too much memory: complete some, or send shorter documents and variables")

// received is the memory of long messages of live connections that are being received, retained that of subscriptions. Each has the size
// and the shares of that for responses.
var (
	received = NewClientMemory(ErrReceived, ErrReceived)
	retained = NewClientMemory(ErrRetained, ErrRetained)
)

// Receive takes memory for size bytes of a message that the client of the request that ctx belongs to sends, until release is called. It
// fails with [ErrReceived].
func Receive(ctx context.Context, size int) (release func(), err error) {
	return received.reserve(ctx, size)
}

// Retain takes memory for size bytes of a subscription of the client of the request that ctx belongs to, until release is called. It fails
// with [ErrRetained].
func Retain(ctx context.Context, size int) (release func(), err error) {
	return retained.reserve(ctx, size)
}
