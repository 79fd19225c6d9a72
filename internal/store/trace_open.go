package store

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"tonql/internal/chain"
)

// openTraces remembers traces whose messages are in flight, with their transactions, so that following the head reads
// nothing back. The database is the truth: what is not here is read from there. Guarded by the writer's mutex.
type openTraces struct {
	traces *lru.Cache[chain.Hash, *assembly]
	kept   int // transactions in them
}

const (
	maxOpen     = 1 << 14 // traces
	maxOpenKept = 1 << 15 // transactions
	maxOpenEach = 256     // transactions of one trace; larger ones are kept without
)

func newOpenTraces() *openTraces {
	o := &openTraces{}
	traces, err := lru.NewWithEvict(maxOpen, func(_ chain.Hash, a *assembly) { o.kept -= len(a.content) })
	if err != nil {
		panic(err) //nolint:forbidigo // the size is a positive constant
	}
	o.traces = traces
	return o
}

// get gives a trace to go on with; what becomes of it does not change what is kept.
func (o *openTraces) get(id chain.Hash) *assembly {
	kept, ok := o.traces.Get(id)
	if !ok {
		return nil
	}
	a := *kept
	a.content = a.content[:len(a.content):len(a.content)]
	return &a
}

// keep remembers what a unit that is committed made of its traces.
func (o *openTraces) keep(touched map[chain.Hash]*assembly) {
	for id, a := range touched {
		o.traces.Remove(id)
		if a.PendingMessages <= 0 {
			continue
		}
		a.stored, a.doubtful = true, false
		if len(a.content) > maxOpenEach {
			a.whole, a.content = false, nil
		}
		for i := range a.content {
			a.content[i] = own(a.content[i])
		}
		o.traces.Add(id, a)
		o.kept += len(a.content)
	}
	for o.kept > maxOpenKept {
		o.traces.RemoveOldest()
	}
}

func (o *openTraces) forget() {
	o.traces.Purge()
}

// own copies rows, which lie among those of a whole block and would keep all of them in memory.
func own(t chain.TraceTransaction) chain.TraceTransaction {
	tx := *t.Transaction
	c := chain.TraceTransaction{Transaction: &tx, Out: make([]*chain.Message, len(t.Out))}
	if t.In != nil {
		in := *t.In
		c.In = &in
	}
	for i, m := range t.Out {
		out := *m
		c.Out[i] = &out
	}
	return c
}
