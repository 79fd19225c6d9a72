package store_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// randomTransactions returns a filter of a few random conditions, most of which match some rows.
func (w *fixture) randomTransactions() chain.TransactionFilter {
	var f chain.TransactionFilter
	tx := pick(w, w.txs)
	if w.chance(3) {
		f.Accounts = append(f.Accounts, tx.Account)
		for w.chance(2) {
			f.Accounts = append(f.Accounts, pick(w, w.txs).Account)
		}
	}
	if w.chance(5) {
		f.ExcludeAccounts = []chain.Address{pick(w, w.txs).Account, pick(w, w.txs).Account}
	}
	if w.chance(5) {
		f.Workchain = new(tx.Block.Workchain)
	}
	if w.chance(5) {
		f.Shard = new(tx.Block.Shard)
	}
	if w.chance(6) {
		f.Seqno = new(tx.Block.Seqno)
	}
	if w.chance(8) {
		f.McSeqno = new(tx.McSeqno)
	}
	if w.chance(8) {
		f.Hashes = []chain.Hash{tx.Hash}
		for w.chance(2) {
			f.Hashes = append(f.Hashes, pick(w, w.txs).Hash)
		}
	}
	if w.chance(12) {
		f.LT = new(tx.LT)
	}
	if w.chance(4) {
		f.StartUtime = new(tx.Now - uint32(w.rng.IntN(8)))
	}
	if w.chance(4) {
		f.EndUtime = new(tx.Now + uint32(w.rng.IntN(8)))
	}
	if w.chance(5) {
		f.StartLT = new(tx.LT - w.rng.Uint64N(9_000_000))
	}
	if w.chance(5) {
		f.EndLT = new(tx.LT + w.rng.Uint64N(9_000_000))
	}
	return f
}

func matchTransaction(f *chain.TransactionFilter) func(*chain.Transaction) bool {
	return func(t *chain.Transaction) bool {
		return is(f.Workchain, t.Block.Workchain) && is(f.Shard, t.Block.Shard) && is(f.Seqno, t.Block.Seqno) &&
			is(f.McSeqno, t.McSeqno) && is(f.LT, t.LT) &&
			(len(f.Accounts) == 0 || slices.Contains(f.Accounts, t.Account)) &&
			!slices.Contains(f.ExcludeAccounts, t.Account) &&
			(len(f.Hashes) == 0 || slices.Contains(f.Hashes, t.Hash)) &&
			in(t.Now, f.StartUtime, f.EndUtime) && in(t.LT, f.StartLT, f.EndLT)
	}
}

func compareTransactions(f *chain.TransactionFilter, s chain.Sort) func(a, b *chain.Transaction) int {
	return func(a, b *chain.Transaction) int {
		switch {
		case len(f.Hashes) > 0:
			return directed(s, compareHash(a.Hash, b.Hash))
		case f.LT != nil:
			return directed(s, a.Account.Compare(b.Account))
		case f.StartUtime != nil || f.EndUtime != nil:
			return cmp.Or(directed(s, cmp.Compare(a.Now, b.Now)), directed(s, cmp.Compare(a.LT, b.LT)), a.Account.Compare(b.Account))
		default:
			return cmp.Or(directed(s, cmp.Compare(a.LT, b.LT)), a.Account.Compare(b.Account))
		}
	}
}

func TestTransactions_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	hits := 0
	for range 600 {
		f := w.randomTransactions()
		p := chain.Page{Limit: 1 + w.rng.IntN(40), Sort: chain.Sort(w.rng.IntN(2))}
		if w.chance(2) {
			p.Offset = w.rng.IntN(30)
		}
		all := selected(w.txs, matchTransaction(&f), compareTransactions(&f, p.Sort))
		got, err := w.r.Transactions(t.Context(), f, p)
		require.NoError(t, err)
		require.Equal(t, cutOffset(all, p), got, "filter %+v page %+v", f, p)
		if len(all) > 0 {
			hits++
		}
		if len(all) > 3 && w.chance(3) {
			requirePages(t, all, 1+w.rng.IntN(len(all)), p.Sort, (*chain.Transaction).Cursor, func(p chain.Page) ([]chain.Transaction, error) {
				return w.r.Transactions(t.Context(), f, p)
			})
		}
	}
	require.Greater(t, hits, 200, "the random filters are too narrow to say anything")
}

func TestTransactions_EqualLTsArePagedWithoutGaps(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	// Twenty accounts with one LT.
	mb := w.applyTied(t, 20)
	every := slices.Concat(w.txs, mb.Transactions)
	for _, f := range []chain.TransactionFilter{{}, {EndLT: &mb.Block.StartLT}, {StartLT: &mb.Block.StartLT}} {
		for _, p := range []chain.Page{{Limit: 1}, {Limit: 3, Sort: chain.Ascending}, {Limit: 7}, {Limit: 30, Sort: chain.Ascending}, {Limit: 30}} {
			all := selected(every, matchTransaction(&f), compareTransactions(&f, p.Sort))
			n := len(all)
			for _, offset := range []int{1, 2, 5, 15, 18, 19, 20, 21, 24, n - 21, n - 19, n - 5, n - 1, n, n + 3} {
				p.Offset = max(0, offset)
				got, err := w.r.Transactions(t.Context(), f, p)
				require.NoError(t, err)
				require.Equal(t, cutOffset(all, p), got, "filter %+v page %+v", f, p)
			}
		}
	}
	all := selected(mb.Transactions, func(*chain.Transaction) bool { return true }, compareTransactions(&chain.TransactionFilter{}, chain.Descending))
	for _, f := range []chain.TransactionFilter{{McSeqno: &mb.Block.Seqno}, {StartLT: &mb.Block.StartLT}} {
		for limit := 1; limit < 8; limit++ {
			requirePages(t, all, limit, chain.Descending, (*chain.Transaction).Cursor, func(p chain.Page) ([]chain.Transaction, error) {
				return w.r.Transactions(t.Context(), f, p)
			})
		}
	}
}

func TestTransactions_CursorPagesIgnoreNewRows(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	before, err := w.r.Transactions(t.Context(), chain.TransactionFilter{}, chain.Page{Limit: 60})
	require.NoError(t, err)
	seen := []chain.Transaction{}
	p := chain.Page{Limit: 10}
	for range 6 {
		rows, err := w.r.Transactions(t.Context(), chain.TransactionFilter{}, p)
		require.NoError(t, err)
		seen = append(seen, rows...)
		p.After = new(rows[len(rows)-1].Cursor())
		w.applyTied(t, 3)
	}
	require.Equal(t, before, seen)
}

func TestTransactions_ByKeyAndHashReturnEachOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	keys, hashes := []chain.TransactionKey{{Account: pick(w, w.txs).Account, LT: 1}}, []chain.Hash{{1}}
	for _, tx := range w.txs {
		keys, hashes = append(keys, tx.Key(), tx.Key()), append(hashes, tx.Hash)
	}
	want := selected(w.txs, func(*chain.Transaction) bool { return true }, func(a, b *chain.Transaction) int { return compareHash(a.Hash, b.Hash) })
	for name, read := range map[string]func(context.Context) ([]chain.Transaction, error){
		"by key":  func(ctx context.Context) ([]chain.Transaction, error) { return w.r.TransactionsByKey(ctx, keys) },
		"by hash": func(ctx context.Context) ([]chain.Transaction, error) { return w.r.TransactionsByHash(ctx, hashes) },
	} {
		got, err := read(t.Context())
		require.NoError(t, err, name)
		slices.SortFunc(got, func(a, b chain.Transaction) int { return compareHash(a.Hash, b.Hash) })
		require.Equal(t, want, got, name)
	}
	bocs, err := w.r.TransactionBOCs(t.Context(), keys)
	require.NoError(t, err)
	require.Len(t, bocs, len(w.txs))
	for _, mb := range w.masters {
		for i := range mb.Transactions {
			require.Equal(t, mb.BOCs[i], bocs[mb.Transactions[i].Key()])
		}
	}
}

func TestTransactions_OfManyParentsEqualTheListOfEach(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	accounts, ids := []chain.Address{}, []chain.BlockID{}
	for _, tx := range w.txs {
		accounts = append(accounts, tx.Account)
	}
	for _, b := range w.blocks {
		ids = append(ids, b.BlockID)
	}
	for _, p := range []chain.Page{
		{Limit: 3},
		{Limit: 3, Sort: chain.Ascending},
		{Limit: 2, Last: true},
		{Limit: 4, After: w.cursor()},
		{Limit: 4, Before: w.cursor()},
		{Limit: 2, Sort: chain.Ascending, After: w.cursor()},
	} {
		byAccount, err := w.r.TransactionsOfAccounts(t.Context(), accounts, p)
		require.NoError(t, err)
		byBlock, err := w.r.TransactionsOfBlocks(t.Context(), ids, p)
		require.NoError(t, err)
		for _, a := range accounts {
			want, err := w.r.Transactions(t.Context(), chain.TransactionFilter{Accounts: []chain.Address{a}}, p)
			require.NoError(t, err)
			requireSame(t, want, byAccount[a])
		}
		for _, id := range ids {
			want, err := w.r.Transactions(t.Context(), chain.TransactionFilter{Workchain: &id.Workchain, Shard: &id.Shard, Seqno: &id.Seqno}, p)
			require.NoError(t, err)
			requireSame(t, want, byBlock[id])
		}
	}
}

// requireSame compares rows; nil and empty are equal.
func requireSame[T any](t *testing.T, want, got []T) {
	t.Helper()
	if len(want)+len(got) > 0 {
		require.Equal(t, want, got)
	}
}

func TestFull_AddsMessagesAndStates(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	full, err := w.r.Full(t.Context(), w.txs)
	require.NoError(t, err)
	states := map[chain.TransactionKey]chain.AccountState{}
	for _, mb := range w.masters {
		for _, s := range mb.States {
			states[chain.TransactionKey{Account: s.Account, LT: s.LT}] = s
		}
	}
	received, sent := map[chain.TransactionKey]chain.Message{}, map[chain.TransactionKey][]chain.Message{}
	for _, m := range w.messages {
		if m.ReceivedBy != nil {
			received[chain.TransactionKey{Account: *m.Destination, LT: m.ReceivedBy.LT}] = m
		}
		if m.SentBy != nil {
			key := chain.TransactionKey{Account: *m.Source, LT: m.SentBy.LT}
			sent[key] = append(sent[key], m)
		}
	}
	bySender, err := w.r.MessagesSentBy(t.Context(), keysOf(w.txs))
	require.NoError(t, err)
	for i, tx := range w.txs {
		f := full[i]
		require.Equal(t, tx, f.Transaction)
		if tx.InMsg == nil {
			require.Nil(t, f.InMessage)
		} else {
			require.Equal(t, received[tx.Key()], *f.InMessage)
		}
		out := sent[tx.Key()]
		slices.SortFunc(out, func(a, b chain.Message) int { return cmp.Compare(a.Key.LT, b.Key.LT) })
		requireSame(t, out, f.OutMessages)
		requireSame(t, out, bySender[tx.Key()])
		require.Equal(t, states[tx.Key()], f.StateAfter)
		if before, ok := states[chain.TransactionKey{Account: tx.Account, LT: tx.PrevLT}]; ok {
			require.Equal(t, before, f.StateBefore)
		} else {
			require.Equal(t, chain.AccountState{Account: tx.Account, Hash: tx.StateHashBefore}, f.StateBefore)
		}
	}
}

func keysOf(txs []chain.Transaction) []chain.TransactionKey {
	keys := make([]chain.TransactionKey, len(txs))
	for i := range txs {
		keys[i] = txs[i].Key()
	}
	return keys
}

func TestAdjacentTransactions_FollowMessagesBothWays(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	parents, children := map[chain.Hash][]chain.Hash{}, map[chain.Hash][]chain.Hash{}
	for _, m := range w.messages {
		if m.SentBy != nil && m.ReceivedBy != nil {
			parents[m.ReceivedBy.Hash] = append(parents[m.ReceivedBy.Hash], m.SentBy.Hash)
			children[m.SentBy.Hash] = append(children[m.SentBy.Hash], m.ReceivedBy.Hash)
		}
	}
	for _, tx := range w.txs {
		for d, want := range map[chain.Direction][]chain.Hash{
			chain.In: parents[tx.Hash], chain.Out: children[tx.Hash], chain.Both: append(slices.Clone(parents[tx.Hash]), children[tx.Hash]...),
		} {
			got, err := w.r.AdjacentTransactions(t.Context(), tx.Hash, d)
			require.NoError(t, err)
			require.ElementsMatch(t, want, hashesOf(got))
			require.True(t, slices.IsSortedFunc(got, func(a, b chain.Transaction) int { return cmp.Compare(a.LT, b.LT) }))
		}
	}
	none, err := w.r.AdjacentTransactions(t.Context(), chain.Hash{1}, chain.Both)
	require.NoError(t, err)
	require.Empty(t, none)
}

func hashesOf(txs []chain.Transaction) []chain.Hash {
	hashes := make([]chain.Hash, len(txs))
	for i := range txs {
		hashes[i] = txs[i].Hash
	}
	return hashes
}

// cursor returns the cursor of a random transaction.
func (w *fixture) cursor() *chain.Cursor {
	tx := pick(w, w.txs)
	return new(tx.Cursor())
}
