package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/rawtx"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// rawWriter compresses raw transactions, and bodies and state-inits of messages.
type rawWriter struct {
	sampler dictionary.Sampler
	// present is the newest dictionary of the database, nil for none. It is read with the indexed ranges, which differ from those in
	// memory when the database has lost a commit; a dictionary is written in the transaction of the first blocks that use it.
	present *dictionary.Dictionary
	buffer  []byte
	reader  rawtx.Transaction
}

// rawStep compresses the raw transactions and the messages of a batch.
type rawStep struct {
	writer     *rawWriter
	dictionary *dictionary.Dictionary // in use
}

// begin chooses the dictionary, and writes it if it is new.
func (s *rawStep) begin(ctx context.Context, tx pgx.Tx) error {
	s.dictionary = s.writer.present
	content := s.writer.sampler.Propose(s.dictionary)
	if content == nil {
		return nil
	}
	next, err := dictionary.New(content)
	if err != nil {
		return fmt.Errorf("dictionary: %w", err)
	}
	if _, err := tx.Exec(ctx, dictionary.Transactions.Insert(), int64(next.ID()), content); err != nil {
		return fmt.Errorf("dictionary: %w", err)
	}
	s.dictionary = next
	return nil
}

// compressed returns boc as it is stored, valid until the next call.
func (s *rawStep) compressed(boc []byte) []byte {
	s.writer.sampler.Add(boc)
	s.writer.buffer = s.dictionary.Append(s.writer.buffer[:0], boc)
	return s.writer.buffer
}

// content returns a body or a state-init of a message as it is stored, valid until the next call.
func (s *rawStep) content(b chain.BOC) []byte {
	s.writer.buffer = transactions.AppendContent(s.writer.buffer[:0], s.dictionary, b)
	return s.writer.buffer
}

// queueNewest reads the newest dictionary.
func (w *rawWriter) queueNewest(b *pgx.Batch) {
	b.Queue(dictionary.Transactions.SelectNewest()).Query(func(rows pgx.Rows) error {
		w.present = nil
		var invalid error
		if err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { w.present, invalid = dictionary.Scan(r) }); err != nil {
			return err
		}
		return invalid
	})
}

// DamagedDictionaries lists the dictionaries of raw transactions whose id is not that of their content, or whose number does not
// follow the one before. The numbers of the writer begin with 1; before them are those of the move of transactions, which end with -1.
func (r *Reader) DamagedDictionaries(ctx context.Context) (damaged []string, err error) {
	return r.damagedDictionaries(ctx, dictionary.Transactions)
}

// DamagedActionDictionaries is [Reader.DamagedDictionaries] of the dictionaries of actions, all of which are of the writer.
func (r *Reader) DamagedActionDictionaries(ctx context.Context) (damaged []string, err error) {
	return r.damagedDictionaries(ctx, dictionary.Actions)
}

func (r *Reader) damagedDictionaries(ctx context.Context, table dictionary.Table) (damaged []string, err error) {
	last := int32(-1)
	var before *int32
	err = sqlbuild.Each(ctx, r.pool, string(table), func(r *sqlbuild.Row) {
		id, number, content := r.Int8(), r.Int4(), r.Bytes()
		sum := sha256.Sum256(content)
		follows := before == nil && number <= 1 && number != 0 || before != nil && (number == *before+1 && number != 0 || *before == -1 && number == 1)
		if id != int64(binary.BigEndian.Uint32(sum[:])) || !follows {
			damaged = append(damaged, fmt.Sprint(id))
		}
		last, before = number, &number
	}, table.SelectAll())
	if err == nil && last < -1 {
		damaged = append(damaged, fmt.Sprintf("(missing number %d)", last+1))
	}
	return damaged, err
}
