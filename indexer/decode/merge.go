package decode

import "tonql/internal/chain"

// merger merges the two sides of a message into one row when one masterchain block has both the sending and the receiving
// transaction.
type merger struct {
	rows  *chain.MasterBlock
	byKey map[chain.MessageKey]int
}

// add adds the messages of t and sets its in-message key.
func (m *merger) add(t *transaction) {
	self := chain.TransactionRef{LT: t.row.LT, Hash: t.row.Hash}
	if t.in != nil {
		key := keyOf(t.in, &t.row)
		t.row.InMsg = &key
		m.row(key, t.in).ReceivedBy = &self
	}
	for i := range t.out {
		out := &t.out[i]
		key := chain.MessageKey{Account: t.row.Account, LT: t.row.LT + 1 + uint64(i)}
		if out.CreatedLT != nil {
			key.LT = *out.CreatedLT
		}
		m.row(key, out).SentBy = &self
	}
}

// row returns the row of a message and creates it if necessary.
func (m *merger) row(key chain.MessageKey, msg *chain.Message) *chain.Message {
	i, ok := m.byKey[key]
	if !ok {
		i = len(m.rows.Messages)
		m.byKey[key] = i
		msg.Key = key
		m.rows.Messages = append(m.rows.Messages, *msg)
	}
	return &m.rows.Messages[i]
}

// keyOf returns the key of the in-message of a transaction: that of the sender if an account sent it, otherwise that of the
// receiver.
func keyOf(in *chain.Message, t *chain.Transaction) chain.MessageKey {
	if in.Kind == chain.InternalMessage && in.Source != nil && *in.Source != chain.SystemAddress {
		return chain.MessageKey{Account: *in.Source, LT: *in.CreatedLT}
	}
	return chain.MessageKey{Account: t.Account, LT: t.LT}
}
