package transactions

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

var selectTransactionsOfMasterchain = `SELECT ` + TransactionColumns + ` FROM (SELECT t.* FROM transactions t
	WHERE t.mc_seqno BETWEEN $1 AND $2 OFFSET 0) t ORDER BY t.mc_seqno, t.lt, t.account`

// TransactionsOfMasterchain lists all transactions that a run of masterchain blocks committed, by masterchain seqno, LT
// and account.
func (r *Reader) TransactionsOfMasterchain(ctx context.Context, within chain.SeqnoRange) ([]chain.Transaction, error) {
	const expected = 64 // transactions of one or few masterchain blocks
	read := func(_ []chain.Transaction, cold sqlbuild.Moved) bool {
		return within.First > cold.Last || within.Last < cold.FirstMcSeqno
	}
	return r.collect(ctx, "transactions of masterchain blocks", expected, read, selectTransactionsOfMasterchain,
		int64(within.First), int64(within.Last))
}
