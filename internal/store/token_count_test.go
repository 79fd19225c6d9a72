package store_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// newTokenCounts returns an index of synthetic tokens, half of which have a name, and counts them in rounds as the indexer does.
func newTokenCounts(t *testing.T) (*store.DB, uint32) {
	t.Helper()
	db := newDBWithoutAutovacuum(t)
	o := synthetic.Options{Transactions: 6000, Accounts: 600, PerBlock: 38, Shards: 2, Seed: 3, Contracts: true}
	require.NoError(t, synthetic.Load(t.Context(), db.Writer(), o, nil))
	storetest.ExecSQL(t, db, `INSERT INTO metadata (address, kind, content, indexed, valid, reason, error, tries)
		SELECT address, 1, '{}'::json, true, 1 = 1, '', '', 0 FROM jetton_masters UNION ALL SELECT address, 3, '{}'::json, true, 1 = 1, '', '', 0 FROM nft_collections
		ON CONFLICT DO NOTHING`)
	storetest.ExecSQL(t, db, `UPDATE metadata SET result = '{"name": "named", "extra": {"decimals": "6"}}' WHERE get_byte(address, 5) % 2 = 0`)
	info, err := db.Reader().MasterchainInfo(t.Context())
	require.NoError(t, err)
	now := info.Last.GenUtime
	for _, kind := range []chain.TokenKind{chain.TokenJettonMaster, chain.TokenNFTCollection} {
		var after *chain.Address
		for {
			tokens, last, err := db.Reader().TokenRound(t.Context(), kind, after, now)
			require.NoError(t, err)
			require.NoError(t, db.CountTokens(t.Context(), tokens, now))
			if last == nil {
				break
			}
			after = last
		}
		tokens, _, err := db.Reader().TokenRound(t.Context(), kind, nil, now)
		require.NoError(t, err)
		require.Empty(t, tokens, "what was just counted is not counted again")
	}
	return db, now
}

// counted is what a plain statement counts of a token.
type counted struct {
	address        string
	listed         int
	holders, moved int64
	supply         string
}

// countPlainly counts tokens by statements that read every row.
func countPlainly(t *testing.T, db *store.DB, text string, args ...any) (list []counted) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	rows, err := handle.QueryContext(t.Context(), text, args...)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var c counted
		require.NoError(t, rows.Scan(&c.address, &c.listed, &c.holders, &c.moved, &c.supply))
		list = append(list, c)
	}
	require.NoError(t, rows.Err())
	return list
}

// The counts are those of the rows of the index, and lists by them have every token once: those with a name and holders first, then by the
// number, from both ends.
func TestTokenCounts_AreThoseOfTheRows(t *testing.T) {
	t.Parallel()
	db, now := newTokenCounts(t)
	plain := countPlainly(t, db, `SELECT encode(m.address, 'hex'),
			CASE WHEN get_byte(m.address, 5) % 2 = 0 AND EXISTS (SELECT FROM jetton_wallets w WHERE w.jetton = m.address AND w.balance > 0) THEN 1 ELSE 0 END,
			(SELECT count(*) FROM jetton_wallets w WHERE w.jetton = m.address AND w.balance > 0),
			(SELECT count(*) FROM jetton_transfers t WHERE t.jetton = m.address AND NOT t.tx_aborted AND t.tx_now > $1::bigint - 86400),
			trim_scale(m.total_supply / CASE WHEN get_byte(m.address, 5) % 2 = 0 THEN 1000000 ELSE 1000000000 END)::text
		FROM jetton_masters m ORDER BY m.address`, int64(now))
	require.Greater(t, len(plain), 30)
	stored := countPlainly(t, db, `SELECT encode(address, 'hex'), listed, holders, transfers, trim_scale(supply)::text FROM token_counts WHERE kind = 1 ORDER BY address`)
	require.Equal(t, plain, stored)
	require.True(t, slices.ContainsFunc(plain, func(c counted) bool { return c.moved > 0 && c.listed == 1 }))
	collections := countPlainly(t, db, `SELECT encode(c.address, 'hex'), 0, (SELECT count(DISTINCT i.owner) FROM nft_items i WHERE i.collection = c.address),
			(SELECT count(*) FROM nft_transfers t WHERE t.collection = c.address AND NOT t.tx_aborted AND t.tx_now > $1::bigint - 86400),
			(SELECT count(*) FROM nft_items i WHERE i.collection = c.address)::text
		FROM nft_collections c ORDER BY c.address`, int64(now))
	require.NotEmpty(t, collections)
	require.Equal(t, collections, countPlainly(t, db, `SELECT encode(address, 'hex'), 0, holders, transfers, trim_scale(supply)::text FROM token_counts WHERE kind = 3 ORDER BY address`))

	for order, column := range map[chain.TokenOrder]string{chain.OrderByHolders: "holders", chain.OrderByTransfers: "transfers", chain.OrderBySupply: "supply"} {
		want := countPlainly(t, db, `SELECT encode(address, 'hex'), listed, holders, transfers, supply::text FROM token_counts
			WHERE kind = 1 ORDER BY listed DESC, `+column+` DESC, address DESC`)
		for _, backwards := range []bool{false, true} {
			var got []string
			p := chain.Page{Limit: 7, Last: backwards, Sort: chain.Descending}
			for {
				rows, err := db.Reader().JettonMastersBy(t.Context(), order, p)
				require.NoError(t, err)
				var page []string
				for i := range rows {
					page = append(page, fmt.Sprintf("%x", rows[i].Address.Bytes()))
				}
				if backwards {
					got = append(page, got...)
				} else {
					got = append(got, page...)
				}
				if len(rows) < p.Limit {
					break
				}
				if p.After = new(rows[len(rows)-1].Cursor()); backwards {
					p.After, p.Before = nil, new(rows[0].Cursor())
				}
			}
			require.Len(t, got, len(want))
			for i := range want {
				require.Equal(t, want[i].address, got[i], "%s, backwards %v, row %d", column, backwards, i)
			}
		}
	}
	counts, err := db.Reader().TokenCounts(t.Context(), []chain.Address{synthetic.JettonMaster(0), synthetic.Address(1)})
	require.NoError(t, err)
	require.Len(t, counts, 1, "an account that is no token has no counts")
	require.Equal(t, now, counts[synthetic.JettonMaster(0)].CountedAt)
	require.Nil(t, counts[synthetic.JettonMaster(0)].Items)
}

// Blocks lead to the tokens whose balances and owners they change, until these are counted again.
func TestTouchedTokens_AreThoseOfTheBlocks(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	jetton, collection := testdb.Address(), testdb.Address()
	mb := testdb.Master(1)
	testdb.AddContract(mb, jetton, func(c *chain.Contract) {
		c.JettonMaster = &chain.JettonMaster{Address: jetton, TotalSupply: big.NewInt(5_000_000_000), Content: chain.Content{}, LastTxLT: c.LT}
	})
	testdb.AddContract(mb, collection, func(c *chain.Contract) {
		c.NFTCollection = &chain.NFTCollection{Address: collection, NextItemIndex: big.NewInt(1), Content: chain.Content{}, LastTxLT: c.LT}
	})
	changed := func(edit func(c *chain.Contract, account chain.Address)) {
		tx := testdb.NewTransaction(mb, testdb.Address())
		mb.Transactions = append(mb.Transactions, tx)
		testdb.AddContract(mb, tx.Account, func(c *chain.Contract) { c.LT = tx.LT; edit(c, tx.Account) })
	}
	changed(func(c *chain.Contract, account chain.Address) {
		c.JettonWallet = &chain.JettonWallet{Address: account, Owner: testdb.Address(), Jetton: jetton, Balance: big.NewInt(5), LastTxLT: c.LT}
	})
	changed(func(c *chain.Contract, account chain.Address) {
		c.NFTItem = &chain.NFTItem{Address: account, Init: true, Index: big.NewInt(0), Collection: &collection, Owner: new(testdb.Address()), Content: chain.Content{}, LastTxLT: c.LT}
	})
	require.NoError(t, db.Writer().Apply(t.Context(), mb, testdb.Master(2)))

	r, now := db.Reader(), mb.Block.GenUtime
	touched := func(seqno uint32) store.Tokens {
		t.Helper()
		tokens, err := r.TouchedTokens(t.Context(), chain.SeqnoRange{First: seqno, Last: seqno}, now)
		require.NoError(t, err)
		return tokens
	}
	both := store.Tokens{chain.TokenJettonMaster: {jetton}, chain.TokenNFTCollection: {collection}}
	require.Equal(t, both, touched(1))
	require.Empty(t, touched(2))
	require.NoError(t, db.CountTokens(t.Context(), both, now))
	require.Empty(t, touched(1), "they were just counted")
	counts, err := r.TokenCounts(t.Context(), []chain.Address{jetton, collection})
	require.NoError(t, err)
	require.Equal(t, chain.TokenCounts{Holders: 1, CountedAt: now}, *counts[jetton])
	require.Equal(t, chain.TokenCounts{Holders: 1, Items: new(int64(1)), CountedAt: now}, *counts[collection])
	now += 60
	require.Equal(t, both, touched(1), "after a while they are counted again")
}

// Lists by counts walk the index of their order and read the rows of the page; nothing is sorted or read from end to end.
func TestTokenCounts_ListsUseTheirIndexes(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db, now := newTokenCounts(t)
	storetest.ExecSQL(t, db, "VACUUM ANALYZE")
	r := db.Reader()
	info, err := r.MasterchainInfo(t.Context())
	require.NoError(t, err)
	first, err := r.JettonMastersBy(t.Context(), chain.OrderByHolders, chain.Page{Limit: 5})
	require.NoError(t, err)
	deep := new(first[4].Cursor())
	i := 0
	check := func(name, index string, pages int, s store.Statement) {
		p := explain(t, r, i, s)
		i++
		require.Empty(t, p.offences(), "%s\n%s", name, p.text)
		require.LessOrEqual(t, p.pages, pages, "%s\n%s", name, p.text)
		require.Contains(t, p.text, index, name)
		require.NotContains(t, p.text, "Sort ", name)
	}
	for order, column := range map[chain.TokenOrder]string{chain.OrderByHolders: "holders", chain.OrderByTransfers: "transfers", chain.OrderBySupply: "supply"} {
		for _, kind := range []chain.TokenKind{chain.TokenJettonMaster, chain.TokenNFTCollection} {
			for _, p := range []chain.Page{{Limit: 10}, {Limit: 10, After: deep}, {Limit: 10, Last: true}} {
				check(fmt.Sprintf("%s of %s", column, kind), "token_counts_"+column, 60, store.TokensByStatement(kind, order, p))
			}
		}
	}
	address := [][]byte{synthetic.JettonMaster(0).Bytes()}
	p := explain(t, r, i, store.Statement{Text: store.SelectTokenCounts, Args: []any{address}})
	require.Empty(t, p.offences(), p.text)
	p = explain(t, r, i+1, store.Statement{Text: store.SelectTouchedTokens, Args: []any{int64(info.Last.Seqno - 19), int64(info.Last.Seqno), int64(now)}})
	require.Empty(t, p.offences(), p.text)
}
