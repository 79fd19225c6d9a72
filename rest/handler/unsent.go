package handler

import (
	"context"
	"errors"
	"net/netip"
	"sync"

	"tonql/internal/access"
	"tonql/internal/chain"
)

const (
	// maxUnsent bounds the bytes of long responses that wait in memory for their clients, all together.
	maxUnsent = 256 << 20
	// maxUnsentOfClient bounds those of one client address, and those with keys of one owner, so that slow connections of one leave
	// memory for the others.
	maxUnsentOfClient = maxUnsent / 4
)

// ErrUnsent is the error of a long response when those that wait for their clients take all the memory that they may.
var ErrUnsent = chain.Transientf(errors.New("no memory for unsent responses"), "too many long responses are being sent: try again, or request fewer rows at once")

// errUnsentOfClient is ErrUnsent when it is the responses of the same client that take all the memory that they may.
var errUnsentOfClient = chain.Transientf(ErrUnsent, "too many long responses to this client are being sent: read them, or request fewer rows at once")

// unsent is the memory for long responses of the process.
var unsent = NewClientMemory(ErrUnsent, errUnsentOfClient)

// ClientMemory counts bytes that clients cause to be in memory: all, and by client. Safe for concurrent use.
type ClientMemory struct {
	full, fullOfClient error

	mu  sync.Mutex
	all int64
	by  map[any]int64 // by client: a netip.Addr of [access.Site], or the owner of a key, a string
}

// NewClientMemory returns the count of a memory of 256 MiB, of which a client address and the keys of an owner have a quarter each. full is the error when
// there is no more of it, fullOfClient that of a client which has all that it may.
func NewClientMemory(full, fullOfClient error) *ClientMemory {
	return &ClientMemory{full: full, fullOfClient: fullOfClient, by: map[any]int64{}}
}

// take counts size bytes for clients, or fails without counting any.
func (m *ClientMemory) take(size int64, clients []any) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all+size > maxUnsent {
		return m.full
	}
	for _, c := range clients {
		if m.by[c]+size > maxUnsentOfClient {
			return m.fullOfClient
		}
	}
	m.all += size
	for _, c := range clients {
		m.by[c] += size
	}
	return nil
}

func (m *ClientMemory) release(size int64, clients []any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all -= size
	for _, c := range clients {
		if m.by[c] -= size; m.by[c] == 0 {
			delete(m.by, c)
		}
	}
}

// reserve takes size bytes for the client of the request that ctx belongs to; what is longer than the share of a client takes all of it.
func (m *ClientMemory) reserve(ctx context.Context, size int) (release func(), err error) {
	n, clients := min(int64(size), maxUnsentOfClient), clientsOf(ctx)
	if err := m.take(n, clients); err != nil {
		return nil, err
	}
	return func() { m.release(n, clients) }, nil
}

// reserve takes memory for a response until release is called, or fails with [ErrUnsent]. Short responses need none.
func reserve(ctx context.Context, size int) (release func(), err error) {
	return Reserve(ctx, size, longResponse)
}

// Reserve takes memory for size bytes that wait for the client of the request that ctx belongs to, until release is called. It fails with
// [ErrUnsent] when those of all clients, or those of this one, take as much as they may. Less than free bytes need none; what is longer than
// the share of a client takes all of it.
func Reserve(ctx context.Context, size, free int) (release func(), err error) {
	if size < free {
		return func() {}, nil
	}
	return unsent.reserve(ctx, size)
}

// clientsOf returns what the request of ctx is counted for: its client address and the owner of its key, as far as they are known.
// Clients of a Unix socket have no address.
func clientsOf(ctx context.Context) []any {
	var clients []any
	if from := RecordOf(ctx).Client; from != (netip.Addr{}) {
		clients = append(clients, access.Site(from))
	}
	if owner := access.OwnerOf(ctx); owner != "" {
		clients = append(clients, owner)
	}
	return clients
}
