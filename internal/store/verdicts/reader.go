package verdicts

import "tonql/internal/store/sqlbuild"

// Reader reads the outcomes from the index. It is safe for concurrent use when its source is.
type Reader struct {
	pool sqlbuild.Queryer
}

// NewReader returns a Reader over a pool or a snapshot.
func NewReader(pool sqlbuild.Queryer) Reader {
	return Reader{pool: pool}
}
