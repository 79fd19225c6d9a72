package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"tonql/internal/devnet/ledger"
)

// commitClock records when the chain commits masterchain blocks.
type commitClock struct {
	mu   sync.Mutex
	at   map[uint32]time.Time
	last atomic.Uint32
}

func (c *commitClock) follow(ctx context.Context, chain *ledger.Chain) {
	for seqno := chain.Head().ID.SeqNo + 1; chain.WaitSeqno(ctx, seqno) == nil; seqno++ {
		c.mu.Lock()
		c.at[seqno] = time.Now()
		c.mu.Unlock()
		c.last.Store(seqno)
	}
}

func (c *commitClock) of(seqno uint32) (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.at[seqno]
	return at, ok
}

// arrival is the first webhook of a payment.
type arrival struct {
	at     time.Time // its first byte
	event  time.Time // when the event was written, to the millisecond
	txHash string
}

// timedReceiver is a receiver that records when webhooks arrive.
type timedReceiver struct {
	mu    sync.Mutex
	first map[string]arrival // by reference
}

type connKey struct{}

// firstBytes returns callbacks of a server that record when the first byte of a connection's current request came.
func firstBytes() (func(context.Context, net.Conn) context.Context, func(net.Conn, http.ConnState)) {
	var clocks sync.Map // *atomic.Int64 by connection, in nanoseconds
	clock := func(c net.Conn) *atomic.Int64 {
		v, _ := clocks.LoadOrStore(c, new(atomic.Int64))
		return v.(*atomic.Int64) //nolint:forcetypeassert // nothing else is stored
	}
	begin := func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, clock(c))
	}
	return begin, func(c net.Conn, s http.ConnState) {
		if s == http.StateActive {
			clock(c).Store(time.Now().UnixNano())
		}
	}
}

func (s *timedReceiver) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	at := time.Unix(0, r.Context().Value(connKey{}).(*atomic.Int64).Load()) //nolint:forcetypeassert // the server puts it there
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // it is delivered again
	}
	var event struct {
		Timestamp time.Time
		Data      struct{ Reference, TxHash string }
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return // the payment is never counted, and the benchmark fails
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, seen := s.first[event.Data.Reference]; !seen {
		s.first[event.Data.Reference] = arrival{at: at, event: event.Timestamp, txHash: event.Data.TxHash}
	}
}

func (s *timedReceiver) of(reference string) arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.first[reference]
}

func (s *timedReceiver) count(orders []order) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range orders {
		if _, ok := s.first[o.Reference]; ok {
			n++
		}
	}
	return n
}
