package store

import (
	"context"

	"tonql/internal/chain"
)

// Vestings lists vesting wallets by address.
func (r *Reader) Vestings(ctx context.Context, f chain.VestingFilter, p chain.Page) ([]chain.Vesting, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	s, l := vestingsStatement(&f, p)
	rows, err := collect(ctx, r.pool, "vesting wallets", l.limit, scanVesting, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

func vestingsStatement(f *chain.VestingFilter, p chain.Page) (*statement, list) {
	t := recordList{newList(byAddress("c.address", false), p), "vestings", vestingColumns}
	s := &statement{}
	if len(f.Contracts) > 0 {
		return t.found(f.Contracts, "", nil), t.list
	}
	wallets := unique(f.Wallets)
	t.through(s, func() {
		t.link(s, "vestings", "owner", "address", wallets)
		s.add(" UNION ALL ")
		t.link(s, "vestings", "sender", "address", wallets)
		if f.CheckWhitelist {
			s.add(" UNION ALL ")
			t.link(s, "vesting_whitelist", "member", "vesting", wallets)
		}
	})
	return s, t.list
}
