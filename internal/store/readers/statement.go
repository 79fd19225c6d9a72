package readers

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tonql/internal/store/sqlbuild"
)

// statements are the prepared statements of snapshots on one connection, by text. The holder of the connection owns it.
type statements struct {
	byText map[string]*pgconn.StatementDescription
}

// maxStatements is the largest number of prepared statements of a connection, which is closed then. Texts form a small
// closed set, so this is rare.
const maxStatements = 512

// statementsKey is the key of statements in the data of a connection.
const statementsKey = "tonql statements of snapshots"

func statementsOf(pg *pgconn.PgConn) *statements {
	if made, ok := pg.CustomData()[statementsKey].(*statements); ok {
		return made
	}
	made := &statements{byText: make(map[string]*pgconn.StatementDescription)}
	pg.CustomData()[statementsKey] = made
	return made
}

// prepare prepares the statements that are not prepared yet, in one round trip.
func (s *statements) prepare(pipe *pgconn.Pipeline, queries []*pgx.QueuedQuery) error {
	var missing []string
	for _, q := range queries {
		if s.byText[q.SQL] == nil {
			missing = append(missing, q.SQL)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	missing = sqlbuild.Unique(missing)
	for _, text := range missing {
		pipe.SendPrepare(statementName(text), text, nil)
	}
	pipe.SendFlushRequest()
	if err := pipe.Flush(); err != nil {
		return err //nolint:wrapcheck // the caller adds the name of the query
	}
	for _, text := range missing {
		results, err := pipe.GetResults()
		if err != nil {
			return err //nolint:wrapcheck // the caller adds the name of the query
		}
		made, ok := results.(*pgconn.StatementDescription)
		if !ok {
			return errors.New("a statement was prepared, but the server sent another result")
		}
		made.Name = statementName(text)
		made.Fields = made.Fields[:1] // all columns are binary; names of columns are not needed
		s.byText[text] = made
	}
	return nil
}

// statementName names a statement by its text, so that no name can ever stand for another statement.
func statementName(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "snapshot_" + hex.EncodeToString(sum[:16])
}

// outdated reports whether the prepared statements cannot be used any more: the schema has changed, a statement is gone, or
// there are too many.
func (s *statements) outdated(err error) bool {
	const changed, gone = "0A000", "26000"
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == changed || refused.Code == gone) || len(s.byText) > maxStatements
}
