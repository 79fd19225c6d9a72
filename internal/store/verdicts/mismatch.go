package verdicts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

const (
	// MismatchTable lists the columns of a mismatch in the order in which they are written and read.
	MismatchTable = `account, lt, mc_seqno, hash, got, got_state, reason`

	selectMismatchesByKey = `SELECT ` + MismatchTable + ` FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN replay_mismatches USING (account, lt) ORDER BY account, lt`
)

// CopyMismatches writes the mismatches of a batch.
func CopyMismatches(ctx context.Context, u *batch.Batch) error {
	c := u.Copies
	for _, mb := range u.Blocks {
		for i := range mb.Mismatches {
			writeMismatch(c, &mb.Mismatches[i])
		}
	}
	return c.Send(ctx, u.Tx, "replay_mismatches", MismatchTable)
}

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

// MismatchesByKey returns the differing results of the re-execution of transactions; transactions with equal results are left
// out.
func (r *Reader) MismatchesByKey(ctx context.Context, keys []chain.TransactionKey) ([]chain.ReplayMismatch, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	k := transactions.TransactionKeys(sqlbuild.Unique(keys))
	return sqlbuild.Collect(sqlbuild.Checked(ctx), r.pool, "mismatches", len(keys), scanMismatch, selectMismatchesByKey, k.Accounts, k.LTs)
}

func scanMismatch(r *sqlbuild.Row, m *chain.ReplayMismatch) {
	m.Account = r.Address()
	m.LT = r.LT()
	m.McSeqno = r.Uint32()
	m.Hash = r.Hash()
	m.Got = r.SetHash(&chain.Hash{})
	m.GotState = r.SetHash(&chain.Hash{})
	m.Reason = r.Text()
}
