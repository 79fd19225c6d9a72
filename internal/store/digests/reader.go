package digests

import (
	"tonql/internal/store/dictionary"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
	"tonql/internal/store/transactions"
)

// Reader computes and reads digests. It is safe for concurrent use when its source is.
type Reader struct {
	pool         sqlbuild.TxSource
	ranges       *indexrange.Reader
	transactions *transactions.Reader
	traces       *traces.Reader
	dictionaries *dictionary.Cache
}

// NewReader returns a Reader over a pool or a snapshot, from which the other readers read, too. dictionaries are those of raw transactions.
func NewReader(
	pool sqlbuild.TxSource, ranges *indexrange.Reader, txs *transactions.Reader, of *traces.Reader, dictionaries *dictionary.Cache,
) Reader {
	return Reader{pool: pool, ranges: ranges, transactions: txs, traces: of, dictionaries: dictionaries}
}
