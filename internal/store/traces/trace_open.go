package traces

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"tonql/internal/chain"
)

// OpenCache caches unfinished traces with their transactions, so that following the head reads nothing back. The database is
// authoritative: traces that are not cached are read from it. The writer's mutex guards it.
type OpenCache struct {
	traces *lru.Cache[chain.Hash, *Assembly]
	size   int // transactions in them
}

const (
	maxOpen             = 1 << 14 // traces
	maxOpenTransactions = 1 << 15 // transactions
	maxOpenEach         = 256     // transactions of one trace; larger ones are cached without
)

// NewOpenCache returns an empty cache.
func NewOpenCache() *OpenCache {
	o := &OpenCache{}
	traces, err := lru.NewWithEvict(maxOpen, func(_ chain.Hash, a *Assembly) { o.size -= len(a.Content) })
	if err != nil {
		panic(err) //nolint:forbidigo // the size is a positive constant
	}
	o.traces = traces
	return o
}

// get returns a copy of a trace, which the batch continues, nil when it is not cached.
func (o *OpenCache) get(id chain.Hash) *Assembly {
	cached, ok := o.traces.Get(id)
	if !ok {
		return nil
	}
	a := *cached
	a.Content = a.Content[:len(a.Content):len(a.Content)]
	return &a
}

// Keep caches the unfinished traces of a committed batch.
func (o *OpenCache) Keep(touched map[chain.Hash]*Assembly) {
	for id, a := range touched {
		o.traces.Remove(id)
		if a.PendingMessages <= 0 {
			continue
		}
		a.stored, a.doubtful, a.fresh = true, false, nil
		if len(a.Content) > maxOpenEach {
			a.full, a.Content = false, nil
		}
		for i := range a.Content {
			a.Content[i] = own(a.Content[i])
		}
		o.traces.Add(id, a)
		o.size += len(a.Content)
	}
	for o.size > maxOpenTransactions {
		o.traces.RemoveOldest()
	}
}

// Forget empties the cache.
func (o *OpenCache) Forget() {
	o.traces.Purge()
}

// own copies rows, which otherwise would hold all rows of their block in memory.
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
