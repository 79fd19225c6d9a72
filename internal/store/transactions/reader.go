package transactions

import (
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

// Reader reads transactions and messages from the index. It is safe for concurrent use when its source is.
// Lists without matching rows are empty. Rows looked up by key come in any order, and missing rows are left out.
type Reader struct {
	pool         sqlbuild.Source
	dictionaries *dictionary.Cache
}

// NewReader returns a Reader over a pool or a snapshot. A reader of raw transactions needs the cache of the database's
// dictionaries; others pass nil.
func NewReader(pool sqlbuild.Source, dictionaries *dictionary.Cache) Reader {
	return Reader{pool: pool, dictionaries: dictionaries}
}
