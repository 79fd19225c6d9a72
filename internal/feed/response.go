package feed

import (
	"sync"
	"sync/atomic"
)

// Bounds of the memory for cached responses, in bytes. When they are exceeded, each subscriber produces its own response.
const (
	maxBatchBytes    = 8 << 20
	maxFeedBytes     = 64 << 20 // of all batches
	responseOverhead = 192      // of an entry in the map
)

// Response is the response to one event for all subscribers with the same query. It is produced once.
type Response struct {
	batch *Batch
	ready chan struct{} // closed when data is set
	data  []byte        // nil: could not be produced
}

// responses are the responses to one event.
type responses struct {
	mu sync.Mutex
	by map[any]*Response
}

// Response returns the response to the event for a query, which any comparable value identifies. If mine is set, the caller
// is the first and must produce the response and call [Response.Give], for which all others wait. If the response is nil,
// the cache is full, and the caller must produce the response for itself.
func (e *Event) Response(query any) (r *Response, mine bool) {
	e.responses.mu.Lock()
	defer e.responses.mu.Unlock()
	if r, ok := e.responses.by[query]; ok {
		return r, false
	}
	if !e.Batch.cache.room() {
		return nil, true
	}
	if e.responses.by == nil {
		e.responses.by = map[any]*Response{}
	}
	r = &Response{batch: e.Batch, ready: make(chan struct{})}
	e.responses.by[query] = r
	e.Batch.cache.add(responseOverhead)
	return r, true
}

// Produced returns the response to the event for a query that another caller produces or has produced; nil without one.
func (e *Event) Produced(query any) *Response {
	e.responses.mu.Lock()
	defer e.responses.mu.Unlock()
	return e.responses.by[query]
}

// Give sets the response for all subscribers that wait for it. nil means that it could not be produced; then each of them
// produces its own.
func (r *Response) Give(data []byte) {
	r.data = data
	r.batch.cache.add(len(data))
	close(r.ready)
}

// Wait blocks until [Response.Give] was called and returns its argument.
func (r *Response) Wait() []byte {
	<-r.ready
	return r.data
}

// memory counts the bytes that a batch caches, and adds them to the count of its feed.
type memory struct {
	all *atomic.Int64 // of the feed

	mu       sync.Mutex
	bytes    int64
	released bool // the feed has evicted the batch
}

// room reports whether the batch may cache more responses.
func (m *memory) room() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.released && m.bytes < maxBatchBytes && m.all.Load() < maxFeedBytes
}

func (m *memory) add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.released {
		m.bytes += int64(n)
		m.all.Add(int64(n))
	}
}

// release subtracts the bytes of the batch from the count of the feed, and stops counting.
func (m *memory) release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all.Add(-m.bytes)
	m.bytes, m.released = 0, true
}
