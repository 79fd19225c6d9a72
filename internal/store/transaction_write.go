package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/transactions"
)

func copyTransactions(ctx context.Context, u *batchState) error {
	if err := u.raw.begin(ctx, u.Tx); err != nil {
		return err
	}
	for _, mb := range u.Blocks {
		for i := range mb.Transactions {
			tx := &mb.Transactions[i]
			var trace *chain.Trace
			if a := u.traces.Of[tx.Key()]; a != nil {
				trace = &a.Trace
			}
			var boc chain.BOC
			if i < len(mb.BOCs) {
				boc = mb.BOCs[i]
			}
			described := !transactions.Describes(&u.raw.writer.reader, boc, tx)
			transactions.WriteTransaction(u.Copies, tx, trace, u.states.around(tx), u.raw.compressed(boc), described)
		}
	}
	return u.Copies.Send(ctx, u.Tx, "transactions", transactions.WrittenTransactionTable)
}
