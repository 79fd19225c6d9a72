package store

import (
	"context"

	"tonql/internal/chain"
)

func copyTransactions(ctx context.Context, u *unit) error {
	for _, mb := range u.blocks {
		for i := range mb.Transactions {
			tx := &mb.Transactions[i]
			writeTransaction(u.copies, tx, u.traces.of[tx.Key()])
		}
	}
	return u.copies.send(ctx, u.tx, "transactions", transactionTable)
}

func copyTransactionBOCs(ctx context.Context, u *unit) error {
	c := u.copies
	for _, mb := range u.blocks {
		for i, boc := range mb.BOCs {
			if i >= len(mb.Transactions) || len(boc) == 0 {
				continue
			}
			c.row(3)
			c.address(&mb.Transactions[i].Account)
			c.int8(int64(mb.Transactions[i].LT))
			c.bytes(boc)
		}
	}
	return c.send(ctx, u.tx, "transaction_bocs", `account, lt, boc`)
}

func copyMismatches(ctx context.Context, u *unit) error {
	c := u.copies
	for _, mb := range u.blocks {
		for i := range mb.Mismatches {
			writeMismatch(c, &mb.Mismatches[i])
		}
	}
	return c.send(ctx, u.tx, "replay_mismatches", mismatchTable)
}

const mismatchTable = `account, lt, mc_seqno, hash, got, got_state, reason`

func writeMismatch(c *copyBuffer, m *chain.ReplayMismatch) {
	c.row(7)
	c.address(&m.Account)
	c.int8(int64(m.LT))
	c.int8(int64(m.McSeqno))
	c.hash(&m.Hash)
	c.hash(m.Got)
	c.hash(m.GotState)
	c.text(m.Reason)
}
