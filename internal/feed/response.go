package feed

import (
	"sync"
	"sync/atomic"
)

// maxResponses bounds the memory for the shared responses of one batch, in bytes, and maxResponsesOfFeed that of all batches.
// Above it responses are not shared.
const (
	maxResponses       = 8 << 20
	maxResponsesOfFeed = 64 << 20
	responseOverhead   = 192 // bytes of a map entry
)

// Response is the response to one query for an event. A thousand pages that show the same list send the same query, and the
// response is produced once for all of them.
type Response struct {
	batch *Batch
	ready chan struct{} // closed when it is set or abandoned
	data  []byte        // nil: abandoned
}

// responses are the shared responses for one event, by query.
type responses struct {
	mu sync.Mutex
	by map[any]*Response
}

// Response returns the shared response to a query, which any comparable value identifies. For the first caller mine is true:
// it must produce the response and call Give, or all others wait for ever. A nil Response means that the memory is used up:
// the caller produces a response that is not shared.
func (e *Event) Response(query any) (a *Response, mine bool) {
	e.responses.mu.Lock()
	defer e.responses.mu.Unlock()
	if a, ok := e.responses.by[query]; ok {
		return a, false
	}
	if !e.Batch.remembered.room() {
		return nil, true
	}
	if e.responses.by == nil {
		e.responses.by = map[any]*Response{}
	}
	a = &Response{batch: e.Batch, ready: make(chan struct{})}
	e.responses.by[query] = a
	e.Batch.remembered.add(responseOverhead)
	return a, true
}

// Give sets the response for all waiting callers; nil abandons it, and each of them produces its own.
func (a *Response) Give(data []byte) {
	a.data = data
	a.batch.remembered.add(len(data))
	close(a.ready)
}

// Wait waits until the response is set or abandoned; nil means abandoned.
func (a *Response) Wait() []byte {
	<-a.ready
	return a.data
}

// memory counts bytes of a batch, and of the feed that it belongs to.
type memory struct {
	all *atomic.Int64

	mu    sync.Mutex
	bytes int64
	gone  bool // the feed has evicted the batch
}

func (m *memory) room() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.gone && m.bytes < maxResponses && m.all.Load() < maxResponsesOfFeed
}

func (m *memory) add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.gone {
		m.bytes += int64(n)
		m.all.Add(int64(n))
	}
}

// forget releases the counted bytes.
func (m *memory) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all.Add(-m.bytes)
	m.bytes, m.gone = 0, true
}
