package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

var (
	selectTransactionsByHash = `SELECT ` + transactionColumns + ` FROM unnest($1::bytea[]) h(hash) JOIN transactions t ON t.hash = h.hash`

	selectTransactionsByKey = `SELECT ` + transactionColumns + ` FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN transactions t ON t.account = k.account AND t.lt = k.lt`

	selectTransactionBOCs = `SELECT t.account, t.lt, t.boc FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN transaction_bocs t ON t.account = k.account AND t.lt = k.lt`

	// The sender of the in-message, and the receivers of the out-messages.
	parentOf = `SELECT m.account, m.src_tx_lt AS lt FROM transactions c
		JOIN messages m ON m.account = c.in_msg_account AND m.lt = c.in_msg_lt
		WHERE c.hash = $1 AND m.src_tx_lt IS NOT NULL`
	childrenOf = `SELECT m.destination AS account, m.dst_tx_lt AS lt FROM transactions c
		JOIN messages m ON m.account = c.account AND m.lt > c.lt AND m.lt <= c.lt + c.out_msg_count
		WHERE c.hash = $1 AND m.dst_tx_lt IS NOT NULL`

	selectParent   = adjacent(parentOf)
	selectChildren = adjacent(childrenOf)
	selectAdjacent = adjacent(parentOf + ` UNION ` + childrenOf)
)

func adjacent(keys string) string {
	return `SELECT ` + transactionColumns + ` FROM (SELECT t.* FROM (` + keys + `) k
		JOIN transactions t ON t.account = k.account AND t.lt = k.lt OFFSET 0) t ORDER BY t.lt, t.account`
}

// TransactionsByHash finds transactions by hash.
func (r *Reader) TransactionsByHash(ctx context.Context, hashes []chain.Hash) ([]chain.Transaction, error) {
	if len(hashes) == 0 {
		return nil, nil
	}
	return collect(ctx, r.pool, "transactions", len(hashes), scanTransaction, selectTransactionsByHash, hashArray(unique(hashes)))
}

// TransactionsByKey finds transactions by account and LT.
func (r *Reader) TransactionsByKey(ctx context.Context, keys []chain.TransactionKey) ([]chain.Transaction, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	k := transactionKeys(unique(keys))
	return collect(ctx, r.pool, "transactions", len(keys), scanTransaction, selectTransactionsByKey, k.accounts, k.lts)
}

func transactionKeys(keys []chain.TransactionKey) keyArrays {
	k := newKeyArrays(len(keys))
	for i := range keys {
		k.add(&keys[i].Account, keys[i].LT)
	}
	return k
}

// TransactionBOCs reads raw transactions.
func (r *Reader) TransactionBOCs(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]chain.BOC, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	k := transactionKeys(unique(keys))
	found := make(map[chain.TransactionKey]chain.BOC, len(keys))
	err := each(ctx, r.pool, "raw transactions", func(r *row) {
		key := chain.TransactionKey{Account: r.address(), LT: r.lt()}
		found[key] = r.bytes()
	}, selectTransactionBOCs, k.accounts, k.lts)
	return found, err
}

// AdjacentTransactions lists, by LT, the transaction that sent the in-message of the one with this hash (In), those that
// received its out-messages (Out), or all of them (Both). Empty when there are none, or hash is unknown.
func (r *Reader) AdjacentTransactions(ctx context.Context, hash chain.Hash, d chain.Direction) ([]chain.Transaction, error) {
	text := selectAdjacent
	switch d {
	case chain.In:
		text = selectParent
	case chain.Out:
		text = selectChildren
	case chain.Both:
	}
	return collect(ctx, r.pool, "adjacent transactions", 4, scanTransaction, text, hash[:])
}

// TransactionsOfAccounts reads the same page of the transactions of each account, in the order of [Reader.Transactions].
func (r *Reader) TransactionsOfAccounts(ctx context.Context, accounts []chain.Address, p chain.Page) (map[chain.Address][]chain.Transaction, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	l := newList(transactionOrder(p.Sort), p)
	s := &statement{}
	s.add("SELECT "+transactionColumns+" FROM unnest(?::bytea[]) a(account) CROSS JOIN LATERAL (", addressArray(unique(accounts)))
	s.from("SELECT t.* FROM transactions t").and("t.account = a.account")
	s.keyset(&l)
	s.orderBy(l.order).window(&l)
	s.add(") t").orderBy(l.order)
	rows, err := collect(ctx, r.pool, "transactions", len(accounts)*l.limit, scanTransaction, s.text.String(), s.args...)
	if err != nil {
		return nil, err
	}
	return group(turned(&l, rows), func(t *chain.Transaction) chain.Address { return t.Account }), nil
}

// TransactionsOfBlocks reads the same page of the transactions of each block, in the order of [Reader.Transactions].
func (r *Reader) TransactionsOfBlocks(ctx context.Context, ids []chain.BlockID, p chain.Page) (map[chain.BlockID][]chain.Transaction, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	l := newList(transactionOrder(p.Sort), p)
	k := newBlockKeys(unique(ids))
	s := &statement{}
	s.add("SELECT "+transactionColumns+` FROM unnest(?::int[], ?::bigint[], ?::bigint[]) k(workchain, shard, seqno)
		JOIN blocks b ON b.workchain = k.workchain AND b.shard = k.shard AND b.seqno = k.seqno CROSS JOIN LATERAL (`,
		k.workchains, k.shards, k.seqnos)
	s.from("SELECT t.* FROM transactions t")
	s.and("t.mc_seqno = b.mc_seqno AND t.shard = b.shard AND t.block_seqno = b.seqno AND get_byte(t.account, 0) = b.workchain + 128")
	s.keyset(&l)
	s.orderBy(l.order).window(&l)
	s.add(") t").orderBy(l.order)
	rows, err := collect(ctx, r.pool, "transactions", len(ids)*l.limit, scanTransaction, s.text.String(), s.args...)
	if err != nil {
		return nil, err
	}
	return group(turned(&l, rows), func(t *chain.Transaction) chain.BlockID { return t.Block }), nil
}

// Full adds to each transaction its messages and the account's states before and after it, in one round trip. A state
// that is not in the index has only its hash.
func (r *Reader) Full(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, error) {
	if len(txs) == 0 {
		return nil, nil
	}
	in, senders, states := fullKeys(txs)
	var received, sent []chain.Message
	var around []chain.AccountState
	b := &pgx.Batch{}
	queue(b, &received, len(txs), scanMessage, selectMessagesByKey, in.accounts, in.lts)
	queue(b, &sent, len(txs), scanMessage, selectSentMessages, senders.accounts, senders.lts, senders.counts)
	queue(b, &around, 2*len(txs), scanState, selectStatesByKey, states.accounts, states.lts)
	if err := r.pipeline(ctx, "messages and states of transactions", b); err != nil {
		return nil, err
	}
	return assemble(txs, received, sent, around), nil
}

// queue adds a statement whose rows are read into place.
func queue[T any](b *pgx.Batch, place *[]T, expect int, scan func(*row, *T), text string, args ...any) {
	b.Queue(text, args...).Query(func(rows pgx.Rows) (err error) {
		*place, err = readAll(rows, expect, scan)
		return err
	})
}

// senderArrays are the columns of transactions that sent messages.
type senderArrays struct {
	keyArrays
	counts []int64
}

func fullKeys(txs []chain.Transaction) (in keyArrays, senders senderArrays, states keyArrays) {
	in, states = newKeyArrays(len(txs)), newKeyArrays(2*len(txs))
	senders.keyArrays = newKeyArrays(len(txs))
	sent := sentAmong(txs)
	asked := make(map[chain.TransactionKey]bool, 2*len(txs))
	for i := range txs {
		t := &txs[i]
		if t.InMsg != nil && !sent[*t.InMsg] {
			in.add(&t.InMsg.Account, t.InMsg.LT)
		}
		if t.OutMsgCount > 0 {
			senders.add(&t.Account, t.LT)
			senders.counts = append(senders.counts, int64(t.OutMsgCount))
		}
		for _, lt := range [2]uint64{t.PrevLT, t.LT} {
			if key := (chain.TransactionKey{Account: t.Account, LT: lt}); !asked[key] {
				asked[key] = true
				states.add(&t.Account, lt)
			}
		}
	}
	return in, senders, states
}

// sentAmong are the messages that txs send; they are read as such, and need not be read once more where they arrive.
// It is empty when txs send so many that looking would cost more than reading.
func sentAmong(txs []chain.Transaction) map[chain.MessageKey]bool {
	const most = 4 // messages a transaction
	total := 0
	for i := range txs {
		total += int(txs[i].OutMsgCount)
	}
	if len(txs) == 1 || total > most*len(txs) {
		return nil
	}
	sent := make(map[chain.MessageKey]bool, total)
	for i := range txs {
		for n := range uint64(txs[i].OutMsgCount) {
			sent[chain.MessageKey{Account: txs[i].Account, LT: txs[i].LT + 1 + n}] = true
		}
	}
	return sent
}

// assemble puts the parts of transactions together. sent is ordered by account and LT.
func assemble(txs []chain.Transaction, received, sent []chain.Message, states []chain.AccountState) []chain.FullTransaction {
	messages := make(map[chain.MessageKey]*chain.Message, len(received)+len(sent))
	for i := range received {
		messages[received[i].Key] = &received[i]
	}
	for i := range sent {
		messages[sent[i].Key] = &sent[i]
	}
	at := make(map[chain.TransactionKey]*chain.AccountState, len(states))
	for i := range states {
		at[chain.TransactionKey{Account: states[i].Account, LT: states[i].LT}] = &states[i]
	}
	full := make([]chain.FullTransaction, len(txs))
	for i := range txs {
		t, f := &txs[i], &full[i]
		f.Transaction = *t
		if t.InMsg != nil {
			f.InMessage = messages[*t.InMsg]
		}
		if t.OutMsgCount > 0 {
			f.OutMessages = make([]chain.Message, 0, t.OutMsgCount)
		}
		for n := range uint64(t.OutMsgCount) {
			if m := messages[chain.MessageKey{Account: t.Account, LT: t.LT + 1 + n}]; m != nil {
				f.OutMessages = append(f.OutMessages, *m)
			}
		}
		f.StateBefore = stateOr(at[chain.TransactionKey{Account: t.Account, LT: t.PrevLT}], t.Account, t.StateHashBefore)
		f.StateAfter = stateOr(at[t.Key()], t.Account, t.StateHashAfter)
	}
	return full
}

// stateOr is the state if it is the one with this hash, otherwise the hash alone. Along one account the same LT may name
// another state when the account was deleted and came back.
func stateOr(s *chain.AccountState, account chain.Address, hash chain.Hash) chain.AccountState {
	if s != nil && s.Hash == hash {
		return *s
	}
	return chain.AccountState{Account: account, Hash: hash}
}
