package decode

import (
	"bytes"
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Single is one transaction by itself, without the states around it (except their hashes) and without its masterchain block,
// which a transaction does not contain.
type Single struct {
	chain.FullTransaction
	BOC chain.BOC
}

// Transaction decodes one transaction of an account in workchain.
func Transaction(root *cell.Cell, workchain int32) (Single, error) {
	return new(Transactions).Decode(root, workchain)
}

// Transactions decodes transactions one after the other. The bodies and state-inits of all of them are in memory up to one bound, above
// which large ones are made when they are read, see [chain.LargeContent]. The zero value is ready for use. It is not safe for concurrent use.
type Transactions struct{ budget budget }

// Decode decodes the next transaction, of an account in workchain.
func (d *Transactions) Decode(root *cell.Cell, workchain int32) (s Single, err error) {
	defer recovered(&err)
	d.budget.dictionaries.Next()
	t, err := readTransaction(root, workchain, &d.budget)
	if err != nil {
		return s, err
	}
	return t.single(), nil
}

// Block decodes one block by itself, with its transactions in the order of nodes: by account id, then LT.
func Block(raw *chain.RawBlock) (Header, []Single, error) {
	b, err := readBlock(*raw)
	if err != nil {
		return Header{}, nil, fmt.Errorf("block %s: %w", raw.ID, err)
	}
	list := make([]Single, len(b.txs))
	for i := range b.txs {
		b.txs[i].row.Block = raw.ID.BlockID
		list[i] = b.txs[i].single()
	}
	slices.SortFunc(list, func(a, c Single) int {
		return cmp.Or(bytes.Compare(a.Account.ID[:], c.Account.ID[:]), cmp.Compare(a.LT, c.LT))
	})
	return b.header, list, nil
}

// single returns the rows of the messages of a transaction, with this side only.
func (t *transaction) single() Single {
	s := Single{BOC: t.boc}
	rows := merger{rows: &chain.MasterBlock{}, byKey: map[chain.MessageKey]int{}}
	rows.add(t)
	s.Transaction = t.row
	s.StateBefore = chain.AccountState{Account: t.row.Account, Hash: t.row.StateHashBefore}
	s.StateAfter = chain.AccountState{Account: t.row.Account, Hash: t.row.StateHashAfter}
	for i := range rows.rows.Messages {
		m := &rows.rows.Messages[i]
		if t.row.InMsg != nil && m.Key == *t.row.InMsg {
			s.InMessage = m
		}
		if m.SentBy != nil {
			s.OutMessages = append(s.OutMessages, *m)
		}
	}
	return s
}

// recovered converts a panic of the cell library on hostile cells to an error.
func recovered(err *error) { //nolint:gocritic // deferred, it sets the result of the caller
	if p := recover(); p != nil {
		*err = fmt.Errorf("malformed cells: %v\n%s", p, debug.Stack())
	}
}
