package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Vestings lists vesting wallets by address.
func (r *Reader) Vestings(ctx context.Context, f chain.VestingFilter, p chain.Page) ([]chain.Vesting, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	s, l := VestingsStatement(&f, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "vesting wallets", l.Limit, scanVesting, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// VestingsStatement returns the statement of [Reader.Vestings], and its page.
func VestingsStatement(f *chain.VestingFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	t := recordList{sqlbuild.NewList(byAddress("c.address", false), p), "vestings", vestingColumns}
	s := &sqlbuild.Statement{}
	if len(f.Contracts) > 0 {
		return t.found(f.Contracts, "", nil), t.List
	}
	wallets := sqlbuild.Unique(f.Wallets)
	t.through(s, func() {
		t.link(s, "vestings", "owner", "address", wallets)
		s.Add(" UNION ALL ")
		t.link(s, "vestings", "sender", "address", wallets)
		if f.CheckWhitelist {
			s.Add(" UNION ALL ")
			t.link(s, "vesting_whitelist", "member", "vesting", wallets)
		}
	})
	return s, t.List
}
