package cells

import (
	"sync/atomic"

	"tonql/internal/chain"
)

// MaxJoined is the limit of a call by itself, in bytes.
const MaxJoined = 64 << 20

// Limit bounds the bags of cells that several calls join together, in bytes, and the parts that each of them reads for that. Parts are shared by
// states as they are on the chain, bags are not. Safe for concurrent use.
type Limit struct {
	bytes  int
	joined atomic.Int64
}

// NewLimit returns a limit of so many bytes. Calls that follow one which exceeds it join nothing.
func NewLimit(bytes int) *Limit { return &Limit{bytes: bytes} }

// join counts a bag that was joined, or nothing. It returns an error once the limit is exceeded.
func (l *Limit) join(bytes int) error {
	if l.joined.Add(int64(bytes)) > int64(l.bytes) {
		return l.exceeded()
	}
	return nil
}

// part returns an error if a call has read more bytes of parts than the limit.
func (l *Limit) part(bytes int) error {
	if bytes > l.bytes {
		return l.exceeded()
	}
	return nil
}

func (l *Limit) exceeded() error {
	return chain.Invalidf("the code and data of these accounts have more than %d MiB: request fewer at once", l.bytes>>20)
}
