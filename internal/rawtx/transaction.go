package rawtx

import (
	"errors"
	"fmt"

	"tonql/internal/chain"
)

var errTransaction = errors.New("not a transaction")

// Transaction is a raw transaction whose cells are found. It refers to the bytes that it was parsed from. The zero value is ready
// for [Transaction.Parse], and may be used again.
type Transaction struct {
	boc      chain.BOC
	bag      bag
	budget   *Budget
	messages int // index of the cell of ^[in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any))]
	hashes   hashes
}

// Parse finds the cells of a raw transaction. A nil budget is one of its own.
func (t *Transaction) Parse(boc []byte, budget *Budget) error {
	t.boc = boc
	if t.budget = budget; budget == nil {
		t.budget = &Budget{}
	}
	if err := t.bag.parse(boc); err != nil {
		return fmt.Errorf("raw transaction: %w", err)
	}
	return nil
}

// FindMessages prepares [Transaction.Messages] without reading other fields.
func (t *Transaction) FindMessages() error {
	r := t.bag.open(t.bag.root)
	if r.uint(4) != 0b0111 {
		r.fail(errTransaction)
	}
	if t.messages = r.ref(); r.err != nil {
		return fmt.Errorf("raw transaction: %w", r.err)
	}
	return nil
}

// Read reads the fields that a raw transaction has into row: all but the workchain, the hash, the block, the in-message's key, the
// verification and the trace, which it leaves as they are.
func (t *Transaction) Read(row *chain.Transaction) error {
	r := t.bag.open(t.bag.root)
	if r.uint(4) != 0b0111 {
		r.fail(errTransaction)
	}
	row.Account.ID = r.hash()
	row.LT = r.uint(64)
	row.PrevHash, row.PrevLT = r.hash(), r.uint(64)
	row.Now = uint32(r.uint(32))
	row.OutMsgCount = uint16(r.uint(15))
	row.OrigStatus, row.EndStatus = chain.AccountStatus(r.uint(2)), chain.AccountStatus(r.uint(2))
	t.messages = r.ref()
	row.TotalFees, row.TotalFeesExtra = r.currencies(t.budget)
	update := r.open() // update_hashes#72
	if update.uint(8) != 0x72 {
		update.fail(errTransaction)
	}
	row.StateHashBefore, row.StateHashAfter = update.hash(), update.hash()
	r.fail(update.err)
	d := describer{reader: r.open(), budget: t.budget, phases: &phases{}}
	if r.err != nil {
		return fmt.Errorf("raw transaction: %w", r.err)
	}
	row.Description = chain.TransactionDescription{}
	d.description(&row.Description)
	if d.err != nil {
		return fmt.Errorf("description of transaction %s %d: %w", row.Account, row.LT, d.err)
	}
	return nil
}
