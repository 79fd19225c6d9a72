package blocks

import "tonql/internal/store/sqlbuild"

// Reader reads blocks and what they name from the index. It is safe for concurrent use when its source is.
type Reader struct {
	pool       sqlbuild.Queryer
	unchanging func() sqlbuild.Queryer
}

// NewReader returns a Reader over a pool or a snapshot. unchanging returns the source of rows that never change.
func NewReader(pool sqlbuild.Queryer, unchanging func() sqlbuild.Queryer) Reader {
	return Reader{pool: pool, unchanging: unchanging}
}
