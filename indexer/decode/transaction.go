package decode

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Cells are the cells of a transaction, for replay. InMsg is nil without an in-message.
type Cells struct {
	Tx    *cell.Cell
	InMsg *cell.Cell
}

// transaction is one transaction with its messages, before the messages of the same block are merged.
type transaction struct {
	row   chain.Transaction
	boc   chain.BOC
	cells Cells
	in    *chain.Message
	out   []chain.Message
}

// readTransaction reads transaction$0111 of an account in workchain.
func readTransaction(c *cell.Cell, workchain int32, b *budget) (transaction, error) {
	t := transaction{cells: Cells{Tx: c}}
	r := open(c)
	if r.uint(4) != 0b0111 {
		r.fail(errNotBlock)
	}
	row := &t.row
	row.Account = chain.Address{Workchain: workchain, ID: r.hash()}
	row.LT = r.uint(64)
	row.PrevHash, row.PrevLT = r.hash(), r.uint(64)
	row.Now = uint32(r.uint(32))
	row.OutMsgCount = uint16(r.uint(15))
	row.OrigStatus, row.EndStatus = chain.AccountStatus(r.uint(2)), chain.AccountStatus(r.uint(2))
	io := r.ref()
	row.TotalFees, row.TotalFeesExtra = r.currencies(b)
	update := open(r.ref()) // update_hashes#72
	if update.uint(8) != 0x72 {
		update.fail(errNotBlock)
	}
	row.StateHashBefore, row.StateHashAfter = update.hash(), update.hash()
	r.fail(update.err)
	described := r.ref()
	if r.err != nil {
		return t, fmt.Errorf("transaction: %w", r.err)
	}
	var err error
	if row.Description, err = description(described, b); err != nil {
		return t, fmt.Errorf("description of transaction %s %d: %w", row.Account, row.LT, err)
	}
	if err := t.readMessages(io, b); err != nil {
		return t, fmt.Errorf("messages of transaction %s %d: %w", row.Account, row.LT, err)
	}
	row.Hash = chain.Hash(c.HashKey())
	t.boc = contentBOC(c)
	return t, nil
}

// readMessages reads ^[in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any))].
func (t *transaction) readMessages(c *cell.Cell, b *budget) error {
	r := open(c)
	if in := r.maybeRef(); in != nil {
		m, err := message(in, b)
		if err != nil {
			return fmt.Errorf("in-message: %w", err)
		}
		t.cells.InMsg, t.in = in, &m
	}
	out := r.maybeRef()
	if r.err != nil || out == nil {
		return r.err
	}
	t.out = make([]chain.Message, 0, t.row.OutMsgCount)
	return walk(out, 15, b, func(_ []byte, v *reader) error {
		ref := v.ref()
		if v.err != nil {
			return v.err
		}
		m, err := message(ref, b)
		if err != nil {
			return fmt.Errorf("out-message %d: %w", len(t.out), err)
		}
		t.out = append(t.out, m)
		return nil
	})
}
