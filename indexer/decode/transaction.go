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
func readTransaction(c *cell.Cell, workchain int32, b *budget) (*transaction, error) {
	t := &transaction{cells: Cells{Tx: c}, boc: contentBOC(c)}
	row := &t.row
	row.Account.Workchain = workchain
	row.Hash = chain.Hash(c.HashKey())
	if err := b.raw.Parse(t.boc, &b.dictionaries); err != nil {
		return t, err //nolint:wrapcheck // it names the raw transaction
	}
	if err := b.raw.Read(row); err != nil {
		return t, err //nolint:wrapcheck // it names the raw transaction
	}
	t.out = make([]chain.Message, 0, row.OutMsgCount)
	err := b.raw.Messages(row, func(in *chain.Message) { t.in = in }, func(out *chain.Message) { t.out = append(t.out, *out) })
	if err != nil {
		return t, fmt.Errorf("messages of transaction %s %d: %w", row.Account, row.LT, err)
	}
	if t.in != nil {
		t.cells.InMsg = inMessage(c)
	}
	return t, nil
}

// inMessage returns the cell of the in-message, which is there: ^[in_msg:(Maybe ^(Message Any)) …] is the first reference.
func inMessage(tx *cell.Cell) *cell.Cell {
	io := open(tx)
	r := open(io.ref())
	return r.maybeRef()
}
