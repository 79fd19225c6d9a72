package days

import (
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

// Reader computes and reads sums per day. It is safe for concurrent use when its source is.
type Reader struct {
	pool         sqlbuild.TxSource
	dictionaries *dictionary.Cache
}

// NewReader returns a Reader over a pool or a snapshot. dictionaries are those of raw transactions.
func NewReader(pool sqlbuild.TxSource, dictionaries *dictionary.Cache) Reader {
	return Reader{pool: pool, dictionaries: dictionaries}
}
