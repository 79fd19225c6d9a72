package store_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func (w *fixture) randomMessages() chain.MessageFilter {
	var f chain.MessageFilter
	m := pick(w, w.messages)
	if w.chance(8) {
		f.Hashes = []chain.Hash{m.Hash, pick(w, w.messages).Hash}
		if m.HashNorm != nil {
			f.Hashes = append(f.Hashes, *m.HashNorm)
		}
	}
	if w.chance(6) {
		f.BodyHash = &m.BodyHash
	}
	if w.chance(3) {
		f.Source = m.Source
	}
	if w.chance(3) {
		f.Destination = m.Destination
	}
	if w.chance(4) {
		f.Opcode = m.Opcode
	}
	f.NoSource, f.NoDestination = w.chance(12), w.chance(12)
	f.ExcludeExternals, f.OnlyExternals = w.chance(6), w.chance(8)
	if w.chance(3) {
		f.Direction = chain.Direction(w.rng.IntN(3))
	}
	at, lt := m.Key.LT/2_000_000+1_700_000_000, m.Key.LT
	if w.chance(5) {
		f.StartUtime = new(uint32(at) - uint32(w.rng.IntN(6)))
	}
	if w.chance(5) {
		f.EndUtime = new(uint32(at) + uint32(w.rng.IntN(6)))
	}
	if w.chance(6) {
		f.StartLT = new(max(lt, 9_000_000) - w.rng.Uint64N(9_000_000))
	}
	if w.chance(6) {
		f.EndLT = new(lt + w.rng.Uint64N(9_000_000))
	}
	return f
}

func matchMessage(f *chain.MessageFilter) func(*chain.Message) bool {
	ranged := f.StartUtime != nil || f.EndUtime != nil || f.StartLT != nil || f.EndLT != nil
	return func(m *chain.Message) bool {
		external := m.Kind == chain.ExternalIn
		hash := len(f.Hashes) == 0 || slices.Contains(f.Hashes, m.Hash) || m.HashNorm != nil && slices.Contains(f.Hashes, *m.HashNorm)
		source := (f.Source == nil || m.Source != nil && *m.Source == *f.Source) && (!f.NoSource || m.Source == nil)
		destination := (f.Destination == nil || m.Destination != nil && *m.Destination == *f.Destination) &&
			(!f.NoDestination || m.Destination == nil)
		direction := f.Direction == chain.Both || f.Direction == chain.In && m.ReceivedBy != nil || f.Direction == chain.Out && m.SentBy != nil
		return hash && source && destination && direction && is(f.BodyHash, m.BodyHash) &&
			(f.Opcode == nil || m.Opcode != nil && *m.Opcode == *f.Opcode) &&
			(!external || !f.ExcludeExternals) && (external || !f.OnlyExternals) &&
			(!ranged || !external && in(*m.CreatedAt, f.StartUtime, f.EndUtime) && in(*m.CreatedLT, f.StartLT, f.EndLT))
	}
}

func compareMessages(f *chain.MessageFilter, s chain.Sort) func(a, b *chain.Message) int {
	return func(a, b *chain.Message) int {
		by := cmp.Compare(a.Key.LT, b.Key.LT)
		if f.StartUtime != nil || f.EndUtime != nil {
			by = cmp.Compare(*a.CreatedAt, *b.CreatedAt)
		}
		return directed(s, cmp.Or(by, compareHash(a.Hash, b.Hash)))
	}
}

func TestMessages_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	hits := 0
	for range 600 {
		f := w.randomMessages()
		p := chain.Page{Limit: 1 + w.rng.IntN(40), Sort: chain.Sort(w.rng.IntN(2))}
		if w.chance(2) {
			p.Offset = w.rng.IntN(30)
		}
		all := selected(w.messages, matchMessage(&f), compareMessages(&f, p.Sort))
		got, err := w.r.Messages(t.Context(), f, p)
		require.NoError(t, err)
		requireSame(t, cutOffset(all, p), got)
		if len(all) > 0 {
			hits++
		}
		if len(all) > 3 && w.chance(3) {
			requirePages(t, all, 1+w.rng.IntN(len(all)), p.Sort, (*chain.Message).Cursor, func(p chain.Page) ([]chain.Message, error) {
				return w.r.Messages(t.Context(), f, p)
			})
		}
	}
	require.Greater(t, hits, 150, "the random filters are too narrow to say anything")
}

func TestTransactionsByMessage_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	byHash := map[chain.Hash]chain.Transaction{}
	for _, tx := range w.txs {
		byHash[tx.Hash] = tx
	}
	compared := 0
	for range 300 {
		f := w.randomMessages()
		p := chain.Page{Limit: 1 + w.rng.IntN(20), Offset: w.rng.IntN(10), Sort: chain.Sort(w.rng.IntN(2))}
		found := map[chain.Hash]chain.Transaction{}
		for _, m := range selected(w.messages, matchMessage(&f), compareMessages(&chain.MessageFilter{}, p.Sort)) {
			if m.ReceivedBy != nil && f.Direction != chain.Out {
				found[m.ReceivedBy.Hash] = byHash[m.ReceivedBy.Hash]
			}
			if m.SentBy != nil && f.Direction != chain.In {
				found[m.SentBy.Hash] = byHash[m.SentBy.Hash]
			}
		}
		all := selected(w.txs, func(tx *chain.Transaction) bool { _, ok := found[tx.Hash]; return ok },
			compareTransactions(&chain.TransactionFilter{}, p.Sort))
		if len(all) > 200 {
			continue // above the margin the order is that of the messages
		}
		got, err := w.r.TransactionsByMessage(t.Context(), f, p)
		require.NoError(t, err)
		requireSame(t, cutOffset(all, p), got)
		if len(got) > 0 {
			compared++
		}
	}
	require.Greater(t, compared, 50, "the random filters are too narrow to say anything")
}

func TestMessagesOfAccounts_EqualTheListOfEachAccount(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	var accounts []chain.Address
	for _, tx := range w.txs {
		accounts = append(accounts, tx.Account)
	}
	m := pick(w, w.messages)
	for _, p := range []chain.Page{
		{Limit: 3}, {Limit: 3, Sort: chain.Ascending}, {Limit: 2, Last: true},
		{Limit: 4, After: new(m.Cursor())}, {Limit: 4, Before: new(m.Cursor())},
	} {
		for _, side := range []chain.Direction{chain.In, chain.Out} {
			got, err := w.r.MessagesOfAccounts(t.Context(), accounts, side, p)
			require.NoError(t, err)
			for _, a := range accounts {
				f := chain.MessageFilter{Destination: &a}
				if side == chain.Out {
					f = chain.MessageFilter{Source: &a}
				}
				want, err := w.r.Messages(t.Context(), f, p)
				require.NoError(t, err)
				requireSame(t, want, got[a])
			}
		}
	}
	_, err := w.r.MessagesOfAccounts(t.Context(), accounts, chain.Both, chain.Page{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestMessagesByKey_ReturnsEachMessageOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	keys := []chain.MessageKey{{LT: 1}}
	for _, m := range w.messages {
		keys = append(keys, m.Key, m.Key)
	}
	got, err := w.r.MessagesByKey(t.Context(), keys)
	require.NoError(t, err)
	slices.SortFunc(got, func(a, b chain.Message) int { return compareHash(a.Hash, b.Hash) })
	want := slices.Clone(w.messages)
	slices.SortFunc(want, func(a, b chain.Message) int { return compareHash(a.Hash, b.Hash) })
	require.Equal(t, want, got)
}
