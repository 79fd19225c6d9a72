package transactions

import (
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

// Reader reads transactions and messages from the index. It is safe for concurrent use when its source is.
// Lists without matching rows are empty. Rows looked up by key come in any order, and missing rows are left out.
type Reader struct {
	pool         sqlbuild.Source
	unchanging   func() sqlbuild.Queryer
	dictionaries *dictionary.Cache
}

// NewReader returns a Reader over a pool or a snapshot. unchanging returns the source of rows that never change, and dictionaries are
// those of the database, with which raw transactions are compressed.
func NewReader(pool sqlbuild.Source, unchanging func() sqlbuild.Queryer, dictionaries *dictionary.Cache) Reader {
	return Reader{pool: pool, unchanging: unchanging, dictionaries: dictionaries}
}
