package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// countedBy is the order of tokens by their counts: those without a name or holders last, then by the count, largest first.
func countedBy(order chain.TokenOrder) sqlbuild.Order {
	column := map[chain.TokenOrder]string{
		chain.OrderByHolders: "holders", chain.OrderByTransfers: "transfers", chain.OrderBySupply: "supply",
	}[order]
	term := func(name string) sqlbuild.Term { return columnOf("token_counts", "address", "k."+name, name, true) }
	return sqlbuild.Order{term("listed"), term(column), byAddress("k.address", true)[0]}
}

// TokensByStatement returns the statement of a list of tokens by their counts, and its page.
func TokensByStatement(kind chain.TokenKind, order chain.TokenOrder, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	t := recordList{List: sqlbuild.NewList(countedBy(order), p), table: "jetton_masters", columns: jettonMasterColumns}
	if kind == chain.TokenNFTCollection {
		t.table, t.columns = "nft_collections", nftCollectionColumns
	}
	s := &sqlbuild.Statement{}
	// The join is lateral, so that the walk along the counts decides the order of rows and ends with the page.
	s.From("SELECT " + t.columns + " FROM token_counts k CROSS JOIN LATERAL (SELECT * FROM " + t.table + " c WHERE c.address = k.address OFFSET 0) c")
	s.And("k.kind = ?", int64(kind))
	t.between(s, t.Order)
	return s.OrderBy(t.Order).Window(&t.List), t.List
}

// JettonMastersBy lists counted Jetton masters in an order by counts.
func (r *Reader) JettonMastersBy(ctx context.Context, order chain.TokenOrder, p chain.Page) ([]chain.JettonMaster, error) {
	s, l := TokensByStatement(chain.TokenJettonMaster, order, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "Jetton masters", l.Limit, scanJettonMaster, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// NFTCollectionsBy lists counted collections in an order by counts.
func (r *Reader) NFTCollectionsBy(ctx context.Context, order chain.TokenOrder, p chain.Page) ([]chain.NFTCollection, error) {
	s, l := TokensByStatement(chain.TokenNFTCollection, order, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "NFT collections", l.Limit, scanNFTCollection, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// SelectTokenCounts reads the counts of tokens.
const SelectTokenCounts = `SELECT k.address, k.holders, k.transfers, CASE WHEN k.kind = 3 THEN k.supply::bigint END, k.counted_utime
	FROM token_counts k WHERE k.address = ANY($1) ORDER BY k.address`

// TokenCounts reads the counts of tokens; those that were not counted are missing.
func (r *Reader) TokenCounts(ctx context.Context, tokens []chain.Address) (map[chain.Address]*chain.TokenCounts, error) {
	found := make(map[chain.Address]*chain.TokenCounts, len(tokens))
	if len(tokens) == 0 {
		return found, nil
	}
	err := sqlbuild.Each(ctx, r.pool, "counts of tokens", func(row *sqlbuild.Row) {
		address := row.Address()
		c := &chain.TokenCounts{Holders: row.Int8(), TransfersOfDay: row.Int8()}
		c.Items, c.CountedAt = row.OptionalInt8(), row.Uint32()
		found[address] = c
	}, SelectTokenCounts, sqlbuild.AddressArray(sqlbuild.Unique(tokens)))
	return found, err
}
