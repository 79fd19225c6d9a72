package sqlbuild

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
)

// SQLSTATE codes that errors distinguish.
const (
	codeQueryCanceled   = "57014" // statement_timeout, or a cancelled request
	CodeUniqueViolation = "23505" // a row with this key exists
	CodeUndefinedTable  = "42P01"
	codeUnknownDatabase = "3D000"
	codeSerialization   = "40001" // on a standby: a conflict with what it replays
	codeDeadlock        = "40P01"
	codeReadOnly        = "25006" // a write to a standby
	codeDiskFull        = "53100"
	codeOutOfMemory     = "53200"
	codeTooManyClients  = "53300"
	codeIOError         = "58030"
	codeInternal        = "XX000"
)

// Fault adds the name of the query to an error of the driver and sorts it: nothing found, the request's end, the statement's
// timeout, a database that cannot be reached; everything else stays internal, its text for the log only.
func Fault(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	var pg *pgconn.PgError
	var typed *chain.Error
	var network net.Error
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &typed):
		return fmt.Errorf("%s: %w", what, err)
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case errors.Is(err, pgx.ErrNoRows):
		return chain.NotFoundf("%s not found", what)
	case errors.As(err, &pg):
		return serverFault(what, pg)
	case errors.As(err, &connect), errors.As(err, &network), pgconn.SafeToRetry(err), isBrokenConnection(err):
		return chain.Transientf(fmt.Errorf("%s: %w", what, err), "the database cannot be reached now; try again in a moment")
	default:
		return fmt.Errorf("%s: %w", what, err)
	}
}

// SQLSTATE codes of text that the database cannot store or match.
const (
	codeNotInRepertoire = "22021" // no UTF-8, or a NUL
	codeUntranslatable  = "22P05" // a NUL that JSON has escaped
)

// initFile is the message, in every language, with which a server refuses new connections as it cannot write the file of its caches: its disk is full.
const initFile = "could not write init file"

// serverFault translates an error that the server reported.
func serverFault(what string, pg *pgconn.PgError) error {
	cause := fmt.Errorf("%s: %w", what, pg)
	switch {
	case len(pg.Code) != 5: // not a SQLSTATE
		return cause
	case pg.Code == codeQueryCanceled:
		return chain.Unavailablef(cause, "this query took longer than allowed; narrow it by an account, a smaller "+
			"range of LT or time, or a smaller limit or offset")
	case pg.Code == CodeUndefinedTable:
		return chain.Unavailablef(cause, "the database has no schema yet; run the migrations")
	case pg.Code == codeUnknownDatabase:
		return chain.Unavailablef(cause, "the database named in the database URL does not exist; create it first")
	case pg.Code == codeNotInRepertoire, pg.Code == codeUntranslatable:
		return &chain.Error{Kind: chain.Invalid, Message: "a text is not valid UTF-8, or has a NUL character", Err: errors.Join(chain.ErrText, cause)}
	case pg.Code[:2] == "28":
		return chain.Unavailablef(cause, "the database refuses the user of the database URL")
	case pg.Code == codeDiskFull && remote(pg):
		return chain.Unavailablef(cause, "the disk of a cold server is full; nothing can be written there until space is freed on it")
	case pg.Code == codeDiskFull, pg.Code == codeInternal && pg.Message == initFile:
		return chain.Unavailablef(cause, "the disk of the database is full; nothing can be written until space is freed")
	case pg.Code == codeOutOfMemory:
		return chain.Unavailablef(cause, "the database is short of memory; try again in a moment")
	case pg.Code == codeTooManyClients:
		return chain.Unavailablef(cause, "the database accepts no more connections; try again in a moment")
	case pg.Code == codeIOError:
		return chain.Unavailablef(cause, "the database cannot read or write its disk")
	case pg.Code == codeSerialization, pg.Code == codeDeadlock:
		return chain.Transientf(cause, "the database has cancelled this query for its replication; try again in a moment")
	case pg.Code == codeReadOnly:
		return chain.Unavailablef(cause, "this service reads a standby of the database, which stores nothing; send this request to another gateway")
	case pg.Code[:2] == "HV": // postgres_fdw
		return chain.Unavailablef(cause, "a part of the response is on another server, which does not respond now; try again later")
	case pg.Code[:2] == "53":
		return chain.Unavailablef(cause, "the database cannot be reached now; try again in a moment")
	case pg.Code[:2] == "08", pg.Code[:3] == "57P":
		// connection lost, shutting down or starting up
		return chain.Transientf(cause, "the database cannot be reached now; try again in a moment")
	default:
		return cause
	}
}

// remote reports whether an error is that of a cold server.
func remote(pg *pgconn.PgError) bool { return pg.Routine == cold.RemoteRoutine }

// IsReadOnly reports whether an error is that of a write to a standby.
func IsReadOnly(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == codeReadOnly
}

// IsConnectionLost reports whether an error means that the connection to the database was lost or refused, by a server that
// ended, is ending or is starting.
func IsConnectionLost(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return len(pg.Code) == 5 && (pg.Code[:2] == "08" || pg.Code[:3] == "57P")
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) || isBrokenConnection(err) ||
		errors.Is(err, driver.ErrBadConn)
}

// IsServerLost reports whether an error means that a server was lost: the end of a request is not its fault, although it ends the connection, too.
func IsServerLost(err error) bool {
	var network net.Error
	return IsConnectionLost(err) && !pgconn.Timeout(err) && !errors.Is(err, context.Canceled) &&
		!errors.Is(err, context.DeadlineExceeded) && (!errors.As(err, &network) || !network.Timeout())
}

// isBrokenConnection reports whether a connection ended in the middle of a result.
func isBrokenConnection(err error) bool {
	return errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}
