package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/blocks"
	"tonql/internal/store/cells"
	"tonql/internal/store/contracts"
	"tonql/internal/store/days"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/digests"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/names"
	"tonql/internal/store/sqlbuild"
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

	pool source
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

func newReader(from source, c caches) *Reader {
	immutable := from.immutable
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

// source is where a [Reader] sends its queries: the pool, where each query reads the newest state of the index, or a
// snapshot, where all queries read one state.
type source interface {
	sqlbuild.TxSource

	// open starts a snapshot. A snapshot returns itself.
	open(cache *names.Cache, asOf func(mcSeqno uint32)) (at source, done func())
	// final returns the source for the last query, which ends a snapshot.
	final() source
	// immutable returns the source for rows that never change.
	immutable() sqlbuild.Queryer
	// named reads parts of the names of addresses.
	named(ctx context.Context, what string, addresses []chain.Address, want names.Parts) ([]chain.AddressBookRow, []chain.Metadata, error)
	// prefetchAddressBook adds the rows of addresses to a batch of queries that is the last one, if that saves a round trip. It
	// returns the source for the batch, and nil when nothing was added.
	prefetchAddressBook(b *pgx.Batch, addresses []chain.Address) (source, *nameQuery)
}

func (p poolSource) open(cache *names.Cache, asOf func(mcSeqno uint32)) (source, func()) {
	s := &snapshot{from: p.readers, asOf: asOf, names: cache}
	return s, s.done
}

func (p poolSource) final() source { return p }

func (p poolSource) immutable() sqlbuild.Queryer { return p }

func (p poolSource) prefetchAddressBook(*pgx.Batch, []chain.Address) (source, *nameQuery) {
	return p, nil
}
