package traces

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

// DetailWriter packs details of actions. The zero value is ready. It is not safe for concurrent use.
type DetailWriter struct {
	// Present is the newest dictionary of the database, nil for none. It must be read again when the database may have lost it.
	Present *dictionary.Dictionary

	sampler      dictionary.Sampler
	text, stored []byte
}

// DetailStep packs the details of the actions of a database transaction.
type DetailStep struct {
	Writer *DetailWriter
	// Dictionary is the one in use. It becomes that of the writer when the transaction is committed.
	Dictionary *dictionary.Dictionary
}

// QueueNewest reads the newest dictionary.
func (w *DetailWriter) QueueNewest(b *pgx.Batch) {
	b.Queue(dictionary.Actions.SelectNewest()).Query(func(rows pgx.Rows) error {
		w.Present = nil
		var invalid error
		if err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { w.Present, invalid = dictionary.Scan(r) }); err != nil {
			return err
		}
		return invalid
	})
}

// Refresh reads the newest dictionary, if it is another one than the present one.
func (w *DetailWriter) Refresh(ctx context.Context, tx pgx.Tx) error {
	id, present := int64(-1), w.Present
	if present != nil {
		id = int64(present.ID())
	}
	w.Present = nil // there may be none any more
	var invalid error
	err := sqlbuild.Each(ctx, tx, string(dictionary.Actions), func(r *sqlbuild.Row) {
		if r.Present(0) {
			present, invalid = dictionary.Scan(r)
		} else {
			r.Skip(1)
		}
		w.Present = present
	}, dictionary.Actions.SelectOther(), id)
	if err == nil {
		err = invalid
	}
	return err
}

// begin chooses the dictionary, and writes it if it is new.
func (s *DetailStep) begin(ctx context.Context, tx pgx.Tx) error {
	s.Dictionary = s.Writer.Present
	content := s.Writer.sampler.Propose(s.Dictionary)
	if content == nil {
		return nil
	}
	next, err := dictionary.New(content)
	if err != nil {
		return fmt.Errorf("dictionary of actions: %w", err)
	}
	if _, err := tx.Exec(ctx, dictionary.Actions.Insert(), int64(next.ID()), content); err != nil {
		return fmt.Errorf("dictionary of actions: %w", err)
	}
	s.Dictionary = next
	return nil
}

// write writes the two columns of the details of an action.
func (s *DetailStep) write(c *sqlbuild.CopyBuffer, a *chain.Action) {
	w, details := s.Writer, []byte(a.Details)
	if len(details) == 0 {
		details = []byte("null")
	}
	text, ok := appendText(w.text[:0], details, a.Accounts)
	w.text = text
	if !ok {
		c.Null()
		c.Bytes(details)
		return
	}
	w.sampler.Add(text)
	w.stored = s.Dictionary.Append(appendChecksum(w.stored[:0], details), text)
	c.Bytes(w.stored)
	c.Null()
}
