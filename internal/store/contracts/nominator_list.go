package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

var nominatorPositionColumns = sqlbuild.Qualified("c", NominatorPositionTable)

// NominatorPositions lists what a nominator has in pools, by pool.
func (r *Reader) NominatorPositions(ctx context.Context, nominator chain.Address, p chain.Page) ([]chain.NominatorPosition, error) {
	s, l := NominatorPositionsStatement(nominator, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "positions of a nominator", l.Limit, scanNominatorPosition, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// NominatorPositionsStatement returns the statement of [Reader.NominatorPositions], and its page.
func NominatorPositionsStatement(nominator chain.Address, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	t := recordList{sqlbuild.NewList(byAddress("c.pool", false), p), nominatorPositions, nominatorPositionColumns}
	s := &sqlbuild.Statement{}
	s.From("SELECT "+t.columns+" FROM "+t.table+" c").And("c.nominator = ?", nominator.Bytes())
	t.between(s, t.Order)
	s.OrderBy(t.Order).Window(&t.List)
	return s, t.List
}

// NominatorPositionsOf reads the same page of the positions of each nominator, by pool.
func (r *Reader) NominatorPositionsOf(
	ctx context.Context, nominators []chain.Address, p chain.Page,
) (map[chain.Address][]chain.NominatorPosition, error) {
	if len(nominators) == 0 {
		return nil, nil
	}
	t := recordList{sqlbuild.NewList(byAddress("c.pool", false), p), nominatorPositions, nominatorPositionColumns}
	found, err := readPages(ctx, r, "positions of nominators", t.pagesAlong("c.nominator", nominators, anyRecord), &t.List, scanNominatorPosition)
	return found.byParent(), err
}

// SelectPoolsOfValidator reads pools by validator.
const SelectPoolsOfValidator = `SELECT p.address FROM nominator_pools p WHERE p.validator = $1 ORDER BY p.address LIMIT $2`

// PoolsOfValidator lists the pools of a validator by address, at most limit.
func (r *Reader) PoolsOfValidator(ctx context.Context, validator chain.Address, limit int) ([]chain.Address, error) {
	return sqlbuild.Collect(ctx, r.pool, "pools of a validator", limit, func(r *sqlbuild.Row, a *chain.Address) { *a = r.Address() },
		SelectPoolsOfValidator, validator.Bytes(), int64(limit))
}
