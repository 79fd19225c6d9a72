package store

import (
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// statements are what snapshots have prepared on a connection, by text. It belongs to whoever has the connection.
type statements struct {
	byText map[string]*pgconn.StatementDescription
	made   int // for names
}

// maxStatements bounds what is prepared on one connection; then it is given up. Texts form a small closed set, so that is
// not often.
const maxStatements = 512

// statementsKey is where a connection keeps them.
const statementsKey = "tonql statements of snapshots"

func statementsOf(pg *pgconn.PgConn) *statements {
	if known, ok := pg.CustomData()[statementsKey].(*statements); ok {
		return known
	}
	known := &statements{byText: make(map[string]*pgconn.StatementDescription)}
	pg.CustomData()[statementsKey] = known
	return known
}

// prepare makes the statements that are not known yet, in one round trip.
func (k *statements) prepare(pipe *pgconn.Pipeline, questions []*pgx.QueuedQuery) error {
	var unknown []string
	for _, q := range questions {
		if k.byText[q.SQL] == nil {
			unknown = append(unknown, q.SQL)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	unknown = unique(unknown)
	first := k.made
	for _, text := range unknown {
		pipe.SendPrepare(statementName(k.made), text, nil)
		k.made++
	}
	pipe.SendFlushRequest()
	if err := pipe.Flush(); err != nil {
		return err //nolint:wrapcheck // the caller names what was asked
	}
	for i, text := range unknown {
		results, err := pipe.GetResults()
		if err != nil {
			return err //nolint:wrapcheck // the caller names what was asked
		}
		made, ok := results.(*pgconn.StatementDescription)
		if !ok {
			return errors.New("a statement was prepared, but the answer is another")
		}
		made.Name = statementName(first + i)
		made.Fields = made.Fields[:1] // all columns are binary; their names are not needed
		k.byText[text] = made
	}
	return nil
}

func statementName(n int) string { return "snapshot_" + strconv.Itoa(n) }

// outdated says that what is prepared cannot be used any more: the schema has changed since, a statement is gone, or there
// are too many.
func (k *statements) outdated(err error) bool {
	const changed, gone = "0A000", "26000"
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == changed || refused.Code == gone) || k.made > maxStatements
}
