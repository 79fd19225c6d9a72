package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// messageStep sorts the messages of a batch. A message is written once, by the side that is indexed first, and completed
// by the other. When the batch has both sides, or the other side cannot be indexed yet, the row is new.
type messageStep struct {
	fresh    []*chain.Message
	received []*chain.Message // received here; may have been written by the sender's block
	sent     []*chain.Message // sent here; may have been written by the receiver's block
	found    map[chain.MessageKey]bool
}

func prepareMessages(_ *Writer, u *batchState) {
	m := &u.messages
	m.found = map[chain.MessageKey]bool{}
	u.traces.Parents, u.traces.Children = map[chain.MessageKey]chain.Hash{}, map[chain.MessageKey]chain.TransactionKey{}
	half := map[chain.MessageKey]*chain.Message{}
	for _, mb := range u.Blocks {
		for i := range mb.Messages {
			msg := &mb.Messages[i]
			if !oneSided(msg) {
				m.fresh = append(m.fresh, msg)
				continue
			}
			if other := half[msg.Key]; other != nil { // its other side lies in another block of this unit
				half[msg.Key] = joined(other, msg)
				continue
			}
			half[msg.Key] = msg
		}
	}
	later, earlier := u.LaterIndexed(), u.EarlierIndexed()
	for _, msg := range half {
		switch {
		case msg.SentBy != nil && msg.ReceivedBy != nil:
			m.fresh = append(m.fresh, msg)
		case msg.ReceivedBy != nil && earlier:
			m.received = append(m.received, msg)
		case msg.SentBy != nil && later:
			m.sent = append(m.sent, msg)
		default:
			m.fresh = append(m.fresh, msg)
		}
	}
}

// oneSided reports whether the message has another transaction outside its block. A message that no
// transaction sent is complete when received, a message out of the chain when sent.
func oneSided(m *chain.Message) bool {
	switch m.Kind {
	case chain.ExternalIn:
		return false
	case chain.ExternalOut:
		return false
	case chain.InternalMessage:
		fromSystem := m.Source != nil && *m.Source == chain.SystemAddress
		return !fromSystem && (m.SentBy == nil || m.ReceivedBy == nil)
	default:
		return false
	}
}

// joined is the message with both sides.
func joined(a, b *chain.Message) *chain.Message {
	m := *a
	if m.SentBy == nil {
		m.SentBy = b.SentBy
	}
	if m.ReceivedBy == nil {
		m.ReceivedBy = b.ReceivedBy
	}
	return &m
}

// The other side's block wrote the row: fill in this side. No indexed column changes, so the row stays in its page.
const (
	completeReceived = `UPDATE messages m SET dst_tx_lt = k.tx_lt, dst_tx_hash = k.tx_hash
		FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[]) k(account, lt, tx_lt, tx_hash)
		WHERE m.account = k.account AND m.lt = k.lt RETURNING m.account, m.lt, (SELECT t.trace_id FROM transactions t
			WHERE t.account = m.account AND t.lt = m.src_tx_lt)`
	completeSent = `UPDATE messages m SET src_tx_lt = k.tx_lt, src_tx_hash = k.tx_hash
		FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[]) k(account, lt, tx_lt, tx_hash)
		WHERE m.account = k.account AND m.lt = k.lt RETURNING m.account, m.lt, m.destination, m.dst_tx_lt`
)

func queueMessageLookup(u *batchState, b *pgx.Batch) {
	m := &u.messages
	complete(b, completeReceived, m.received, func(msg *chain.Message) *chain.TransactionRef { return msg.ReceivedBy },
		func(r *sqlbuild.Row) {
			key := m.wasThere(r)
			if trace := r.SetHash(new(chain.Hash)); trace != nil {
				u.traces.Parents[key] = *trace
			}
		})
	complete(b, completeSent, m.sent, func(msg *chain.Message) *chain.TransactionRef { return msg.SentBy },
		func(r *sqlbuild.Row) {
			key := m.wasThere(r)
			destination, lt := r.SetAddress(new(chain.Address)), r.Int8OrZero()
			if destination != nil && lt != 0 {
				u.traces.Children[key] = chain.TransactionKey{Account: *destination, LT: uint64(lt)}
			}
		})
}

// wasThere records a message that had a row already.
func (m *messageStep) wasThere(r *sqlbuild.Row) chain.MessageKey {
	key := chain.MessageKey{Account: r.Address(), LT: r.LT()}
	m.found[key] = true
	return key
}

// complete queues the completion of messages; completed sees those that were there.
func complete(b *pgx.Batch, text string, messages []*chain.Message, side func(*chain.Message) *chain.TransactionRef,
	completed func(*sqlbuild.Row),
) {
	if len(messages) == 0 {
		return
	}
	keys := sqlbuild.NewKeyArrays(len(messages))
	txLTs, txHashes := make([]int64, len(messages)), make([][]byte, len(messages))
	for i, msg := range messages {
		keys.Add(&msg.Key.Account, msg.Key.LT)
		txLTs[i], txHashes[i] = int64(side(msg).LT), side(msg).Hash[:]
	}
	b.Queue(text, keys.Accounts, keys.LTs, txLTs, txHashes).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, completed)
	})
}

func copyMessages(ctx context.Context, u *batchState) error {
	m := &u.messages
	for _, list := range [][]*chain.Message{m.fresh, m.received, m.sent} {
		for _, msg := range list {
			if !m.found[msg.Key] {
				transactions.WriteMessage(u.Copies, msg, u.raw.content)
			}
			if err := u.Copies.SendPart(ctx, u.Tx, "messages", transactions.MessageTable); err != nil {
				return err
			}
		}
	}
	return u.Copies.Send(ctx, u.Tx, "messages", transactions.MessageTable)
}
