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
		key := t.in.Key
		t.row.InMsg = &key
		m.row(t.in).ReceivedBy = &self
	}
	for i := range t.out {
		m.row(&t.out[i]).SentBy = &self
	}
}

// row returns the row of a message and creates it if necessary.
func (m *merger) row(msg *chain.Message) *chain.Message {
	i, ok := m.byKey[msg.Key]
	if !ok {
		i = len(m.rows.Messages)
		m.byKey[msg.Key] = i
		m.rows.Messages = append(m.rows.Messages, *msg)
	}
	return &m.rows.Messages[i]
}
