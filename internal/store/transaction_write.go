package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

func copyTransactions(ctx context.Context, u *batchState) error {
	for _, mb := range u.Blocks {
		for i := range mb.Transactions {
			tx := &mb.Transactions[i]
			var trace *chain.Trace
			if a := u.traces.Of[tx.Key()]; a != nil {
				trace = &a.Trace
			}
			transactions.WriteTransaction(u.Copies, tx, trace)
		}
	}
	return u.Copies.Send(ctx, u.Tx, "transactions", transactions.TransactionTable)
}

func copyTransactionBOCs(ctx context.Context, u *batchState) error {
	c := u.Copies
	for _, mb := range u.Blocks {
		for i, boc := range mb.BOCs {
			if i >= len(mb.Transactions) || len(boc) == 0 {
				continue
			}
			c.Row(3)
			c.Address(&mb.Transactions[i].Account)
			c.Int8(int64(mb.Transactions[i].LT))
			c.Bytes(boc)
		}
	}
	return c.Send(ctx, u.Tx, "transaction_bocs", `account, lt, boc`)
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
