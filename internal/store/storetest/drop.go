package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// DropAll drops masterchain blocks up to bound in steps of about limit transactions and returns the steps.
func DropAll(tb testing.TB, db *store.DB, bound uint32, limit int) (steps []store.DropStep) {
	tb.Helper()
	for {
		step, err := db.Writer().Drop(tb.Context(), bound, limit)
		require.NoError(tb, err)
		if step.Nothing() {
			return steps
		}
		steps = append(steps, step)
	}
}

// WithState returns a block with a transaction that leaves its account with code and data.
func WithState(seqno uint32, account chain.Address, code, data chain.Hash) *chain.MasterBlock {
	return testdb.Master(seqno, func(mb *chain.MasterBlock) {
		tx := testdb.NewTransaction(mb, account)
		state := testdb.NewStateAfter(mb, &tx, 1)
		state.CodeHash, state.DataHash, state.Rest = &code, &data, []byte{1}
		mb.Transactions, mb.States = append(mb.Transactions, tx), append(mb.States, state)
		mb.Cells = map[chain.Hash]chain.BOC{code: chain.BOC(code[:]), data: chain.BOC(data[:])}
	})
}
