package graphql

import (
	"sync"

	"tonql/rest/live"
)

// maxPooled is the largest buffer that returns to the pool, in bytes.
const maxPooled = 4 * live.MaxGathered

// framePool has buffers for gathered frames.
var framePool = sync.Pool{New: func() any { return new([]byte) }}

func returnFrames(b *[]byte) {
	if cap(*b) <= maxPooled {
		*b = (*b)[:0]
		framePool.Put(b)
	}
}
