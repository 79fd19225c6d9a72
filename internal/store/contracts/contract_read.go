package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const selectAccountsAfter = `SELECT c.account FROM accounts c WHERE c.account > $1 ORDER BY c.account LIMIT $2`

// AccountsAfter lists the addresses of all accounts in order, beginning after the given one, nil for the beginning: a
// walk over the complete index.
func (r *Reader) AccountsAfter(ctx context.Context, after *chain.Address, limit int) ([]chain.Address, error) {
	from := []byte{}
	if after != nil {
		from = after.Bytes()
	}
	return sqlbuild.Collect(ctx, r.pool, "accounts", limit, func(r *sqlbuild.Row, a *chain.Address) { *a = r.Address() },
		selectAccountsAfter, from, int64(limit))
}
