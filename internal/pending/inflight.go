package pending

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/emulate"
)

// inFlight returns the messages of a trace that were sent and not yet received, from the cells of their senders.
func (t *Tracker) inFlight(ctx context.Context, trace *chain.FullTrace) ([]emulate.InFlight, error) {
	waiting := map[chain.Hash]emulate.InFlight{}
	var senders []chain.TransactionKey
	for i := range trace.Transactions {
		tx, some := &trace.Transactions[i], false
		for j := range tx.OutMessages {
			m := &tx.OutMessages[j]
			if m.Destination != nil && m.ReceivedBy == nil && m.CreatedLT != nil {
				waiting[m.Hash], some = emulate.InFlight{LT: *m.CreatedLT, To: *m.Destination}, true
			}
		}
		if some {
			senders = append(senders, tx.Key())
		}
	}
	bags, err := t.index.TransactionBOCs(ctx, senders)
	if err != nil {
		return nil, err
	}
	var list []emulate.InFlight
	for _, key := range senders {
		if bags[key] == nil {
			continue // pruned or never indexed: the message stays in flight
		}
		cells, err := sentBy(bags[key])
		if err != nil {
			return nil, fmt.Errorf("messages of transaction %s %d: %w", key.Account, key.LT, err)
		}
		for _, c := range cells {
			if m, ok := waiting[chain.Hash(c.HashKey())]; ok {
				m.Message = c
				list = append(list, m)
			}
		}
	}
	return list, nil
}

// sentBy returns the cells of the messages that a transaction sent.
func sentBy(transaction chain.BOC) ([]*cell.Cell, error) {
	root, err := cell.FromBOC(transaction)
	if err != nil {
		return nil, err
	}
	var tx tlb.Transaction
	if err := tlb.Parse(&tx, root); err != nil {
		return nil, err
	}
	if tx.IO.Out == nil || tx.IO.Out.List == nil {
		return nil, nil
	}
	items, err := tx.IO.Out.List.LoadAll()
	if err != nil {
		return nil, err
	}
	cells := make([]*cell.Cell, 0, len(items))
	for _, item := range items {
		c, err := item.Value.LoadRefCell()
		if err != nil {
			return nil, err
		}
		cells = append(cells, c)
	}
	return cells, nil
}
