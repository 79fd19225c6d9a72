package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// compressibleChain has enough transactions for a dictionary, and their raw forms have much in common, as real ones have.
func compressibleChain() []*chain.MasterBlock {
	o := synthetic.Options{Transactions: 2500, Accounts: 60, PerBlock: 50, Shards: 2, Seed: 9, BOCs: true, Cells: true}
	blocks, _ := synthetic.New(o).Batch(1 << 20)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, mb := range blocks {
		for i, boc := range mb.BOCs {
			boc = boc[:4:4]
			for range 6 {
				tx := &blocks[rng.IntN(3)].Transactions[0]
				boc = append(append(boc, tx.Account.ID[:]...), tx.Hash[:]...)
			}
			mb.BOCs[i] = fmt.Appendf(boc, "%d %d", mb.Block.Seqno, i)
		}
	}
	return blocks
}

func requireRaw(t *testing.T, db *store.DB, blocks []*chain.MasterBlock) {
	t.Helper()
	for _, mb := range blocks {
		keys := make([]chain.TransactionKey, len(mb.Transactions))
		for i := range keys {
			keys[i] = mb.Transactions[i].Key()
		}
		got, err := db.Reader().TransactionBOCs(t.Context(), keys)
		require.NoError(t, err)
		for i, key := range keys {
			require.Equal(t, mb.BOCs[i], got[key])
		}
	}
}

func TestRawTransactions_AreStoredCompressedAndReadAsTheyWere(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dsn := testdb.URL(t)
	db := testdb.Open(t, dsn)
	blocks := compressibleChain()
	for _, mb := range blocks {
		storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	}
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	require.Equal(t, 1, storetest.Count(t, handle, `SELECT count(*) FROM dictionaries`))
	length := 0
	for _, mb := range blocks {
		for _, boc := range mb.BOCs {
			length += len(boc)
		}
	}
	require.Less(t, storetest.Count(t, handle, `SELECT sum(length(boc)) FROM transactions`), length*7/10, "of the first 1,024 nothing is saved")
	requireRaw(t, db, blocks)
	requireRaw(t, testdb.Open(t, dsn), blocks) // a process that did not write them

	want, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	within := &chain.SeqnoRange{First: blocks[20].Block.Seqno, Last: blocks[30].Block.Seqno}
	wantWithin, err := db.Reader().Digest(t.Context(), within)
	require.NoError(t, err)
	// The same as older versions stored it.
	for _, mb := range blocks {
		for i, boc := range mb.BOCs {
			key := mb.Transactions[i].Key()
			_, err := handle.ExecContext(t.Context(), `INSERT INTO transaction_bocs SELECT account, lt, $1 FROM transactions WHERE hash = $2`,
				[]byte(boc), mb.Transactions[i].Hash[:])
			require.NoError(t, err, key)
		}
	}
	_, err = handle.ExecContext(t.Context(), `UPDATE transactions SET boc = NULL`)
	require.NoError(t, err)
	requireRaw(t, db, blocks)
	got, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
	gotWithin, err := db.Reader().Digest(t.Context(), within)
	require.NoError(t, err)
	require.Equal(t, wantWithin, gotWithin)
}

func TestRawTransactions_OfALostDictionaryAreMissing(t *testing.T) {
	t.Parallel()
	dsn := testdb.URL(t)
	db := testdb.Open(t, dsn)
	blocks := compressibleChain()
	for _, mb := range blocks {
		storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	}
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err := handle.ExecContext(t.Context(), `DELETE FROM dictionaries`)
	require.NoError(t, err)
	first, last := &blocks[0].Transactions[0], &blocks[len(blocks)-1].Transactions[0]
	got, err := testdb.Open(t, dsn).Reader().TransactionBOCs(t.Context(), []chain.TransactionKey{first.Key(), last.Key()})
	require.NoError(t, err)
	require.Equal(t, map[chain.TransactionKey]chain.BOC{first.Key(): blocks[0].BOCs[0]}, got)
}

// A failover may lose the newest commits. What the writer holds in memory then is not in the database.
func TestApply_DatabaseThatLostItsCommitsIsWrittenAnew(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	blocks := compressibleChain()
	for _, mb := range blocks {
		storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	}
	want, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err = handle.ExecContext(t.Context(), `TRUNCATE blocks, shards, transactions, messages, account_states, accounts, cells, traces,
		account_traces, indexed_ranges, dictionaries`)
	require.NoError(t, err)
	for _, mb := range blocks {
		storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	}
	requireRaw(t, db, blocks)
	got, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A row says the same whether its fields are in columns, as earlier versions wrote them, or in the raw transaction.
func TestTransactions_FromColumnsAndFromRawTransactionsAreEqual(t *testing.T) {
	t.Parallel()
	raw, columns := storetest.IndexChain(t), storetest.IndexChainWithoutRaw(t)
	handle := raw.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	require.Zero(t, storetest.Count(t, handle, `SELECT count(*) FROM transactions WHERE prev_hash IS NOT NULL`))
	want, err := columns.Reader.Transactions(t.Context(), chain.TransactionFilter{}, chain.Page{Limit: 2000})
	require.NoError(t, err)
	got, err := raw.Reader.Transactions(t.Context(), chain.TransactionFilter{}, chain.Page{Limit: 2000})
	require.NoError(t, err)
	require.Len(t, got, len(raw.Transactions))
	for i := range got {
		require.NotEmpty(t, got[i].Raw)
		got[i].Raw = nil
	}
	require.Equal(t, want, got)
	digest := func(c *storetest.Chain, within *chain.SeqnoRange) (tables []digests.Table) {
		d, err := c.Reader.Digest(t.Context(), within)
		require.NoError(t, err)
		for _, table := range d.Tables {
			if table.Table != "transaction_bocs" {
				tables = append(tables, table)
			}
		}
		return tables
	}
	require.Equal(t, digest(columns, nil), digest(raw, nil))
	within := &chain.SeqnoRange{First: 3, Last: 40}
	require.Equal(t, digest(columns, within), digest(raw, within))
}

func TestTransactions_DamagedRawTransactionIsAnError(t *testing.T) {
	t.Parallel()
	c := storetest.IndexChain(t)
	handle := c.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	tx := &c.Transactions[7]
	_, err := handle.ExecContext(t.Context(), `UPDATE transactions SET boc = set_byte(boc, 40, get_byte(boc, 40) # 1) WHERE hash = $1`, tx.Hash[:])
	require.NoError(t, err)
	_, err = c.Reader.TransactionsByHash(t.Context(), []chain.Hash{tx.Hash})
	require.ErrorIs(t, err, store.ErrDamaged)
	// The error of a list names the transaction of its rows that is damaged.
	_, err = c.Reader.TransactionsByHash(t.Context(), []chain.Hash{c.Transactions[5].Hash, tx.Hash, c.Transactions[9].Hash})
	require.ErrorIs(t, err, store.ErrDamaged)
	require.ErrorContains(t, err, fmt.Sprintf("%s %d", tx.Account, tx.LT))
}
