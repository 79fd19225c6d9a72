package store_test

import (
	"context"
	"database/sql"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/store/transactions"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// contentBlocks are blocks with raw transactions, enough for a dictionary, whose messages have bodies of all kinds: with and without a checksum,
// not BoCs at all, and state-inits.
func contentBlocks() []*chain.MasterBlock {
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 2400, Accounts: 60, PerBlock: 2, Shards: 2, Seed: 9, BOCs: true}).Batch(1 << 20)
	for _, mb := range blocks {
		for i := range mb.Messages {
			m := &mb.Messages[i]
			of := cell.BeginCell().MustStoreUInt(m.Key.LT, 64)
			switch m.Key.LT % 7 {
			case 1:
				init := of.MustStoreSlice(make([]byte, 100), 800).EndCell()
				hash := chain.Hash(init.HashKey())
				m.Init, m.InitHash = init.ToBOC(), &hash
			case 2:
				m.Body = of.MustStoreSlice(make([]byte, 100), 800).EndCell().ToBOCWithOptions(cell.BOCSerializeOptions{})
			case 4, 5:
				m.Body = of.MustStoreSlice(make([]byte, 100), 800).EndCell().ToBOC()
			case 3:
				m.Body = append(chain.BOC{byte(m.Key.LT % 2)}, make([]byte, 100)...)
			}
		}
	}
	return blocks
}

var contentCopies testdb.Copies

// contentChain is a database with messages before and after the first dictionary, and the messages of its blocks.
func contentChain(t *testing.T) (url string, db *store.DB, written map[chain.MessageKey]*chain.Message) {
	t.Helper()
	blocks := contentBlocks()
	url = contentCopies.URL(t, func(db *store.DB) {
		storetest.Apply(t, db.Writer(), blocks[:600])
		storetest.Apply(t, db.Writer(), blocks[600:])
	})
	db = testdb.Open(t, url)
	for _, column := range []string{"body_boc", "init_boc"} {
		require.Greater(t, countOf(t, db, `SELECT count(*) FROM messages WHERE get_byte(`+column+`, 0) = 1`), 50, column)
		require.Greater(t, countOf(t, db, `SELECT count(*) FROM messages WHERE get_byte(`+column+`, 0) = 181`), 50, column)
	}
	require.Positive(t, countOf(t, db, `SELECT count(*) FROM messages WHERE get_byte(body_boc, 0) = 0`))
	written = map[chain.MessageKey]*chain.Message{}
	for _, mb := range blocks {
		for i := range mb.Messages {
			written[mb.Messages[i].Key] = &mb.Messages[i]
		}
	}
	return url, db, written
}

// messageReads are the ways in which messages are read from their rows.
var messageReads = map[string]func(context.Context, *store.Reader, []chain.MessageKey) ([]chain.Message, error){
	"list": func(ctx context.Context, r *store.Reader, _ []chain.MessageKey) ([]chain.Message, error) {
		return r.Messages(ctx, chain.MessageFilter{}, chain.Page{Limit: 1 << 20})
	},
	"by key": func(ctx context.Context, r *store.Reader, keys []chain.MessageKey) ([]chain.Message, error) {
		return r.MessagesByKey(ctx, keys)
	},
	"one after the other": func(ctx context.Context, r *store.Reader, keys []chain.MessageKey) (list []chain.Message, err error) {
		err = r.VisitMessages(ctx, keys, func(m *chain.Message) { list = append(list, *m) })
		return list, err
	},
	"of accounts": func(ctx context.Context, r *store.Reader, keys []chain.MessageKey) (list []chain.Message, err error) {
		accounts := make([]chain.Address, len(keys))
		for i := range keys {
			accounts[i] = keys[i].Account
		}
		of, err := r.MessagesOfAccounts(ctx, accounts, chain.Out, chain.Page{Limit: 1 << 12})
		for _, rows := range of {
			list = append(list, rows...)
		}
		return list, err
	},
	"sent": func(ctx context.Context, r *store.Reader, _ []chain.MessageKey) (list []chain.Message, err error) {
		txs, err := r.Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 1 << 20})
		if err != nil {
			return nil, err
		}
		of, err := r.MessagesSentBy(ctx, storetest.KeysOf(txs))
		for _, rows := range of {
			list = append(list, rows...)
		}
		return list, err
	},
	"of transactions": func(ctx context.Context, r *store.Reader, _ []chain.MessageKey) (list []chain.Message, err error) {
		txs, err := r.Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 1 << 20})
		if err != nil {
			return nil, err
		}
		for i := range txs {
			txs[i].Raw = nil // as in rows of earlier versions
		}
		full, err := r.WithMessages(ctx, txs)
		for i := range full {
			if full[i].InMessage != nil {
				list = append(list, *full[i].InMessage)
			}
			list = append(list, full[i].OutMessages...)
		}
		return list, err
	},
}

// withoutDictionaries calls fn with a reader that has cached no dictionary.
func withoutDictionaries(t *testing.T, url string, fn func(*store.Reader)) {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{WriteURL: url, MaxReadConns: 2, MaxWriteConns: 1})
	require.NoError(t, err)
	defer db.Close()
	fn(db.Reader())
}

func messageKeys(written map[chain.MessageKey]*chain.Message) []chain.MessageKey {
	keys := make([]chain.MessageKey, 0, len(written))
	for key := range written {
		keys = append(keys, key)
	}
	return keys
}

func requireContents(t *testing.T, written map[chain.MessageKey]*chain.Message, rows []chain.Message) {
	t.Helper()
	for i := range rows {
		want := written[rows[i].Key]
		require.Equal(t, want.Body, rows[i].Body)
		require.Equal(t, want.Init, rows[i].Init)
	}
}

// Rows of earlier versions have BoCs. No read and no digest shows which form a row has.
func TestMessageContents_BothFormsAreReadAlike(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	url, db, written := contentChain(t)
	keys := messageKeys(written)
	digest := digestOf(ctx, t, db)
	ranged := storetest.RangeDigest(t, db, 100, 1150)
	requireSame := func() {
		t.Helper()
		for name, read := range messageReads {
			withoutDictionaries(t, url, func(r *store.Reader) {
				for range 2 {
					rows, err := read(ctx, r, keys)
					require.NoError(t, err, name)
					require.Greater(t, len(rows), 500, name)
					requireContents(t, written, rows)
				}
			})
		}
		withoutDictionaries(t, url, func(r *store.Reader) {
			d, err := r.Digest(ctx, nil)
			require.NoError(t, err)
			require.Equal(t, digest, d)
		})
		storetest.RequireEqualDigests(t, ranged, storetest.RangeDigest(t, db, 100, 1150))
	}
	requireSame()

	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	plain := func(odd int) {
		tx, err := handle.BeginTx(ctx, nil)
		require.NoError(t, err)
		for i, key := range keys {
			if i%2 == odd && written[key].Body[0] > 1 {
				_, err := tx.ExecContext(ctx, `UPDATE messages SET body_boc = $3, init_boc = $4 WHERE account = $1 AND lt = $2`,
					key.Account.Bytes(), int64(key.LT), []byte(written[key].Body), []byte(written[key].Init))
				require.NoError(t, err)
			}
		}
		require.NoError(t, tx.Commit())
	}
	plain(0)
	requireSame()
	plain(1)
	requireSame()
	require.Zero(t, countOf(t, db, `SELECT count(*) FROM messages WHERE get_byte(init_boc, 0) = 1 OR length(body_boc) < 101 AND get_byte(body_boc, 0) = 1`))
}

func TestMessageContents_DamagedOnesAreAnError(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	url, db, written := contentChain(t)
	keys := messageKeys(written)
	digest := digestOf(ctx, t, db)
	ranged := storetest.RangeDigest(t, db, 1, 1150)
	reads, damages := slices.Sorted(maps.Keys(messageReads)), 0
	fails := func(name string) {
		t.Helper()
		requireDamaged := func(r *store.Reader, read string) {
			t.Helper()
			_, err := messageReads[read](ctx, r, keys)
			require.ErrorIs(t, err, transactions.ErrDamagedMessage, name+", "+read)
			require.Equal(t, chain.Internal, chain.KindOf(err), name)
			requireNoInternals(t, err)
		}
		for read := range messageReads {
			requireDamaged(db.Reader(), read)
		}
		withoutDictionaries(t, url, func(r *store.Reader) { requireDamaged(r, reads[damages%len(reads)]) })
		damages++
		require.NotEqual(t, digest.Total, digestOf(ctx, t, db).Total, name)
		require.NotEqual(t, ranged.Hash, storetest.RangeDigest(t, db, 1, 1150).Hash, name)
	}
	for _, column := range []string{"body_boc", "init_boc"} {
		one := ` WHERE (account, lt) = (SELECT account, lt FROM messages WHERE get_byte(` + column + `, 0) = 1 AND source IS NULL AND kind = 0 AND account >= '\x80' AND src_tx_lt IS NOT NULL ORDER BY lt LIMIT 1)`
		storetest.ExecSQL(t, db, `CREATE TABLE saved AS SELECT account, lt, `+column+` AS content FROM messages`+one)
		one = ` WHERE (account, lt) = (SELECT account, lt FROM saved)`
		for name, damage := range map[string]string{
			"head alone":        `substr(content, 1, 5)`,
			"cut":               `substr(content, 1, length(content) - 3)`,
			"last byte":         `set_byte(content, length(content) - 1, get_byte(content, length(content) - 1) # 1)`,
			"dictionary":        `set_byte(content, 3, get_byte(content, 3) # 1)`,
			"a size of 4 GiB":   `substr(content, 1, 5) || '\xffffffff0f'`,
			"a size of 16 MiB":  `substr(content, 1, 5) || '\xffffff07'`,
			"no bytes":          `substr(content, 1, 5) || '\x00'`,
			"another than BoCs": `substr(content, 1, 5) || '\x0c2c68656c6c6f2c20776f726c6421'`,
		} {
			storetest.ExecSQL(t, db, `UPDATE messages SET `+column+` = `+strings.ReplaceAll(damage, "content", `(SELECT content FROM saved)`)+one)
			fails(column + ", " + name)
		}
		storetest.ExecSQL(t, db, `UPDATE messages SET `+column+` = (SELECT content FROM saved)`+one+`; DROP TABLE saved`)
	}
	require.Equal(t, digest, digestOf(ctx, t, db))
	storetest.ExecSQL(t, db, `DELETE FROM dictionaries`)
	for read, fn := range messageReads {
		if read == "sent" || read == "of transactions" {
			continue // whose transactions are not read either
		}
		withoutDictionaries(t, url, func(r *store.Reader) {
			_, err := fn(ctx, r, keys)
			require.ErrorIs(t, err, transactions.ErrDamagedMessage, read)
		})
	}
}

// What compressed bytes claim to have counts against the limit of a response before they are decompressed.
func TestMessageContents_LargeClaimsAreRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url, db, written := contentChain(t)
	storetest.ExecSQL(t, db, `UPDATE messages SET body_boc = substr(body_boc, 1, 5) || '\xffffff07' || substr(body_boc, 6) WHERE get_byte(body_boc, 0) = 1`) // 16 MiB each
	for _, read := range []string{"list", "by key"} {
		withoutDictionaries(t, url, func(r *store.Reader) {
			_, err := messageReads[read](t.Context(), r, messageKeys(written))
			require.Equal(t, chain.Invalid, chain.KindOf(err), read)
			require.ErrorContains(t, err, "more than 48 MiB")
		})
	}
	withoutDictionaries(t, url, func(r *store.Reader) {
		_, err := messageReads["one after the other"](t.Context(), r, messageKeys(written))
		require.ErrorIs(t, err, transactions.ErrDamagedMessage)
	})
}

// Rows on a cold server are compressed with dictionaries of the index.
func TestMessageContents_ColdServersHaveTheSameRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url, db, written := contentChain(t)
	digest := digestOf(t.Context(), t, db)
	name, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	require.NotEmpty(t, moveAllCold(t, db, name, 1100, 2000))
	requireAll := func(ctx context.Context, db *store.DB) {
		t.Helper()
		rows, err := messageReads["list"](ctx, db.Reader(), nil)
		require.NoError(t, err)
		require.Len(t, rows, len(written))
		requireContents(t, written, rows)
		require.Equal(t, digest, digestOf(ctx, t, db))
	}
	require.Less(t, countOf(t, db, `SELECT count(*) FROM messages`), len(written)/2)
	requireAll(store.Complete(t.Context()), testdb.Open(t, url))
	thawAllCold(t, db)
	requireAll(t.Context(), testdb.Open(t, url))
}

// A gateway of an earlier version is stopped by the migration, and reads nothing until then. Going back is refused while there are compressed
// contents.
func TestMessageContents_EarlierVersionsAreRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	_, db, _ := contentChain(t)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	var needed int64
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT needed FROM schema_gateways WHERE migration = 122`).Scan(&needed))
	require.Equal(t, int64(122), needed)
	for _, column := range []string{"body", "init"} {
		_, err := handle.ExecContext(t.Context(), `SELECT m.`+column+` FROM messages m LIMIT 1`)
		require.ErrorContains(t, err, "does not exist")
	}
	text, err := fs.ReadFile(migrations.FS(), "00122_message_contents.sql")
	require.NoError(t, err)
	_, down, ok := strings.Cut(string(text), "-- +goose Down")
	require.True(t, ok)
	back := func() error {
		return inTransaction(t, handle, down)
	}
	require.ErrorContains(t, back(), "bodies of messages are compressed")
	storetest.ExecSQL(t, db, `DELETE FROM messages WHERE get_byte(body_boc, 0) <= 1`)
	require.ErrorContains(t, back(), "bodies of messages are compressed", "a state-init is")
	storetest.ExecSQL(t, db, `DELETE FROM messages WHERE get_byte(init_boc, 0) <= 1`)
	require.NoError(t, back())
	var left int
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(body) FROM messages`).Scan(&left))
	require.Positive(t, left)
}

func inTransaction(t *testing.T, handle *sql.DB, statements string) error {
	t.Helper()
	tx, err := handle.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	if _, err := tx.ExecContext(t.Context(), statements); err != nil {
		require.NoError(t, tx.Rollback())
		return err
	}
	return tx.Commit()
}
