package feed

import (
	"sync"
	"sync/atomic"
)

// maxAnswers bounds the memory for the answers of one batch, in bytes, and maxAnswersOfFeed that of all batches. Beyond it
// everybody makes their own.
const (
	maxAnswers       = 8 << 20
	maxAnswersOfFeed = 64 << 20
	answerOverhead   = 192 // bytes of a place in a map
)

// Response is what an event looks like in the words of those who asked: a thousand pages that show the same list ask in the
// same words, and the answer is made once for all of them.
type Response struct {
	batch *Batch
	ready chan struct{} // closed when it was made, or given up
	data  []byte        // nil: given up
}

// answers are those that were made for one event.
type answers struct {
	mu sync.Mutex
	by map[any]*Response
}

// Response finds the event's answer in some words, which any comparable value stands for. Whoever is the first to ask is
// told to make it: who is must call Give, or all others wait for ever. nil says that nothing is remembered: make it for
// yourself.
func (e *Event) Response(words any) (a *Response, mine bool) {
	e.answers.mu.Lock()
	defer e.answers.mu.Unlock()
	if a, ok := e.answers.by[words]; ok {
		return a, false
	}
	if !e.Batch.remembered.room() {
		return nil, true
	}
	if e.answers.by == nil {
		e.answers.by = map[any]*Response{}
	}
	a = &Response{batch: e.Batch, ready: make(chan struct{})}
	e.answers.by[words] = a
	e.Batch.remembered.add(answerOverhead)
	return a, true
}

// Give hands the answer to all who wait; nil gives it up, and each of them makes its own.
func (a *Response) Give(data []byte) {
	a.data = data
	a.batch.remembered.add(len(data))
	close(a.ready)
}

// Wait waits until the answer was made or given up; nil is one that was given up.
func (a *Response) Wait() []byte {
	<-a.ready
	return a.data
}

// memory counts bytes of a batch, and of the feed that it belongs to.
type memory struct {
	all *atomic.Int64

	mu    sync.Mutex
	bytes int64
	gone  bool // the feed has let the batch go
}

func (m *memory) room() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.gone && m.bytes < maxAnswers && m.all.Load() < maxAnswersOfFeed
}

func (m *memory) add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.gone {
		m.bytes += int64(n)
		m.all.Add(int64(n))
	}
}

// forget gives back what was counted.
func (m *memory) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all.Add(-m.bytes)
	m.bytes, m.gone = 0, true
}
