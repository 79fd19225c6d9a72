package transactions_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/readers"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/storetest"
)

// randomTransactions returns a filter of a few random conditions, most of which match some rows.
func randomTransactions(w *storetest.Chain) chain.TransactionFilter {
	var f chain.TransactionFilter
	tx := storetest.Pick(w, w.Transactions)
	if w.Chance(3) {
		f.Accounts = append(f.Accounts, tx.Account)
		for w.Chance(2) {
			f.Accounts = append(f.Accounts, storetest.Pick(w, w.Transactions).Account)
		}
	}
	if w.Chance(5) {
		f.ExcludeAccounts = []chain.Address{storetest.Pick(w, w.Transactions).Account, storetest.Pick(w, w.Transactions).Account}
	}
	if w.Chance(5) {
		f.Workchain = new(tx.Block.Workchain)
	}
	if w.Chance(5) {
		f.Shard = new(tx.Block.Shard)
	}
	if w.Chance(6) {
		f.Seqno = new(tx.Block.Seqno)
	}
	if w.Chance(8) {
		f.McSeqno = new(tx.McSeqno)
	}
	if w.Chance(8) {
		f.Hashes = []chain.Hash{tx.Hash}
		for w.Chance(2) {
			f.Hashes = append(f.Hashes, storetest.Pick(w, w.Transactions).Hash)
		}
	}
	if w.Chance(12) {
		f.LT = new(tx.LT)
	}
	if w.Chance(4) {
		f.StartUtime = new(tx.Now - uint32(w.Rand.IntN(8)))
	}
	if w.Chance(4) {
		f.EndUtime = new(tx.Now + uint32(w.Rand.IntN(8)))
	}
	if w.Chance(5) {
		f.StartLT = new(tx.LT - w.Rand.Uint64N(9_000_000))
	}
	if w.Chance(5) {
		f.EndLT = new(tx.LT + w.Rand.Uint64N(9_000_000))
	}
	return f
}

// randomTransactionMessage returns conditions on a message that some transactions received or sent.
func randomTransactionMessage(w *storetest.Chain) *chain.TransactionMessage {
	m := storetest.Pick(w, w.Messages)
	f := &chain.TransactionMessage{}
	if w.Chance(8) {
		f.Hashes = []chain.Hash{m.Hash, storetest.Pick(w, w.Messages).Hash}
		if m.HashNorm != nil {
			f.Hashes = append(f.Hashes, *m.HashNorm)
		}
	}
	if w.Chance(4) {
		f.BodyHash = &m.BodyHash
	}
	if w.Chance(4) {
		f.Source = m.Source
	}
	if w.Chance(4) {
		f.Destination = m.Destination
	}
	if w.Chance(4) {
		f.Opcode = m.Opcode
	}
	if w.Chance(2) {
		f.Direction = chain.Direction(w.Rand.IntN(3))
	}
	return f
}

// ofMessage returns the hashes of the transactions that received or sent a message that matches, nil for all.
func ofMessage(w *storetest.Chain, f *chain.TransactionMessage) map[chain.Hash]bool {
	if f == nil {
		return nil
	}
	found := map[chain.Hash]bool{}
	if f.Direction == chain.Both && len(f.Hashes) == 0 && f.BodyHash == nil && f.Opcode == nil && f.Source == nil && f.Destination == nil {
		return nil
	}
	matches := matchMessage(&chain.MessageFilter{Hashes: f.Hashes, BodyHash: f.BodyHash, Opcode: f.Opcode, Source: f.Source, Destination: f.Destination})
	for i := range w.Messages {
		m := &w.Messages[i]
		if !matches(m) {
			continue
		}
		if m.ReceivedBy != nil && f.Direction != chain.Out {
			found[m.ReceivedBy.Hash] = true
		}
		if m.SentBy != nil && f.Direction != chain.In && f.Opcode == nil {
			found[m.SentBy.Hash] = true
		}
	}
	return found
}

func matchTransaction(f *chain.TransactionFilter) func(*chain.Transaction) bool {
	return func(t *chain.Transaction) bool {
		return storetest.Is(f.Workchain, t.Block.Workchain) && storetest.Is(f.Shard, t.Block.Shard) && storetest.Is(f.Seqno, t.Block.Seqno) &&
			storetest.Is(f.McSeqno, t.McSeqno) && storetest.Is(f.LT, t.LT) &&
			(len(f.Accounts) == 0 || slices.Contains(f.Accounts, t.Account)) &&
			!slices.Contains(f.ExcludeAccounts, t.Account) &&
			(len(f.Hashes) == 0 || slices.Contains(f.Hashes, t.Hash)) &&
			storetest.In(t.Now, f.StartUtime, f.EndUtime) && storetest.In(t.LT, f.StartLT, f.EndLT)
	}
}

func compareTransactions(f *chain.TransactionFilter, s chain.Sort) func(a, b *chain.Transaction) int {
	return func(a, b *chain.Transaction) int {
		switch {
		case len(f.Hashes) > 0:
			return storetest.Directed(s, storetest.CompareHash(a.Hash, b.Hash))
		case f.LT != nil:
			return storetest.Directed(s, a.Account.Compare(b.Account))
		case f.StartUtime != nil || f.EndUtime != nil:
			return cmp.Or(storetest.Directed(s, cmp.Compare(a.Now, b.Now)), storetest.Directed(s, cmp.Compare(a.LT, b.LT)), a.Account.Compare(b.Account))
		default:
			return cmp.Or(storetest.Directed(s, cmp.Compare(a.LT, b.LT)), a.Account.Compare(b.Account))
		}
	}
}

func TestTransactions_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	storetest.Search[chain.Transaction]{
		Filters: 600, Hits: 200, Cursor: (*chain.Transaction).Cursor,
		Filter: func(s chain.Sort) ([]chain.Transaction, func(chain.Page) ([]chain.Transaction, error)) {
			f := randomTransactions(w)
			return storetest.Select(w.Transactions, matchTransaction(&f), compareTransactions(&f, s)), func(p chain.Page) ([]chain.Transaction, error) {
				return w.Reader.Transactions(t.Context(), f, p)
			}
		},
	}.Run(t, w)
}

//nolint:tparallel // its subtests share a source of random numbers
func TestTransactions_EveryConditionOnMessagesEqualsASearchInMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := storetest.IndexChain(t)
	for name, list := range map[string]func(context.Context, chain.TransactionFilter, chain.Page) ([]chain.Transaction, error){
		"as counted": w.Reader.Transactions, "as if frequent": w.Reader.TransactionsOfFrequentMessages,
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // one source of random numbers
			storetest.Search[chain.Transaction]{
				Filters: 500, Hits: 120, Cursor: (*chain.Transaction).Cursor,
				Filter: func(s chain.Sort) ([]chain.Transaction, func(chain.Page) ([]chain.Transaction, error)) {
					var f chain.TransactionFilter
					if !w.Chance(3) {
						f = randomTransactions(w)
						f.Hashes = nil
					}
					f.Message = randomTransactionMessage(w)
					byMessage, others := ofMessage(w, f.Message), matchTransaction(&f)
					matches := func(tx *chain.Transaction) bool { return others(tx) && (byMessage == nil || byMessage[tx.Hash]) }
					if name == "as if frequent" && len(byMessage) > 100 {
						f.Accounts = []chain.Address{storetest.Pick(w, w.Transactions).Account} // above the margin the order is that of the messages
						others = matchTransaction(&f)
					}
					return storetest.Select(w.Transactions, matches, compareTransactions(&f, s)), func(p chain.Page) ([]chain.Transaction, error) {
						return list(t.Context(), f, p)
					}
				},
			}.Run(t, w)
		})
	}
	for range 50 {
		f := randomTransactions(w)
		tx := storetest.Pick(w, w.Transactions)
		f.Hashes, f.Message = append(f.Hashes, tx.Hash), randomTransactionMessage(w)
		byMessage, others := ofMessage(w, f.Message), matchTransaction(&f)
		matches := func(tx *chain.Transaction) bool { return others(tx) && (byMessage == nil || byMessage[tx.Hash]) }
		got, err := w.Reader.Transactions(t.Context(), f, chain.Page{Limit: 10})
		require.NoError(t, err)
		storetest.RequireSame(t, storetest.Select(w.Transactions, matches, compareTransactions(&f, chain.Descending)), got)
	}
}

func TestTransactions_EqualLTsArePagedWithoutGaps(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	// Twenty accounts with one LT.
	mb := w.ApplyTied(t, 20)
	every := slices.Concat(w.Transactions, mb.Transactions)
	for _, f := range []chain.TransactionFilter{{}, {EndLT: &mb.Block.StartLT}, {StartLT: &mb.Block.StartLT}} {
		for _, p := range []chain.Page{{Limit: 1}, {Limit: 3, Sort: chain.Ascending}, {Limit: 7}, {Limit: 30, Sort: chain.Ascending}, {Limit: 30}} {
			all := storetest.Select(every, matchTransaction(&f), compareTransactions(&f, p.Sort))
			n := len(all)
			for _, offset := range []int{1, 2, 5, 15, 18, 19, 20, 21, 24, n - 21, n - 19, n - 5, n - 1, n, n + 3} {
				p.Offset = max(0, offset)
				got, err := w.Reader.Transactions(t.Context(), f, p)
				require.NoError(t, err)
				require.Equal(t, storetest.CutOffset(all, p), got, "filter %+v page %+v", f, p)
			}
		}
	}
	all := storetest.Select(mb.Transactions, func(*chain.Transaction) bool { return true }, compareTransactions(&chain.TransactionFilter{}, chain.Descending))
	for _, f := range []chain.TransactionFilter{{McSeqno: &mb.Block.Seqno}, {StartLT: &mb.Block.StartLT}} {
		for limit := 1; limit < 8; limit++ {
			storetest.RequirePages(t, all, limit, chain.Descending, (*chain.Transaction).Cursor, func(p chain.Page) ([]chain.Transaction, error) {
				return w.Reader.Transactions(t.Context(), f, p)
			})
		}
	}
}

func TestTransactions_CursorPagesIgnoreNewRows(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	before, err := w.Reader.Transactions(t.Context(), chain.TransactionFilter{}, chain.Page{Limit: 60})
	require.NoError(t, err)
	seen := []chain.Transaction{}
	p := chain.Page{Limit: 10}
	for range 6 {
		rows, err := w.Reader.Transactions(t.Context(), chain.TransactionFilter{}, p)
		require.NoError(t, err)
		seen = append(seen, rows...)
		p.After = new(rows[len(rows)-1].Cursor())
		w.ApplyTied(t, 3)
	}
	require.Equal(t, before, seen)
}

func TestTransactions_ByKeyAndHashReturnEachOnce(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	keys, hashes := []chain.TransactionKey{{Account: storetest.Pick(w, w.Transactions).Account, LT: 1}}, []chain.Hash{{1}}
	for _, tx := range w.Transactions {
		keys, hashes = append(keys, tx.Key(), tx.Key()), append(hashes, tx.Hash)
	}
	want := storetest.Select(w.Transactions, func(*chain.Transaction) bool { return true }, func(a, b *chain.Transaction) int { return storetest.CompareHash(a.Hash, b.Hash) })
	for name, read := range map[string]func(context.Context) ([]chain.Transaction, error){
		"by key": func(ctx context.Context) ([]chain.Transaction, error) { return w.Reader.TransactionsByKey(ctx, keys) },
		"by hash": func(ctx context.Context) ([]chain.Transaction, error) {
			return w.Reader.TransactionsByHash(ctx, hashes)
		},
	} {
		got, err := read(t.Context())
		require.NoError(t, err, name)
		slices.SortFunc(got, func(a, b chain.Transaction) int { return storetest.CompareHash(a.Hash, b.Hash) })
		require.Equal(t, want, got, name)
	}
	bocs, err := w.Reader.TransactionBOCs(t.Context(), keys)
	require.NoError(t, err)
	require.Len(t, bocs, len(w.Transactions))
	for _, mb := range w.Masters {
		for i := range mb.Transactions {
			require.Equal(t, mb.BOCs[i], bocs[mb.Transactions[i].Key()])
		}
	}
}

func TestTransactions_OfManyParentsEqualTheListOfEach(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := storetest.IndexChain(t)
	accounts, ids := []chain.Address{}, []chain.BlockID{}
	for _, tx := range w.Transactions {
		accounts = append(accounts, tx.Account)
	}
	for _, b := range w.Blocks {
		ids = append(ids, b.BlockID)
	}
	for _, p := range []chain.Page{
		{Limit: 3},
		{Limit: 3, Sort: chain.Ascending},
		{Limit: 2, Last: true},
		{Limit: 4, After: randomCursor(w)},
		{Limit: 4, Before: randomCursor(w)},
		{Limit: 4, Before: randomCursor(w), Last: true},
		{Limit: 2, Sort: chain.Ascending, After: randomCursor(w)},
	} {
		byAccount, err := w.Reader.TransactionsOfAccounts(t.Context(), accounts, p)
		require.NoError(t, err)
		byBlock, err := w.Reader.TransactionsOfBlocks(t.Context(), ids, p)
		require.NoError(t, err)
		for _, a := range accounts {
			want, err := w.Reader.Transactions(t.Context(), chain.TransactionFilter{Accounts: []chain.Address{a}}, p)
			require.NoError(t, err)
			storetest.RequireSame(t, want, byAccount[a])
		}
		for _, id := range ids {
			want, err := w.Reader.Transactions(t.Context(), chain.TransactionFilter{Workchain: &id.Workchain, Shard: &id.Shard, Seqno: &id.Seqno}, p)
			require.NoError(t, err)
			storetest.RequireSame(t, want, byBlock[id])
		}
	}
}

func TestFull_AddsMessagesAndStates(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	full, err := w.Reader.Full(t.Context(), w.Transactions)
	require.NoError(t, err)
	states := map[chain.TransactionKey]chain.AccountState{}
	for _, mb := range w.Masters {
		for _, s := range mb.States {
			states[chain.TransactionKey{Account: s.Account, LT: s.LT}] = s
		}
	}
	received, sent := map[chain.TransactionKey]chain.Message{}, map[chain.TransactionKey][]chain.Message{}
	for _, m := range w.Messages {
		if m.ReceivedBy != nil {
			received[chain.TransactionKey{Account: *m.Destination, LT: m.ReceivedBy.LT}] = m
		}
		if m.SentBy != nil {
			key := chain.TransactionKey{Account: *m.Source, LT: m.SentBy.LT}
			sent[key] = append(sent[key], m)
		}
	}
	bySender, err := w.Reader.MessagesSentBy(t.Context(), storetest.KeysOf(w.Transactions))
	require.NoError(t, err)
	for i, tx := range w.Transactions {
		f := full[i]
		require.Equal(t, tx, f.Transaction)
		if tx.InMsg == nil {
			require.Nil(t, f.InMessage)
		} else {
			require.Equal(t, received[tx.Key()], *f.InMessage)
		}
		out := sent[tx.Key()]
		slices.SortFunc(out, func(a, b chain.Message) int { return cmp.Compare(a.Key.LT, b.Key.LT) })
		storetest.RequireSame(t, out, f.OutMessages)
		storetest.RequireSame(t, out, bySender[tx.Key()])
		require.Equal(t, states[tx.Key()], f.StateAfter)
		if before, ok := states[chain.TransactionKey{Account: tx.Account, LT: tx.PrevLT}]; ok {
			require.Equal(t, before, f.StateBefore)
		} else {
			require.Equal(t, chain.AccountState{Account: tx.Account, Hash: tx.StateHashBefore}, f.StateBefore)
		}
	}
}

func TestAdjacentTransactions_FollowMessagesBothWays(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	parents, children := map[chain.Hash][]chain.Hash{}, map[chain.Hash][]chain.Hash{}
	for _, m := range w.Messages {
		if m.SentBy != nil && m.ReceivedBy != nil {
			parents[m.ReceivedBy.Hash] = append(parents[m.ReceivedBy.Hash], m.SentBy.Hash)
			children[m.SentBy.Hash] = append(children[m.SentBy.Hash], m.ReceivedBy.Hash)
		}
	}
	for _, tx := range w.Transactions {
		for d, want := range map[chain.Direction][]chain.Hash{
			chain.In: parents[tx.Hash], chain.Out: children[tx.Hash], chain.Both: append(slices.Clone(parents[tx.Hash]), children[tx.Hash]...),
		} {
			got, err := w.Reader.AdjacentTransactions(t.Context(), tx.Hash, d)
			require.NoError(t, err)
			require.ElementsMatch(t, want, hashesOf(got))
			require.True(t, slices.IsSortedFunc(got, func(a, b chain.Transaction) int { return cmp.Compare(a.LT, b.LT) }))
		}
	}
	none, err := w.Reader.AdjacentTransactions(t.Context(), chain.Hash{1}, chain.Both)
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

// randomCursor returns the cursor of a random transaction.
func randomCursor(w *storetest.Chain) *chain.Cursor {
	tx := storetest.Pick(w, w.Transactions)
	return new(tx.Cursor())
}

// Raw transactions are in memory together, decompressed, and anyone can make those that compress to a hundredth: a query of a request
// reads a number of bytes at most, however little is stored.
func TestTransactions_BytesOfAQueryAreBounded(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := storetest.IndexChain(t)
	list := func(ctx context.Context, n int) ([]chain.Transaction, error) {
		return w.Reader.Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: n})
	}
	all, err := list(t.Context(), 40)
	require.NoError(t, err)
	keys, size := []chain.TransactionKey{}, 0
	for _, tx := range all {
		keys, size = append(keys, tx.Key()), size+len(tx.Raw)
	}
	require.Positive(t, size)
	for limit, fits := range map[int]bool{0: true, size: true, size - 1: false} {
		ctx := sqlbuild.WithReadLimit(t.Context(), limit)
		_, listed := list(ctx, 40)
		_, byKey := w.Reader.TransactionsByKey(ctx, keys)
		_, raw := w.Reader.TransactionBOCs(ctx, keys)
		for name, err := range map[string]error{"list": listed, "by key": byKey, "raw": raw} {
			if fits {
				require.NoError(t, err, name)
				continue
			}
			require.ErrorContains(t, err, "request fewer at once", name)
			require.Equal(t, chain.Invalid, chain.KindOf(err), name)
		}
	}
	few, err := list(sqlbuild.WithReadLimit(t.Context(), size-1), 10)
	require.NoError(t, err)
	require.Len(t, few, 10)
	require.Equal(t, 64<<20, sqlbuild.ReadLimit(readers.Limited(t.Context())))
	require.Zero(t, sqlbuild.ReadLimit(readers.Unlimited(readers.Limited(t.Context()))))
}
