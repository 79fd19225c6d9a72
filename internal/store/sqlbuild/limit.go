package sqlbuild

import (
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// SQLSTATE codes of tonql's triggers, which limit the rows of an owner.
const (
	codeFull      = "TQ001" // the limit is reached; the detail is the limit
	codeDuplicate = "TQ002" // an equal row exists
)

// LimitOf reports whether a trigger refused a row because the limit is reached, and returns the limit.
func LimitOf(err error) (limit int, full bool) {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || pg.Code != codeFull {
		return 0, false
	}
	limit, _ = strconv.Atoi(pg.Detail) // the trigger wrote a number
	return limit, true
}

// IsDuplicate reports whether a trigger refused a row because an equal row exists.
func IsDuplicate(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == codeDuplicate
}

// IsUnique reports whether a unique index refused a row.
func IsUnique(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == CodeUniqueViolation
}
