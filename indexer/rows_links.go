package indexer

import (
	"fmt"

	"tonql/internal/chain"
)

// chain compares the references between blocks: those of the masterchain block to the blocks that it commits, and those of every
// block to its parents and to the masterchain block it builds on.
func (c *rowCheck) chain() (bool, error) {
	if err := c.shards(); err != nil {
		return false, err
	}
	before, err := c.db.ShardTops(c.ctx, c.seqno-1)
	if err != nil {
		return false, fmt.Errorf("shards: %w", err)
	}
	earlier := make(map[chain.BlockIDExt]bool, len(before))
	for _, id := range before {
		earlier[id] = true
	}
	c.walk(earlier, c.seqno == 1 || c.indexedAt(c.seqno-1)) // before the first one is the zerostate, which has no shard blocks
	return true, c.masters()
}

func (c *rowCheck) indexedAt(seqno uint32) bool {
	for _, r := range c.indexed {
		if r.First <= seqno && seqno <= r.Last {
			return true
		}
	}
	return false
}

// shards compares the table shards with the shard hashes of the block.
func (c *rowCheck) shards() error {
	rows, err := c.db.ShardTops(c.ctx, c.seqno)
	if err != nil {
		return fmt.Errorf("shards: %w", err)
	}
	got := map[chain.BlockIDExt]bool{}
	for _, id := range rows {
		got[id] = true
	}
	for _, id := range c.tops {
		if !got[id] {
			c.differ("shards", id.String(), "missing, or with other hashes")
		}
		delete(got, id)
	}
	for id := range got {
		c.differ("shards", id.String(), "the masterchain block does not name it")
	}
	return nil
}

// walk follows the parents of the newest shard blocks up to the newest ones of the masterchain block before. These are the blocks
// that the masterchain block commits. complete reports whether the index has the
// masterchain block before, or there is none.
func (c *rowCheck) walk(earlier map[chain.BlockIDExt]bool, complete bool) {
	rows := map[chain.BlockIDExt]int{} // index in Headers
	for i := range c.want.Headers[1:] {
		rows[c.want.Headers[i+1].Block.BlockIDExt] = i + 1
	}
	todo := append([]chain.BlockIDExt(nil), c.tops...)
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, ok := rows[id]
		switch {
		case i < 0 || id.Seqno == 0:
		case ok:
			rows[id] = -1 // visited
			todo = append(todo, c.want.Headers[i].Parents...)
		case complete && !earlier[id]:
			c.differ("blocks", id.String(), "missing, or with other hashes")
			rows[id] = -1
		}
	}
	for id, i := range rows {
		if i >= 0 {
			c.differ("blocks", id.String(), "the masterchain block does not commit it")
		}
	}
}

// masters compares the masterchain blocks that the blocks name with the rows of these.
func (c *rowCheck) masters() error {
	named := map[chain.BlockIDExt]bool{}
	var ids []chain.BlockID
	for i := range c.want.Headers {
		h := &c.want.Headers[i]
		id := h.MasterRef
		if i == 0 {
			id = &h.Parents[0]
		}
		if !named[*id] {
			named[*id] = true
			ids = append(ids, id.BlockID)
		}
	}
	rows, err := c.db.BlocksByID(c.ctx, ids)
	if err != nil {
		return fmt.Errorf("blocks: %w", err)
	}
	for i := range rows {
		if !named[rows[i].BlockIDExt] {
			c.differ("blocks", rows[i].String(), "later blocks name it with other hashes")
		}
	}
	return nil
}

// lookup reads the transactions of other masterchain blocks that those of this one refer to: the one before of each account, and
// the other sides of messages.
func (c *rowCheck) lookup() (bool, error) {
	var keys []chain.TransactionKey
	add := func(account *chain.Address, lt uint64) {
		if account == nil {
			return
		}
		key := chain.TransactionKey{Account: *account, LT: lt}
		if c.rows[key] == nil {
			keys = append(keys, key)
		}
	}
	for i := range c.want.Transactions {
		t := &c.want.Transactions[i]
		add(&t.Account, t.PrevLT)
	}
	if err := c.readMessages(); err != nil {
		return false, err
	}
	for _, m := range c.messages {
		if m.SentBy != nil {
			add(m.Source, m.SentBy.LT)
		}
		if m.ReceivedBy != nil {
			add(m.Destination, m.ReceivedBy.LT)
		}
	}
	rows, err := c.db.TransactionsByKey(c.ctx, keys)
	if err != nil {
		return false, fmt.Errorf("transactions: %w", err)
	}
	c.others = make(map[chain.TransactionKey]*chain.Transaction, len(rows))
	for i := range rows {
		c.others[rows[i].Key()] = &rows[i]
	}
	return true, nil
}

// readMessages reads the rows of messages.
func (c *rowCheck) readMessages() error {
	keys := make([]chain.MessageKey, len(c.want.Messages))
	for i := range c.want.Messages {
		keys[i] = c.want.Messages[i].Key
	}
	c.messages = make(map[chain.MessageKey]*chain.Message, len(keys))
	err := c.db.VisitMessages(c.ctx, keys, func(m *chain.Message) {
		m.Body, m.Init = nil, nil // they may share cells on the chain, and do not here
		c.messages[m.Key] = m
	})
	if err != nil {
		return fmt.Errorf("messages: %w", err)
	}
	return nil
}

// transaction returns a row of the index, nil without one.
func (c *rowCheck) transaction(account *chain.Address, lt uint64) *chain.Transaction {
	if account == nil {
		return nil
	}
	key := chain.TransactionKey{Account: *account, LT: lt}
	if t := c.rows[key]; t != nil {
		return t
	}
	return c.others[key]
}

// links compares messages with the transactions on both sides, and traces with those of the transactions that caused them.
func (c *rowCheck) links() (bool, error) {
	for _, m := range c.messages {
		name := fmt.Sprintf("%s %d", m.Key.Account, m.Key.LT)
		for _, side := range []struct {
			what    string
			account *chain.Address
			ref     *chain.TransactionRef
		}{{"SentBy", m.Source, m.SentBy}, {"ReceivedBy", m.Destination, m.ReceivedBy}} {
			if side.ref == nil {
				continue
			}
			if t := c.transaction(side.account, side.ref.LT); t == nil || t.Hash != side.ref.Hash {
				c.differ("messages", name, side.what+" names a transaction that the index does not have")
			}
		}
	}
	for i := range c.want.Transactions {
		if t := c.rows[c.want.Transactions[i].Key()]; t != nil {
			c.trace(&c.want.Transactions[i], t)
		}
	}
	return true, nil
}

// trace compares the trace of a transaction. It is that of the transaction that sent the in-message; a transaction without such a
// message begins one, and one whose sender is not indexed has none.
func (c *rowCheck) trace(want, got *chain.Transaction) {
	var id, external *chain.Hash
	in := (*chain.Message)(nil)
	if want.InMsg != nil {
		if in = c.messages[*want.InMsg]; in == nil {
			return // reported as missing
		}
	}
	switch {
	case in == nil:
		id = &want.Hash
	case in.Kind == chain.ExternalIn || in.Source != nil && *in.Source == chain.SystemAddress:
		id, external = &want.Hash, &in.Hash
	case in.SentBy != nil:
		if sender := c.transaction(in.Source, in.SentBy.LT); sender != nil {
			id, external = sender.TraceID, sender.TraceExternalHash
		}
	}
	if !sameHash(id, got.TraceID) || !sameHash(external, got.TraceExternalHash) {
		c.differ("transactions", keyText(got.Key()), "the trace is not that of the transaction that caused it")
	}
}

func sameHash(a, b *chain.Hash) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
