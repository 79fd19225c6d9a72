package transactions

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/rawtx"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

var (
	// SelectMessagesBetween reads the messages in ranges of keys.
	SelectMessagesBetween = `SELECT ` + messageColumns + ` FROM ` + rangesOfAccounts + messagesBetween

	// SelectEndsBetween reads the transactions that sent and received the messages in ranges of keys.
	SelectEndsBetween = `SELECT m.account, m.lt, m.src_tx_lt, m.src_tx_hash, m.dst_tx_lt, m.dst_tx_hash FROM ` + rangesOfAccounts + messagesBetween
)

// Messages are the messages of a page of transactions. Those of raw transactions are read from them, with the transaction at the other
// end of a message if it is on the page; statements read the other ends that are not, and all messages of other transactions.
type Messages struct {
	Of []chain.FullTransaction // in the order of the page, without states

	raw     int  // number of raw transactions
	limited bool // for a request, see [sqlbuild.WithReadLimit]: rows are limited, too
	ends    []messageEnds
	rows    []chain.Message
	reading rowsOfMessages
}

// messageEnds are the transactions that sent and received a message, as far as they are known.
type messageEnds struct {
	key                chain.MessageKey
	sentBy, receivedBy *chain.TransactionRef
}

func scanMessageEnds(r *sqlbuild.Row, e *messageEnds) {
	e.key = chain.MessageKey{Account: r.Address(), LT: r.LT()}
	refs := &[2]chain.TransactionRef{}
	e.sentBy, e.receivedBy = scanTransactionRef(r, &refs[0]), scanTransactionRef(r, &refs[1])
}

// readMessages reads the messages of a transaction from its raw form. raw is memory for it, budget that of the page. Of their transactions only this one is
// known, and no transaction sends a message that comes from outside or from the system.
func readMessages(f *chain.FullTransaction, raw *rawtx.Transaction, budget *rawtx.Budget) error {
	t := &f.Transaction
	budget.Next()
	err := raw.Parse(t.Raw, budget)
	if err == nil {
		err = raw.FindMessages()
	}
	if err == nil {
		self := &chain.TransactionRef{LT: t.LT, Hash: t.Hash}
		err = raw.Messages(t, func(m *chain.Message) {
			m.ReceivedBy = self
			f.InMessage = m
		}, func(m *chain.Message) {
			if f.OutMessages == nil {
				f.OutMessages = make([]chain.Message, 0, t.OutMsgCount)
			}
			m.SentBy = self
			f.OutMessages = append(f.OutMessages, *m)
		})
	}
	if err != nil {
		return fmt.Errorf("%w: messages of %s %d: %w", ErrDamaged, t.Account, t.LT, err)
	}
	return nil
}

// sentElsewhere reports whether another transaction sent the in-message m, which is not known.
func sentElsewhere(m *chain.Message) bool {
	return m.Kind == chain.InternalMessage && m.SentBy == nil && m.Source != nil && *m.Source != chain.SystemAddress
}

// receivedElsewhere reports whether another transaction receives the out-message m, which is not known.
func receivedElsewhere(m *chain.Message) bool {
	return m.Kind == chain.InternalMessage && m.ReceivedBy == nil
}

// Read reads the messages of raw transactions, until ctx is done: those of 4000 transactions may take a minute.
func (p *Messages) Read(ctx context.Context, txs []chain.Transaction) error {
	p.Of, p.limited = make([]chain.FullTransaction, len(txs)), sqlbuild.ReadLimit(ctx) > 0
	var raw rawtx.Transaction
	var budget rawtx.Budget
	var errs error
	for i := range txs {
		f := &p.Of[i]
		if f.Transaction = txs[i]; len(f.Raw) == 0 {
			continue
		}
		if p.raw++; p.raw%16 == 0 && ctx.Err() != nil {
			return ctx.Err() //nolint:wrapcheck // the request's own
		}
		errs = errors.Join(errs, readMessages(f, &raw, &budget))
	}
	p.join()
	return errs
}

// Queue queues the statements for what is not known yet. dictionaries are those of the database.
func (p *Messages) Queue(b *pgx.Batch, dictionaries *dictionary.Cache) {
	ends, rows := newRangeArrays(len(p.Of)), newRangeArrays(len(p.Of))
	ends.addRuns(p.Of, outsideEnds)
	if p.raw < len(p.Of) {
		rows.addRuns(p.Of, ownMessages)
	}
	for i := range p.Of {
		f := &p.Of[i]
		switch in := f.InMsg; {
		case in == nil:
		case len(f.Raw) == 0 && (in.Account != f.Account || in.LT != f.LT):
			rows.add(&in.Account, in.LT, in.LT)
		case f.InMessage != nil && sentElsewhere(f.InMessage):
			ends.add(&in.Account, in.LT, in.LT)
		}
	}
	if ends.Len() > 0 {
		sqlbuild.Queue(b, &p.ends, ends.Len(), scanMessageEnds, SelectEndsBetween, ends.Accounts, ends.LTs, ends.last)
	}
	p.reading = rowsOfMessages{dictionaries: dictionaries, unlimited: !p.limited}
	rows.queue(b, &p.rows, p.reading.scan)
}

// outsideEnds returns the range of LTs of the out-messages whose receiving transactions are not on the page.
func outsideEnds(t *chain.FullTransaction) (first, last uint64) {
	for i := range t.OutMessages {
		if m := &t.OutMessages[i]; receivedElsewhere(m) {
			if last = m.Key.LT; first == 0 {
				first = last
			}
		}
	}
	return first, last
}

// ownMessages returns the range of LTs of the messages that a transaction without its raw form sent.
func ownMessages(t *chain.FullTransaction) (first, last uint64) {
	if len(t.Raw) > 0 || t.OutMsgCount == 0 && (t.InMsg == nil || t.InMsg.Account != t.Account) {
		return 0, 0
	}
	return t.LT, t.LT + uint64(t.OutMsgCount)
}

// WithMessages adds to each transaction its messages, without states, in one round trip. A transaction whose raw form is damaged has none.
func (r *Reader) WithMessages(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, error) {
	const what = "messages of transactions"
	var m Messages
	if err := m.Read(ctx, txs); err != nil && !errors.Is(err, ErrDamaged) {
		return nil, sqlbuild.Fault(ctx, what, err)
	}
	var b pgx.Batch
	if m.Queue(&b, r.dictionaries); b.Len() > 0 {
		if err := sqlbuild.SendBatch(sqlbuild.Checked(ctx), r.pool, what, &b); err != nil {
			return nil, err //nolint:wrapcheck // names the query
		}
	}
	return m.Assemble(ctx, r.unchanging)
}

// queue queues the statement for the messages in ranges, if there are any.
func (r *rangeArrays) queue(b *pgx.Batch, place *[]chain.Message, scan func(*sqlbuild.Row, *chain.Message)) {
	if r.Len() > 0 {
		sqlbuild.Queue(b, place, r.Len(), scan, SelectMessagesBetween, r.Accounts, r.LTs, r.last)
	}
}

// join gives the messages between transactions of the page their other ends.
func (p *Messages) join() {
	if p.raw < 2 {
		return
	}
	sent := make(map[chain.MessageKey]*chain.Message, len(p.Of))
	for i := range p.Of {
		for j := range p.Of[i].OutMessages {
			if m := &p.Of[i].OutMessages[j]; receivedElsewhere(m) {
				sent[m.Key] = m
			}
		}
	}
	if len(sent) == 0 {
		return
	}
	for i := range p.Of {
		in := p.Of[i].InMessage
		if in == nil || !sentElsewhere(in) {
			continue
		}
		if out := sent[in.Key]; out != nil {
			in.SentBy, out.ReceivedBy = out.SentBy, in.ReceivedBy
		}
	}
}

// Assemble returns the transactions with their messages, after the statements were sent. Dictionaries that are not cached come from from.
func (p *Messages) Assemble(ctx context.Context, from func() sqlbuild.Queryer) ([]chain.FullTransaction, error) {
	if err := p.reading.finish(ctx, from, func(row int) *chain.Message { return &p.rows[row] }); err != nil {
		return nil, err
	}
	ends := make(map[chain.MessageKey]*messageEnds, len(p.ends))
	for i := range p.ends {
		ends[p.ends[i].key] = &p.ends[i]
	}
	messages := placesOf(p.rows)
	for i := range p.Of {
		switch f := &p.Of[i]; {
		case len(f.Raw) == 0:
			if f.InMsg != nil {
				if place, ok := messages[*f.InMsg]; ok {
					f.InMessage = &p.rows[place]
				}
			}
			f.OutMessages = outMessages(&f.Transaction, p.rows, messages)
		case len(ends) > 0:
			joinEnds(f, ends)
		}
	}
	return p.Of, nil
}

// joinEnds adds the ends in other transactions to the messages of a transaction.
func joinEnds(f *chain.FullTransaction, ends map[chain.MessageKey]*messageEnds) {
	join := func(m *chain.Message) {
		if e := ends[m.Key]; e != nil {
			m.SentBy, m.ReceivedBy = cmp.Or(m.SentBy, e.sentBy), cmp.Or(m.ReceivedBy, e.receivedBy)
		}
	}
	if f.InMessage != nil && sentElsewhere(f.InMessage) {
		join(f.InMessage)
	}
	for i := range f.OutMessages {
		if m := &f.OutMessages[i]; receivedElsewhere(m) {
			join(m)
		}
	}
}

// placesOf returns the index of each message in a list.
func placesOf(messages []chain.Message) map[chain.MessageKey]int {
	places := make(map[chain.MessageKey]int, len(messages))
	for i := range messages {
		places[messages[i].Key] = i
	}
	return places
}

// outMessages are the messages that a transaction sent. They mostly stand next to each other, where they need no copy.
func outMessages(t *chain.Transaction, found []chain.Message, places map[chain.MessageKey]int) []chain.Message {
	if t.OutMsgCount == 0 {
		return nil
	}
	key := chain.MessageKey{Account: t.Account, LT: t.LT + 1}
	if first, ok := places[key]; ok && follow(found[first:], key, int(t.OutMsgCount)) {
		end := first + int(t.OutMsgCount)
		return found[first:end:end]
	}
	sent := make([]chain.Message, 0, t.OutMsgCount)
	for ; key.LT <= t.LT+uint64(t.OutMsgCount); key.LT++ {
		if place, ok := places[key]; ok {
			sent = append(sent, found[place])
		}
	}
	return sent
}

// follow reports whether a list begins with n messages of an account, from key on.
func follow(messages []chain.Message, key chain.MessageKey, n int) bool {
	if len(messages) < n {
		return false
	}
	for i := range n {
		if messages[i].Key.LT != key.LT+uint64(i) || messages[i].Key.Account != key.Account {
			return false
		}
	}
	return true
}
