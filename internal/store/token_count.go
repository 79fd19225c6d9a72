package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// tokenDay is the time within which transfers are counted, in seconds.
const tokenDay = chain.SecondsPerDay

var (
	// Tokens whose balances or owners changed in masterchain blocks. Of a token with many holders the count takes long, so it is counted
	// again only after a while.
	selectTouchedTokens = `SELECT v.address, v.kind FROM (
			SELECT DISTINCT h.jetton AS address, 1 AS kind FROM transactions t JOIN jetton_balances h ON h.wallet = t.account AND h.lt = t.lt
			WHERE t.mc_seqno BETWEEN $1 AND $2
			UNION ALL SELECT DISTINCT i.collection, 3 FROM transactions t JOIN nft_owners o ON o.item = t.account AND o.lt = t.lt
				JOIN nft_items i ON i.address = o.item WHERE t.mc_seqno BETWEEN $1 AND $2 AND length(i.collection) = 33) v
		LEFT JOIN token_counts k ON k.address = v.address
		WHERE k.address IS NULL OR k.counted_utime + 5 + k.holders / 1000 < $3 ORDER BY v.address`
	// The next tokens of a round over all of them, by address, and whether each has to be counted.
	selectTokenRound = map[chain.TokenKind]string{
		chain.TokenJettonMaster:  tokenRound("jetton_masters"),
		chain.TokenNFTCollection: tokenRound("nft_collections"),
	}

	upsertTokens = ` ON CONFLICT (address) DO UPDATE SET kind = excluded.kind, listed = excluded.listed, holders = excluded.holders,
		transfers = excluded.transfers, supply = excluded.supply, counted_utime = excluded.counted_utime`
	insertTokens = `INSERT INTO token_counts (address, kind, listed, holders, transfers, supply, counted_utime) `
	named        = `COALESCE((SELECT m.result ->> 'name' <> '' OR m.result ->> 'symbol' <> '' FROM metadata m WHERE m.address = c.address AND m.kind = `

	// countTokens counts tokens given by address. $2 is the time of the newest block, $3 that from which transfers count.
	countTokens = map[chain.TokenKind]string{
		chain.TokenJettonMaster: insertTokens + `SELECT c.address, 1, (h.n > 0 AND ` + named + `1), false))::int, h.n, x.n,
			c.total_supply / 10::numeric ^ COALESCE((SELECT CASE WHEN m.result -> 'extra' ->> 'decimals' ~ '^\d{1,2}$'
				THEN (m.result -> 'extra' ->> 'decimals')::int END FROM metadata m WHERE m.address = c.address AND m.kind = 1), 9), $2
			FROM jetton_masters c
			CROSS JOIN LATERAL (SELECT count(*) AS n FROM jetton_wallets w WHERE w.jetton = c.address AND w.balance > 0) h
			CROSS JOIN LATERAL (SELECT count(*) AS n FROM jetton_transfers t WHERE NOT t.tx_aborted
				AND substr(sha256(t.jetton), 1, 7) = substr(sha256(c.address), 1, 7) AND t.jetton = c.address
				AND t.tx_lt` + sqlbuild.ReplaceMark(sqlbuild.LTFromUtime, "$3 - 30") + ` AND t.tx_now > $3) x
			WHERE c.address = ANY($1) ORDER BY c.address` + upsertTokens,
		chain.TokenNFTCollection: insertTokens + `SELECT c.address, 3, (h.n > 0 AND ` + named + `3), false))::int, h.n, x.n, h.items, $2
			FROM nft_collections c
			CROSS JOIN LATERAL (SELECT count(DISTINCT i.owner) AS n, count(*) AS items FROM nft_items i WHERE i.collection = c.address) h
			CROSS JOIN LATERAL (SELECT count(*) AS n FROM nft_transfers t WHERE NOT t.tx_aborted AND t.collection IS NOT NULL
				AND substr(sha256(t.collection), 1, 7) = substr(sha256(c.address), 1, 7) AND t.collection = c.address
				AND t.tx_lt` + sqlbuild.ReplaceMark(sqlbuild.LTFromUtime, "$3 - 30") + ` AND t.tx_now > $3) x
			WHERE c.address = ANY($1) ORDER BY c.address` + upsertTokens,
	}
)

// tokenRound counts again what was counted long ago: transfers leave the day without a change of the index.
func tokenRound(table string) string {
	return `SELECT c.address, k.address IS NULL OR k.counted_utime + 600 + k.holders / 100 < $2
		FROM (SELECT address FROM ` + table + ` WHERE address > $1 ORDER BY address LIMIT ` + tokenBatch + `) c
		LEFT JOIN token_counts k ON k.address = c.address ORDER BY c.address`
}

// tokenBatch is the number of tokens of a step.
const tokenBatch = "25"

// Tokens are tokens to be counted, by kind.
type Tokens map[chain.TokenKind][]chain.Address

// TouchedTokens returns the tokens that changed in masterchain blocks and have to be counted; now is the time of the newest block.
func (r *Reader) TouchedTokens(ctx context.Context, within chain.SeqnoRange, now uint32) (Tokens, error) {
	found := Tokens{}
	err := sqlbuild.Each(ctx, r.pool, "changed tokens", func(row *sqlbuild.Row) {
		address, kind := row.Address(), chain.TokenKind(row.Int4())
		found[kind] = append(found[kind], address)
	}, selectTouchedTokens, int64(within.First), int64(within.Last), int64(now))
	return found, err
}

// TokenRound returns those of the tokens after one that have to be counted, and the last token that was looked at; none at the end.
func (r *Reader) TokenRound(ctx context.Context, kind chain.TokenKind, after *chain.Address, now uint32) (tokens Tokens, last *chain.Address, err error) {
	from := []byte{}
	if after != nil {
		from = after.Bytes()
	}
	tokens = Tokens{}
	err = sqlbuild.Each(ctx, r.pool, "tokens to count", func(row *sqlbuild.Row) {
		address := row.Address()
		last = &address
		if row.Bool() {
			tokens[kind] = append(tokens[kind], address)
		}
	}, selectTokenRound[kind], from, int64(now))
	return tokens, last, err
}

// CountTokens counts tokens and stores their numbers. now is the time of the newest masterchain block.
func (db *DB) CountTokens(ctx context.Context, tokens Tokens, now uint32) error {
	for _, kind := range []chain.TokenKind{chain.TokenJettonMaster, chain.TokenNFTCollection} {
		if len(tokens[kind]) == 0 {
			continue
		}
		_, err := db.writer.pool.Exec(ctx, countTokens[kind], sqlbuild.AddressArray(tokens[kind]), int64(now), int64(now)-tokenDay)
		if err != nil {
			return sqlbuild.Fault(ctx, "counts of tokens", err)
		}
	}
	return nil
}
