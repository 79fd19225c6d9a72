package readers

import (
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// maxResult is the size, in bytes, of the rows that one query of a snapshot may return, which are in memory together. The codes and data of a
// thousand accounts, or the payloads of a thousand actions, may be the same cells on the chain and have gigabytes here.
const maxResult = 64 << 20

var errResult = chain.Invalidf("these rows have more than %d MiB: request fewer at once", maxResult>>20)

// boundedRows are rows of at most [maxResult].
type boundedRows struct {
	pgx.Rows
	size int
	err  error
}

func (r *boundedRows) Next() bool {
	if r.err != nil || !r.Rows.Next() {
		return false
	}
	for _, column := range r.RawValues() {
		r.size += len(column)
	}
	if r.size > maxResult {
		r.err = errResult
		r.Close()
		return false
	}
	return true
}

func (r *boundedRows) Err() error {
	if r.err != nil {
		return r.err
	}
	return r.Rows.Err() //nolint:wrapcheck // the caller adds the name of the query
}
