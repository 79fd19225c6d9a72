package verdicts_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

func TestApplyVerdicts_UnverifiedTransactionsGetAVerdictOnce(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	r, w, ctx := db.Reader(), db.Writer(), t.Context()
	mb := testdb.Master(7)
	for range 5 {
		tx := testdb.NewTransaction(mb, testdb.Address())
		tx.Verification = chain.Unverified
		testdb.AddTransaction(mb, &tx)
		mb.Unverified = append(mb.Unverified, chain.UnverifiedTransaction{
			TransactionKey: tx.Key(), McSeqno: 7, Hash: tx.Hash, Reason: "time", Limit: "1s",
		})
	}
	mb.Transactions[3].Verification = chain.Proven
	mb.Unverified = slices.Delete(mb.Unverified, 3, 4)
	require.NoError(t, w.Apply(ctx, mb))
	within := chain.SeqnoRange{First: 1, Last: 7}
	got, err := r.Unverified(ctx, within, 10)
	require.NoError(t, err)
	require.ElementsMatch(t, mb.Unverified, got)
	got, err = r.Unverified(ctx, chain.SeqnoRange{First: 8, Last: 9}, 10)
	require.NoError(t, err)
	require.Empty(t, got)
	counts, err := r.VerificationCounts(ctx)
	require.NoError(t, err)
	require.Equal(t, chain.VerificationCounts{Unverified: 4, Proven: 1}, counts)

	again := &chain.MasterBlock{Block: mb.Block}
	again.Transactions = append(again.Transactions, mb.Transactions...)
	again.Transactions[0].Verification = chain.Replayed
	again.Transactions[1].Verification = chain.Mismatch
	again.Transactions[3].Verification = chain.Replayed // not unverified: it stays as it is
	again.Transactions[4].Verification = chain.OldRules
	again.Mismatches = []chain.ReplayMismatch{{TransactionKey: mb.Transactions[1].Key(), McSeqno: 7, Hash: mb.Transactions[1].Hash, Reason: "gas"}}
	still := mb.Unverified[2]
	still.Reason, still.Limit = "memory", "1 MiB"
	again.Unverified = []chain.UnverifiedTransaction{still}
	state := testdb.NewState(mb, mb.Transactions[0].Account)
	state.LT, state.TxHash = mb.Transactions[0].LT, mb.Transactions[0].Hash
	again.States = []chain.AccountState{state}
	changed, err := w.ApplyVerdicts(ctx, again)
	require.NoError(t, err)
	require.Equal(t, map[chain.TransactionKey]chain.Verification{
		mb.Transactions[0].Key(): chain.Replayed, mb.Transactions[1].Key(): chain.Mismatch,
		mb.Transactions[4].Key(): chain.OldRules,
	}, changed)
	got, err = r.Unverified(ctx, within, 10)
	require.NoError(t, err)
	require.Equal(t, []chain.UnverifiedTransaction{still}, got)
	counts, err = r.VerificationCounts(ctx)
	require.NoError(t, err)
	require.Equal(t, chain.VerificationCounts{Unverified: 1, Proven: 1, Replayed: 1, Mismatch: 1, OldRules: 1}, counts)
	mismatches, err := r.MismatchesByKey(ctx, keysOf(mb.Transactions))
	require.NoError(t, err)
	require.ElementsMatch(t, again.Mismatches, mismatches)
	states, err := r.AccountStatesAt(ctx, []chain.TransactionKey{{Account: state.Account, LT: state.LT}})
	require.NoError(t, err)
	require.Len(t, states, 1)

	changed, err = w.ApplyVerdicts(ctx, again)
	require.NoError(t, err)
	require.Empty(t, changed)
	counts, err = r.VerificationCounts(ctx)
	require.NoError(t, err)
	require.Equal(t, chain.VerificationCounts{Unverified: 1, Proven: 1, Replayed: 1, Mismatch: 1, OldRules: 1}, counts)
}

// Other verdicts are final, but for those that the caller names: a mismatch that later rules explain is none any more.
func TestApplyVerdicts_MismatchesAreResolvedOnRequest(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	r, w, ctx := db.Reader(), db.Writer(), t.Context()
	mb := testdb.Master(7)
	before := []chain.Verification{chain.Mismatch, chain.OldRules, chain.Mismatch, chain.Replayed}
	for _, verification := range before {
		tx := testdb.NewTransaction(mb, testdb.Address())
		tx.Verification = verification
		testdb.AddTransaction(mb, &tx)
		if verification == chain.Mismatch {
			mb.Mismatches = append(mb.Mismatches, chain.ReplayMismatch{TransactionKey: tx.Key(), McSeqno: 7, Hash: tx.Hash, Reason: "gas"})
		}
	}
	require.NoError(t, w.Apply(ctx, mb))
	within, also := chain.SeqnoRange{First: 1, Last: 7}, []chain.Verification{chain.Mismatch, chain.OldRules}
	got, err := r.Verdicts(ctx, within, also, 10)
	require.NoError(t, err)
	require.Len(t, got, 3)
	got, err = r.Verdicts(ctx, within, also, 2)
	require.NoError(t, err)
	require.Len(t, got, 2)

	again := &chain.MasterBlock{Block: mb.Block, Transactions: slices.Clone(mb.Transactions), Mismatches: mb.Mismatches[1:]}
	again.Transactions[0].Verification = chain.Replayed
	again.Transactions[1].Verification = chain.Replayed
	again.Transactions[3].Verification = chain.Mismatch
	changed, err := w.ApplyVerdicts(ctx, again)
	require.NoError(t, err)
	require.Empty(t, changed, "they are final")
	changed, err = w.ApplyVerdicts(ctx, again, also...)
	require.NoError(t, err)
	require.Equal(t, map[chain.TransactionKey]chain.Verification{mb.Transactions[0].Key(): chain.Replayed, mb.Transactions[1].Key(): chain.Replayed}, changed)
	counts, err := r.VerificationCounts(ctx)
	require.NoError(t, err)
	require.Equal(t, chain.VerificationCounts{Replayed: 3, Mismatch: 1}, counts)
	mismatches, err := r.MismatchesByKey(ctx, keysOf(mb.Transactions))
	require.NoError(t, err)
	require.ElementsMatch(t, mb.Mismatches[1:], mismatches)
}

func keysOf(txs []chain.Transaction) []chain.TransactionKey {
	keys := make([]chain.TransactionKey, len(txs))
	for i := range txs {
		keys[i] = txs[i].Key()
	}
	return keys
}
