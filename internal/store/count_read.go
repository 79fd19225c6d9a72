package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// countUpTo counts rows of each parent up to a bound, each along an index.
func countUpTo(rows string) string {
	return `SELECT v.value, (SELECT count(*) FROM (SELECT FROM ` + rows + ` = v.value LIMIT $2) n) FROM unnest($1::bytea[]) v(value) ORDER BY v.value`
}

var selectCounts = map[chain.Counted]string{
	chain.CountedTransactions:  countUpTo("transactions c WHERE c.account"),
	chain.CountedJettonWallets: countUpTo("jetton_wallets c WHERE c.jetton"),
	chain.CountedNFTItems:      countUpTo("nft_items c WHERE c.collection"),
}

// Counts counts what belongs to each account, up to [chain.MaxCounted].
func (r *Reader) Counts(ctx context.Context, accounts []chain.Address, what chain.Counted) (map[chain.Address]chain.CappedCount, error) {
	counts := make(map[chain.Address]chain.CappedCount, len(accounts))
	if len(accounts) == 0 {
		return counts, nil
	}
	err := sqlbuild.Each(ctx, r.pool, "counts", func(r *sqlbuild.Row) {
		a, n := r.Address(), int(r.Int8())
		counts[a] = chain.CappedCount{Count: min(n, chain.MaxCounted), More: n > chain.MaxCounted}
	}, selectCounts[what], sqlbuild.AddressArray(sqlbuild.Unique(accounts)), int64(chain.MaxCounted+1))
	return counts, err
}

const selectEstimates = `SELECT c.relname::text, c.reltuples::bigint FROM pg_class c
	WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($1) ORDER BY c.relname`

// RowEstimates returns the number of rows of each table, as the server last estimated them.
func (r *Reader) RowEstimates(ctx context.Context) (chain.RowEstimates, error) {
	var e chain.RowEstimates
	tables := map[string]*int64{
		"blocks": &e.Blocks, "transactions": &e.Transactions, "messages": &e.Messages, "accounts": &e.Accounts, "traces": &e.Traces,
		"actions": &e.Actions, "jetton_masters": &e.JettonMasters, "jetton_wallets": &e.JettonWallets, "nft_items": &e.NFTItems,
	}
	names := make([]string, 0, len(tables))
	for name, n := range tables {
		names, *n = append(names, name), -1
	}
	err := sqlbuild.Each(ctx, r.pool, "estimates of rows", func(r *sqlbuild.Row) {
		table := r.Text()
		*tables[table] = r.Int8()
	}, selectEstimates, names)
	return e, err
}
