package store

import (
	"context"
	"sync"

	"tonql/internal/chain"
	"tonql/internal/store/blocks"
	"tonql/internal/store/cells"
	"tonql/internal/store/contracts"
	"tonql/internal/store/days"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/digests"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/names"
	"tonql/internal/store/readers"
	"tonql/internal/store/traces"
	"tonql/internal/store/transactions"
	"tonql/internal/store/verdicts"
)

// Reader reads the index. It is safe for concurrent use, except a Reader of a snapshot. Lists without matching rows are
// empty. Rows looked up by key come in any order, and missing rows are left out.
type Reader struct {
	transactionReader
	contractReader
	traceReader
	rangeReader
	blockReader
	verdictReader
	dayReader
	digestReader

	caches

	pool readers.Source
}

// caches are what all readers of one pool share.
type caches struct {
	names        *names.Cache
	dictionaries *dictionary.Cache
	ofActions    *dictionary.Cache // those of details of actions
	keys         *traces.AccountKeys
	cells        *cells.Cache
}

func newCaches() caches {
	return caches{names: names.NewCache(), dictionaries: dictionary.NewCache(dictionary.Transactions), ofActions: dictionary.NewCache(dictionary.Actions),
		keys: traces.NewAccountKeys(), cells: cells.NewCache()}
}

// ErrDamaged is the error of a stored transaction that cannot be read, as its storage is damaged or its dictionary is missing.
var ErrDamaged = transactions.ErrDamaged

// SameStates reports whether the row of a transaction has the states around it that were found. See [transactions.SameStates].
func SameStates(t *chain.Transaction, found map[chain.TransactionKey]*chain.AccountState) bool {
	return transactions.SameStates(t, found)
}

// The parts of a Reader. Each is defined in the package that owns the rows.
type (
	transactionReader = transactions.Reader
	contractReader    = contracts.Reader
	traceReader       = traces.Reader
	rangeReader       = indexrange.Reader
	blockReader       = blocks.Reader
	verdictReader     = verdicts.Reader
	dayReader         = days.Reader
	digestReader      = digests.Reader
)

func newReader(from readers.Source, c caches) *Reader {
	immutable := from.Immutable
	txs := transactions.NewReader(from, immutable, c.dictionaries)
	r := &Reader{
		transactionReader: txs, contractReader: contracts.NewReader(from), traceReader: traces.NewReader(from, c.keys, txs, immutable, c.ofActions),
		rangeReader: indexrange.NewReader(from, immutable), blockReader: blocks.NewReader(from, immutable), verdictReader: verdicts.NewReader(from),
		dayReader: days.NewReader(from, c.dictionaries),
		caches:    c, pool: from,
	}
	r.digestReader = digests.NewReader(from, &r.rangeReader, &r.transactionReader, &r.traceReader, c.dictionaries)
	return r
}

// Snapshot returns a Reader whose queries all read one state of the index. The first query calls asOf with the masterchain
// seqno that this state has reached, 0 while the index is empty. The snapshot holds a connection from the first query until
// the caller calls done, which may be called several times. The Reader is for one goroutine; the result of a query has to be
// read before the next query.
func (r *Reader) Snapshot(_ context.Context, asOf func(mcSeqno uint32)) (at *Reader, done func()) {
	from, done := r.pool.Snapshot(r.names, asOf)
	return newReader(from, r.caches), sync.OnceFunc(done)
}

// Last returns a Reader for the last query of a snapshot. This query ends the snapshot, which saves the round trip of ending
// it apart. Outside a snapshot it returns a Reader like r.
func (r *Reader) Last() *Reader { return newReader(r.pool.Last(), r.caches) }
