package transactions

import (
	"context"
	"fmt"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

var (
	// SelectTransactionsByHash reads transactions by hash.
	SelectTransactionsByHash = `SELECT ` + TransactionColumns + ` FROM unnest($1::bytea[]) h(hash) JOIN transactions t ON ` + sqlbuild.EqualHash("t.hash", "h.hash")

	// SelectTransactionsByKey reads transactions by key.
	SelectTransactionsByKey = `SELECT ` + TransactionColumns + ` FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN transactions t ON t.account = k.account AND t.lt = k.lt`

	// selectTransactionBOCs reads raw transactions by key, compressed or not. Rows of older versions have them in a table of its own.
	selectTransactionBOCs = `SELECT t.account, t.lt, coalesce(t.boc,
			(SELECT o.boc FROM transaction_bocs o WHERE o.account = t.account AND o.lt = t.lt))
		FROM unnest($1::bytea[], $2::bigint[]) k(account, lt) JOIN transactions t ON t.account = k.account AND t.lt = k.lt`

	// The sender of the in-message, and the receivers of the out-messages.
	parentOf = `SELECT m.account, m.src_tx_lt AS lt FROM transactions c
		JOIN messages m ON m.account = c.in_msg_account AND m.lt = c.in_msg_lt
		WHERE ` + sqlbuild.EqualHash("c.hash", "$1::bytea") + ` AND m.src_tx_lt IS NOT NULL`
	childrenOf = `SELECT m.destination AS account, m.dst_tx_lt AS lt FROM transactions c
		JOIN messages m ON m.account = c.account AND m.lt > c.lt AND m.lt <= c.lt + c.out_msg_count
		WHERE ` + sqlbuild.EqualHash("c.hash", "$1::bytea") + ` AND m.dst_tx_lt IS NOT NULL`

	selectParent   = adjacent(parentOf)
	selectChildren = adjacent(childrenOf)
	// SelectAdjacent reads the parent and the children of a transaction.
	SelectAdjacent = adjacent(parentOf + ` UNION ` + childrenOf)
)

func adjacent(keys string) string {
	return `SELECT ` + TransactionColumns + ` FROM (SELECT t.* FROM (` + keys + `) k
		JOIN transactions t ON t.account = k.account AND t.lt = k.lt OFFSET 0) t ORDER BY t.lt, t.account`
}

// TransactionsByHash finds transactions by hash.
func (r *Reader) TransactionsByHash(ctx context.Context, hashes []chain.Hash) ([]chain.Transaction, error) {
	if len(hashes) == 0 {
		return nil, nil
	}
	hashes = sqlbuild.Unique(hashes)
	return r.collect(ctx, "transactions", len(hashes), sqlbuild.EachFound[chain.Transaction](len(hashes)), SelectTransactionsByHash, sqlbuild.HashArray(hashes))
}

// TransactionsByKey finds transactions by account and LT.
func (r *Reader) TransactionsByKey(ctx context.Context, keys []chain.TransactionKey) ([]chain.Transaction, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	k := TransactionKeys(sqlbuild.Unique(keys))
	return r.collect(ctx, "transactions", len(keys), sqlbuild.EachFound[chain.Transaction](k.Len()), SelectTransactionsByKey, k.Accounts, k.LTs)
}

// TransactionKeys returns keys as arrays.
func TransactionKeys(keys []chain.TransactionKey) sqlbuild.KeyArrays {
	k := sqlbuild.NewKeyArrays(len(keys))
	for i := range keys {
		k.Add(&keys[i].Account, keys[i].LT)
	}
	return k
}

// TransactionBOCs reads raw transactions. Damaged ones are left out, as if they were missing.
func (r *Reader) TransactionBOCs(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]chain.BOC, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	k := TransactionKeys(sqlbuild.Unique(keys))
	list := make([]chain.TransactionKey, 0, len(keys))
	stored := make([][]byte, 0, len(keys))
	rows := 0
	err := sqlbuild.Each(sqlbuild.Checked(ctx), r.pool, "raw transactions", func(r *sqlbuild.Row) {
		rows++
		key := chain.TransactionKey{Account: r.Address(), LT: r.LT()}
		if boc := r.Bytes(); boc != nil {
			list, stored = append(list, key), append(stored, boc)
		}
	}, selectTransactionBOCs, k.Accounts, k.LTs)
	if err == nil {
		err = sqlbuild.Found(ctx, rows, k.Len())
	}
	if err != nil {
		return nil, err
	}
	if err := r.dictionaries.Decode(ctx, r.pool, stored); err != nil {
		return nil, fmt.Errorf("raw transactions: %w", err)
	}
	found := make(map[chain.TransactionKey]chain.BOC, len(list))
	for i, key := range list {
		if stored[i] != nil {
			found[key] = stored[i]
		}
	}
	return found, nil
}

// AdjacentTransactions lists, by LT, the transaction that sent the in-message of the one with this hash (In), those that
// received its out-messages (Out), or all of them (Both). Empty when there are none, or hash is unknown.
func (r *Reader) AdjacentTransactions(ctx context.Context, hash chain.Hash, d chain.Direction) ([]chain.Transaction, error) {
	text := SelectAdjacent
	switch d {
	case chain.In:
		text = selectParent
	case chain.Out:
		text = selectChildren
	case chain.Both:
	}
	return r.Collect(ctx, "adjacent transactions", 4, text, hash[:])
}

// TransactionsOfAccounts reads the same page of the transactions of each account, in the order of [Reader.Transactions].
func (r *Reader) TransactionsOfAccounts(ctx context.Context, accounts []chain.Address, p chain.Page) (map[chain.Address][]chain.Transaction, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	l := sqlbuild.NewList(transactionOrder(p.Sort), p)
	s := &sqlbuild.Statement{}
	s.Add("SELECT "+TransactionColumns+" FROM unnest(?::bytea[]) a(account) CROSS JOIN LATERAL (", sqlbuild.AddressArray(sqlbuild.Unique(accounts)))
	s.From("SELECT t.* FROM transactions t").And("t.account = a.account")
	s.Keyset(&l)
	s.OrderBy(l.Order).Window(&l)
	s.Add(") t").OrderBy(l.Order)
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{}, len(sqlbuild.Unique(accounts)), position)
	rows, err := r.collect(ctx, "transactions", len(accounts)*l.Limit, rule, s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	return sqlbuild.Group(sqlbuild.RestoreOrder(&l, rows), func(t *chain.Transaction) chain.Address { return t.Account }), nil
}

// ofEachBlock is the rule of transactions of n blocks, whose rows are in one place.
func ofEachBlock(n int) sqlbuild.Rule[chain.Transaction] {
	return func(rows []chain.Transaction, cold sqlbuild.Moved) bool {
		blocks := map[chain.BlockID]bool{}
		for i := range rows {
			if !cold.ClearOf(rows[i].McSeqno) {
				return false
			}
			blocks[rows[i].Block] = true
		}
		return len(blocks) == n
	}
}

// TransactionsOfBlocks reads the same page of the transactions of each block, in the order of [Reader.Transactions].
func (r *Reader) TransactionsOfBlocks(ctx context.Context, ids []chain.BlockID, p chain.Page) (map[chain.BlockID][]chain.Transaction, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	l := sqlbuild.NewList(transactionOrder(p.Sort), p)
	k := NewBlockKeys(sqlbuild.Unique(ids))
	s := &sqlbuild.Statement{}
	s.Add("SELECT "+TransactionColumns+` FROM unnest(?::int[], ?::bigint[], ?::bigint[]) k(workchain, shard, seqno)
		JOIN blocks b ON b.workchain = k.workchain AND b.shard = k.shard AND b.seqno = k.seqno CROSS JOIN LATERAL (`,
		k.Workchains, k.Shards, k.Seqnos)
	s.From("SELECT t.* FROM transactions t")
	s.And("t.mc_seqno = b.mc_seqno AND t.shard = b.shard AND t.block_seqno = b.seqno AND get_byte(t.account, 0) = b.workchain + 128")
	s.Keyset(&l)
	s.OrderBy(l.Order).Window(&l)
	s.Add(") t").OrderBy(l.Order)
	rows, err := r.collect(ctx, "transactions", len(ids)*l.Limit, ofEachBlock(len(k.Seqnos)), s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	return sqlbuild.Group(sqlbuild.RestoreOrder(&l, rows), func(t *chain.Transaction) chain.BlockID { return t.Block }), nil
}
