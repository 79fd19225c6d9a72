package sqlbuild

import (
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// SQLSTATE codes of ours: what triggers raise that bound the rows of an owner.
const (
	codeFull      = "TQ001" // there are as many as there may be; the detail is the number
	codeDuplicate = "TQ002" // there is one like it already
)

// LimitOf reports whether a trigger refused a row because there are as many as there may be, and how many these are.
func LimitOf(err error) (limit int, full bool) {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || pg.Code != codeFull {
		return 0, false
	}
	limit, _ = strconv.Atoi(pg.Detail) // the trigger wrote a number
	return limit, true
}

// IsDuplicate reports whether a trigger refused a row because there is one like it.
func IsDuplicate(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == codeDuplicate
}
