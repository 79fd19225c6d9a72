package transactions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/rawtx"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

// ErrDamaged is the error of a stored transaction that cannot be read, as its storage is damaged or its dictionary is missing.
var ErrDamaged = errors.New("stored transaction is damaged")

var errColumns = errors.New("its columns differ from its raw transaction")

// rawRows reads rows of [TransactionColumns]. The raw transactions are decompressed and read together after the last row, because
// that may take another query, for a dictionary.
type rawRows struct {
	columns []rawColumn // of each row
	states  []byte      // of all rows
	stored  *[]byte     // raw transactions of all rows, as they are stored; from storedPool
	raw     int         // number of rows with a raw transaction
}

// rawColumn is where the states and the raw transaction of a row end.
type rawColumn struct{ states, boc int }

// storedPool has memory for the stored form of raw transactions, which is needed until they are decompressed.
var storedPool = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled bounds the memory that a pooled buffer keeps.
const maxPooled = 1 << 20

func (s *rawRows) scan(r *sqlbuild.Row, t *chain.Transaction) {
	if s.stored == nil {
		s.stored = storedPool.Get().(*[]byte) //nolint:forcetypeassert,errcheck // the pool has nothing else
	}
	states, boc := scanTransaction(r, t)
	s.states, *s.stored = append(s.states, states...), append(*s.stored, boc...)
	s.columns = append(s.columns, rawColumn{len(s.states), len(*s.stored)})
	if len(boc) > 0 {
		s.raw++
	}
}

// release returns the memory that is not needed any more.
func (s *rawRows) release() {
	if s.stored != nil && cap(*s.stored) <= maxPooled {
		*s.stored = (*s.stored)[:0]
		storedPool.Put(s.stored)
	}
	s.stored = nil
}

// finish reads the raw transactions. Dictionaries that are not cached come from from. The error is Invalid for more bytes than the limit of
// ctx, see [sqlbuild.WithReadLimit].
func (s *rawRows) finish(ctx context.Context, dictionaries *dictionary.Cache, from sqlbuild.Queryer, rows []chain.Transaction) error {
	defer s.release()
	stored, at := make([][]byte, 0, s.raw), make([]int, 0, s.raw)
	var start rawColumn
	for i, c := range s.columns {
		if c.states > start.states {
			rows[i].States = s.states[start.states:c.states:c.states]
		}
		if c.boc > start.boc {
			boc := (*s.stored)[start.boc:c.boc]
			if _, compressed := dictionary.IDOf(boc); !compressed {
				boc = slices.Clone(boc)
			}
			stored, at = append(stored, boc), append(at, i)
		}
		start = c
	}
	if len(at) == 0 {
		return nil
	}
	if err := dictionaries.Decode(ctx, from, stored); err != nil {
		return fmt.Errorf("raw transactions: %w", err)
	}
	var raw rawtx.Transaction
	for i, at := range at {
		t := &rows[at]
		if err := readRaw(&raw, stored[i], t); err != nil {
			return fmt.Errorf("%w: %s %d: %w", ErrDamaged, t.Account, t.LT, err)
		}
		t.Raw = stored[i]
	}
	return nil
}

// readRaw reads the fields of a row from its raw transaction, which must say the same as the columns.
func readRaw(raw *rawtx.Transaction, boc chain.BOC, t *chain.Transaction) error {
	if err := raw.Parse(boc, nil); err != nil {
		return err //nolint:wrapcheck // it names the raw transaction
	}
	columns := *t
	if err := raw.Read(t); err != nil {
		return err //nolint:wrapcheck // as above
	}
	if t.Account != columns.Account || t.LT != columns.LT || t.Now != columns.Now || t.OutMsgCount != columns.OutMsgCount ||
		t.Description.Aborted != columns.Description.Aborted {
		return errColumns
	}
	return nil
}

// Collect reads transactions by a statement that selects [TransactionColumns]. expect is an estimate of their number.
func (r *Reader) Collect(ctx context.Context, what string, expect int, text string, args ...any) ([]chain.Transaction, error) {
	return r.collect(ctx, what, expect, nil, text, args...)
}

// collect is Collect with the rule by which the rows here are enough; nil: none, see [sqlbuild.Cover].
func (r *Reader) collect(ctx context.Context, what string, expect int, rule sqlbuild.Rule[chain.Transaction], text string, args ...any) ([]chain.Transaction, error) {
	var s rawRows
	var rows []chain.Transaction
	var err error
	if rule != nil {
		rows, err = sqlbuild.Covered(ctx, r.pool, what, expect, rule, s.scan, text, args...)
	} else {
		rows, err = sqlbuild.Collect(ctx, r.pool, what, expect, s.scan, text, args...)
	}
	if err != nil {
		return nil, err
	}
	if err := s.finish(ctx, r.dictionaries, r.unchanging(), rows); err != nil {
		return nil, sqlbuild.Fault(ctx, what, err)
	}
	return rows, nil
}

// ReadRow reads a row of [TransactionColumns].
func (r *Reader) ReadRow(ctx context.Context, row *sqlbuild.Row, t *chain.Transaction) error {
	var s rawRows
	one := []chain.Transaction{{}}
	s.scan(row, &one[0])
	err := s.finish(ctx, r.dictionaries, r.unchanging(), one)
	*t = one[0]
	return err
}

// ReadAll reads and closes rows of [TransactionColumns] in a database transaction.
func ReadAll(ctx context.Context, tx pgx.Tx, dictionaries *dictionary.Cache, rows pgx.Rows, expect int) ([]chain.Transaction, error) {
	var s rawRows
	found, err := sqlbuild.ReadAll(rows, expect, s.scan)
	if err != nil {
		return nil, err
	}
	return found, s.finish(ctx, dictionaries, tx, found)
}

// Describes reports whether a raw transaction says what the columns of t do, so that they need not be written. raw is memory for it.
func Describes(raw *rawtx.Transaction, boc chain.BOC, t *chain.Transaction) bool {
	read := chain.Transaction{Account: chain.Address{Workchain: t.Account.Workchain}}
	return len(boc) > 0 && raw.Parse(boc, nil) == nil && raw.Read(&read) == nil && read.Account == t.Account && read.LT == t.LT &&
		read.PrevHash == t.PrevHash && read.StateHashBefore == t.StateHashBefore && read.StateHashAfter == t.StateHashAfter
}
