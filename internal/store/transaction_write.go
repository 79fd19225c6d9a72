package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
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

func copyMismatches(ctx context.Context, u *batchState) error {
	c := u.Copies
	for _, mb := range u.Blocks {
		for i := range mb.Mismatches {
			writeMismatch(c, &mb.Mismatches[i])
		}
	}
	return c.Send(ctx, u.Tx, "replay_mismatches", mismatchTable)
}

const mismatchTable = `account, lt, mc_seqno, hash, got, got_state, reason`

func writeMismatch(c *sqlbuild.CopyBuffer, m *chain.ReplayMismatch) {
	c.Row(7)
	c.Address(&m.Account)
	c.Int8(int64(m.LT))
	c.Int8(int64(m.McSeqno))
	c.Hash(&m.Hash)
	c.Hash(m.Got)
	c.Hash(m.GotState)
	c.Text(m.Reason)
}
