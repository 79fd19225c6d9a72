package transactions

import (
	"cmp"
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

var (
	// SelectMessagesByKey reads messages by key.
	SelectMessagesByKey = `SELECT ` + messageColumns + ` FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN messages m ON m.account = k.account AND m.lt = k.lt`

	// SelectSentByKey reads the out-messages of transactions by their keys. These take the LTs that follow the transaction's own. Without the
	// fence the planner may read all messages of an account for each of its transactions, and compare their LTs afterwards.
	SelectSentByKey = `SELECT m.tx_lt, ` + messageColumns + ` FROM (SELECT k.lt AS tx_lt, m.* FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN transactions t ON t.account = k.account AND t.lt = k.lt
		CROSS JOIN LATERAL (SELECT * FROM messages m WHERE m.account = k.account AND m.lt > k.lt AND m.lt <= k.lt + t.out_msg_count OFFSET 0) m
		OFFSET 0) m ORDER BY m.account, m.lt`
)

// MessagesByKey finds messages by their natural key, for a response: the error is Invalid for more than 48 MiB of them.
func (r *Reader) MessagesByKey(ctx context.Context, keys []chain.MessageKey) ([]chain.Message, error) {
	found := make([]chain.Message, 0, len(keys))
	reading := r.messages()
	err := r.visitByKey(ctx, sqlbuild.Unique(keys), reading, func(m *chain.Message) { found = append(found, *m) })
	if err == nil {
		err = r.finishMessages(ctx, reading, found)
	}
	return found, err
}

// VisitMessages is [Reader.MessagesByKey] for any number of messages, of which visit gets one after the other. Messages whose dictionary is not
// cached are read a second time, with it, so that none of them is in memory until then.
func (r *Reader) VisitMessages(ctx context.Context, keys []chain.MessageKey, visit func(*chain.Message)) error {
	first := &rowsOfMessages{dictionaries: r.dictionaries, unlimited: true}
	var again []chain.MessageKey
	err := r.visitByKey(ctx, sqlbuild.Unique(keys), first, func(m *chain.Message) {
		if n := len(first.waiting); n > 0 && first.waiting[n-1].row == first.rows-1 {
			again = append(again, m.Key)
			return
		}
		visit(m)
	})
	if err != nil || len(again) == 0 {
		return err
	}
	second := &rowsOfMessages{dictionaries: r.dictionaries, unlimited: true}
	if second.loaded, err = first.load(ctx, r.unchanging); err != nil {
		return err
	}
	var lost error
	err = r.visitByKey(ctx, again, second, func(m *chain.Message) {
		if len(second.waiting) == 0 {
			visit(m)
		} else if lost == nil {
			lost = damagedMessage(&m.Key, ErrDamagedMessage)
		}
	})
	return cmp.Or(err, sqlbuild.Fault(ctx, "messages", lost))
}

// visitByKey reads messages with different keys.
func (r *Reader) visitByKey(ctx context.Context, keys []chain.MessageKey, reading *rowsOfMessages, visit func(*chain.Message)) error {
	if len(keys) == 0 {
		return nil
	}
	k := sqlbuild.NewKeyArrays(len(keys))
	for i := range keys {
		k.Add(&keys[i].Account, keys[i].LT)
	}
	rows := 0
	err := sqlbuild.Each(sqlbuild.Checked(ctx), r.pool, "messages", func(r *sqlbuild.Row) {
		rows++
		m := &chain.Message{}
		reading.scan(r, m)
		if r.Err == nil {
			visit(m)
		}
	}, SelectMessagesByKey, k.Accounts, k.LTs)
	if err != nil {
		return err
	}
	return sqlbuild.Found(ctx, rows, len(keys))
}

// MessagesSentBy lists the out-messages of each transaction by creation LT, for a response: the error is Invalid for more than 48 MiB of
// them.
func (r *Reader) MessagesSentBy(ctx context.Context, txs []chain.TransactionKey) (map[chain.TransactionKey][]chain.Message, error) {
	if len(txs) == 0 {
		return nil, nil
	}
	k := TransactionKeys(sqlbuild.Unique(txs))
	type sent struct {
		by uint64 // the LT of the sender
		chain.Message
	}
	reading := r.messages()
	rows, err := sqlbuild.Collect(sqlbuild.Checked(ctx), r.pool, "messages", len(txs), func(r *sqlbuild.Row, m *sent) { // a transaction has its messages with it
		m.by = r.LT()
		reading.scan(r, &m.Message)
	}, SelectSentByKey, k.Accounts, k.LTs)
	if err == nil {
		err = reading.finish(ctx, r.unchanging, func(row int) *chain.Message { return &rows[row].Message })
	}
	if err != nil {
		return nil, err
	}
	found := make(map[chain.TransactionKey][]chain.Message, len(txs))
	for i := range rows {
		key := chain.TransactionKey{Account: rows[i].Key.Account, LT: rows[i].by}
		found[key] = append(found[key], rows[i].Message)
	}
	return found, nil
}

// MessagesOfAccounts reads the same page of the messages that each account sent (Out) or that were sent to it (In), in
// the order of [Reader.Messages]. Senders of the masterchain have a statement of their own, as has the system.
func (r *Reader) MessagesOfAccounts(
	ctx context.Context, accounts []chain.Address, side chain.Direction, p chain.Page,
) (map[chain.Address][]chain.Message, error) {
	found := make(map[chain.Address][]chain.Message, len(accounts))
	if side == chain.Both {
		return nil, chain.Invalidf("messages of an account are those it sent or those it received")
	}
	if side == chain.In {
		return found, r.messagesOf(ctx, sqlbuild.Unique(accounts), receivedBy, creationLT, side, p, found)
	}
	for _, part := range bySource(sqlbuild.Unique(accounts)) {
		if err := r.messagesOf(ctx, part.accounts, part.condition, part.lt, side, p, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// receivedBy is the condition for messages sent to account a, by the index of destinations, which has the first bytes of their hashes.
const receivedBy = "substr(sha256(m.destination), 1, 7) = substr(sha256(a.account), 1, 7) AND m.destination IS NOT NULL AND (m.destination = a.account) IS TRUE"

// sourcePart is a group of accounts and the condition for messages sent by account a, by the index that has them without
// others between.
type sourcePart struct {
	accounts  []chain.Address
	condition string
	lt        string // creationLT or keyLT
}

func bySource(accounts []chain.Address) []sourcePart {
	parts := []sourcePart{
		{nil, "m.source = a.account", creationLT},
		{nil, "m.account = a.account AND " + fromMasterchain, keyLT},
		{nil, "m.account = a.account AND (m.source IS NULL AND m.kind <> 1) IS TRUE", keyLT},
	}
	for _, a := range accounts {
		i := 2
		switch {
		case a == chain.SystemAddress:
			i = 0
		case a.Workchain < 0:
			i = 1
		}
		parts[i].accounts = append(parts[i].accounts, a)
	}
	return slices.DeleteFunc(parts, func(p sourcePart) bool { return len(p.accounts) == 0 })
}

func (r *Reader) messagesOf(
	ctx context.Context, accounts []chain.Address, condition, lt string, side chain.Direction, p chain.Page,
	found map[chain.Address][]chain.Message,
) error {
	l := sqlbuild.NewList(messageOrder(lt, p.Sort), p)
	s := &sqlbuild.Statement{}
	s.Add("SELECT "+messageColumns+" FROM unnest(?::bytea[]) a(account) CROSS JOIN LATERAL (", sqlbuild.AddressArray(accounts))
	s.From("SELECT m.* FROM messages m")
	s.And(condition)
	s.Keyset(&l)
	s.OrderBy(l.Order).Window(&l)
	s.Add(") m").OrderBy(l.Order)
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{}, len(accounts), creation)
	reading := r.messages()
	rows, err := sqlbuild.Covered(ctx, r.pool, "messages", len(accounts)*l.Limit, rule, reading.scan, s.Text.String(), s.Args...)
	if err == nil {
		err = r.finishMessages(ctx, reading, rows)
	}
	if err != nil {
		return err
	}
	sqlbuild.RestoreOrder(&l, rows)
	for i := range rows {
		owner := rows[i].Source
		if side == chain.In {
			owner = rows[i].Destination
		}
		found[*owner] = append(found[*owner], rows[i])
	}
	return nil
}
