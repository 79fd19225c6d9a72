package streaming

import (
	"slices"

	"tonql/internal/chain"
)

// maxOpen is the number of traces of which a session remembers that they were sent and are not final. Beyond it the oldest ones are forgotten, and
// not invalidated.
const maxOpen = 4096

// openTraces are the traces of which notifications that are not final were sent.
type openTraces struct {
	by    map[chain.Hash]uint64 // the number of each
	order []openTrace           // the oldest first, with some that were removed: at most 2 * maxOpen
	last  uint64                // number
}

type openTrace struct {
	hash   chain.Hash
	number uint64
}

func (o *openTraces) has(h chain.Hash) bool { return o.by[h] > 0 }

func (o *openTraces) current(t openTrace) bool { return o.by[t.hash] == t.number }

func (o *openTraces) add(h chain.Hash) {
	if o.has(h) {
		return
	}
	if o.by == nil {
		o.by = map[chain.Hash]uint64{}
	}
	o.last++
	o.by[h] = o.last
	o.order = append(o.order, openTrace{h, o.last})
	if len(o.order) > 2*maxOpen {
		o.order = slices.DeleteFunc(o.order, func(t openTrace) bool { return !o.current(t) })
	}
	for len(o.by) > maxOpen {
		if o.current(o.order[0]) {
			delete(o.by, o.order[0].hash)
		}
		o.order = o.order[1:]
	}
}

// remove reports whether the trace was open.
func (o *openTraces) remove(h chain.Hash) bool {
	was := o.has(h)
	delete(o.by, h)
	return was
}
