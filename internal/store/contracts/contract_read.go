package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Claims are walked in the order of their index, for each of the others.
const (
	claimColumns = `c.account, c.lt, c.interface, c.other, c.refuted`

	selectClaims = `SELECT ` + claimColumns + ` FROM contract_claims c WHERE c.other = $1
		AND (c.account, c.interface) > ($2, $3) ORDER BY c.account, c.interface LIMIT $4`
	// SelectOpenClaims reads the claims on a contract that are not refuted.
	SelectOpenClaims = `SELECT ` + claimColumns + ` FROM contract_claims c WHERE c.other = $1 AND NOT c.refuted
		AND (c.account, c.interface) > ($2, $3) ORDER BY c.account, c.interface LIMIT $4`
)

// ClaimsOn lists accounts that claim a relation to another contract, by account; refuted claims only with refuted.
// Anyone may claim anything, so there may be many: the list begins after the given claim, nil for its beginning.
func (r *Reader) ClaimsOn(ctx context.Context, other chain.Address, refuted bool, after *chain.Claimant, limit int) ([]chain.Claimant, error) {
	text, account, name := SelectOpenClaims, []byte{}, ""
	if refuted {
		text = selectClaims
	}
	if after != nil {
		account, name = after.Account.Bytes(), after.Interface
	}
	return sqlbuild.Collect(ctx, r.pool, "claims", limit, func(r *sqlbuild.Row, c *chain.Claimant) {
		c.Account = r.Address()
		c.LT = r.LT()
		c.Interface = r.Text()
		c.Other = r.Address()
		c.Refuted = r.Bool()
	}, text, other.Bytes(), account, name, int64(limit))
}

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
