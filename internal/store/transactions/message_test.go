package transactions_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

func randomMessages(w *storetest.Chain) chain.MessageFilter {
	var f chain.MessageFilter
	m := storetest.Pick(w, w.Messages)
	if w.Chance(8) {
		f.Hashes = []chain.Hash{m.Hash, storetest.Pick(w, w.Messages).Hash}
		if m.HashNorm != nil {
			f.Hashes = append(f.Hashes, *m.HashNorm)
		}
	}
	if w.Chance(6) {
		f.BodyHash = &m.BodyHash
	}
	if w.Chance(3) {
		f.Source = m.Source
	}
	if w.Chance(3) {
		f.Destination = m.Destination
	}
	if w.Chance(4) {
		f.Opcode = m.Opcode
	}
	f.NoSource, f.NoDestination = w.Chance(12), w.Chance(12)
	f.ExcludeExternals, f.OnlyExternals = w.Chance(6), w.Chance(8)
	if w.Chance(3) {
		f.Direction = chain.Direction(w.Rand.IntN(3))
	}
	at, lt := m.Key.LT/2_000_000+1_700_000_000, m.Key.LT
	if w.Chance(5) {
		f.StartUtime = new(uint32(at) - uint32(w.Rand.IntN(6)))
	}
	if w.Chance(5) {
		f.EndUtime = new(uint32(at) + uint32(w.Rand.IntN(6)))
	}
	if w.Chance(6) {
		f.StartLT = new(max(lt, 9_000_000) - w.Rand.Uint64N(9_000_000))
	}
	if w.Chance(6) {
		f.EndLT = new(lt + w.Rand.Uint64N(9_000_000))
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
		return hash && source && destination && direction && storetest.Is(f.BodyHash, m.BodyHash) &&
			(f.Opcode == nil || m.Opcode != nil && *m.Opcode == *f.Opcode) &&
			(!external || !f.ExcludeExternals) && (external || !f.OnlyExternals) &&
			(!ranged || !external && storetest.In(*m.CreatedAt, f.StartUtime, f.EndUtime) && storetest.In(*m.CreatedLT, f.StartLT, f.EndLT))
	}
}

func compareMessages(f *chain.MessageFilter, s chain.Sort) func(a, b *chain.Message) int {
	return func(a, b *chain.Message) int {
		by := cmp.Compare(a.Key.LT, b.Key.LT)
		if f.StartUtime != nil || f.EndUtime != nil {
			by = cmp.Compare(*a.CreatedAt, *b.CreatedAt)
		}
		return storetest.Directed(s, cmp.Or(by, storetest.CompareHash(a.Hash, b.Hash)))
	}
}

func TestMessages_EveryFilterEqualsASearchInMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := storetest.IndexChain(t)
	storetest.Search[chain.Message]{
		Filters: 600, Hits: 150, Cursor: (*chain.Message).Cursor,
		Filter: func(s chain.Sort) ([]chain.Message, func(chain.Page) ([]chain.Message, error)) {
			f := randomMessages(w)
			return storetest.Select(w.Messages, matchMessage(&f), compareMessages(&f, s)), func(p chain.Page) ([]chain.Message, error) {
				return w.Reader.Messages(t.Context(), f, p)
			}
		},
	}.Run(t, w)
}

func TestTransactionsByMessage_EveryFilterEqualsASearchInMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := storetest.IndexChain(t)
	byHash := map[chain.Hash]chain.Transaction{}
	for _, tx := range w.Transactions {
		byHash[tx.Hash] = tx
	}
	compared := 0
	for range 300 {
		f := randomMessages(w)
		p := chain.Page{Limit: 1 + w.Rand.IntN(20), Offset: w.Rand.IntN(10), Sort: chain.Sort(w.Rand.IntN(2))}
		found := map[chain.Hash]chain.Transaction{}
		for _, m := range storetest.Select(w.Messages, matchMessage(&f), compareMessages(&chain.MessageFilter{}, p.Sort)) {
			if m.ReceivedBy != nil && f.Direction != chain.Out {
				found[m.ReceivedBy.Hash] = byHash[m.ReceivedBy.Hash]
			}
			if m.SentBy != nil && f.Direction != chain.In {
				found[m.SentBy.Hash] = byHash[m.SentBy.Hash]
			}
		}
		all := storetest.Select(w.Transactions, func(tx *chain.Transaction) bool { _, ok := found[tx.Hash]; return ok },
			compareTransactions(&chain.TransactionFilter{}, p.Sort))
		if len(all) > 200 {
			continue // above the margin the order is that of the messages
		}
		got, err := w.Reader.TransactionsByMessage(t.Context(), f, p)
		require.NoError(t, err)
		storetest.RequireSame(t, storetest.CutOffset(all, p), got)
		if len(got) > 0 {
			compared++
		}
	}
	require.Greater(t, compared, 50, "the random filters are too narrow to say anything")
}

func TestMessagesOfAccounts_EqualTheListOfEachAccount(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := storetest.IndexChain(t)
	var accounts []chain.Address
	for _, tx := range w.Transactions {
		accounts = append(accounts, tx.Account)
	}
	m := storetest.Pick(w, w.Messages)
	for _, p := range []chain.Page{
		{Limit: 3}, {Limit: 3, Sort: chain.Ascending}, {Limit: 2, Last: true},
		{Limit: 4, After: new(m.Cursor())}, {Limit: 4, Before: new(m.Cursor())},
		{Limit: 4, Before: new(m.Cursor()), Last: true},
	} {
		for _, side := range []chain.Direction{chain.In, chain.Out} {
			got, err := w.Reader.MessagesOfAccounts(t.Context(), accounts, side, p)
			require.NoError(t, err)
			for _, a := range accounts {
				f := chain.MessageFilter{Destination: &a}
				if side == chain.Out {
					f = chain.MessageFilter{Source: &a}
				}
				want, err := w.Reader.Messages(t.Context(), f, p)
				require.NoError(t, err)
				storetest.RequireSame(t, want, got[a])
			}
		}
	}
	_, err := w.Reader.MessagesOfAccounts(t.Context(), accounts, chain.Both, chain.Page{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestMessagesByKey_ReturnsEachMessageOnce(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	keys := []chain.MessageKey{{LT: 1}}
	for _, m := range w.Messages {
		keys = append(keys, m.Key, m.Key)
	}
	got, err := w.Reader.MessagesByKey(t.Context(), keys)
	require.NoError(t, err)
	slices.SortFunc(got, func(a, b chain.Message) int { return storetest.CompareHash(a.Hash, b.Hash) })
	want := slices.Clone(w.Messages)
	slices.SortFunc(want, func(a, b chain.Message) int { return storetest.CompareHash(a.Hash, b.Hash) })
	require.Equal(t, want, got)
}

// Messages from outside that are accepted often have one hash. Pages of their transactions by cursor have each once, in both orders.
func TestTransactionsByMessage_PagesOfOneHashHaveEachTransactionOnce(t *testing.T) {
	t.Parallel()
	db, mb := testdb.New(t), testdb.Master(1)
	hash, wallet := testdb.Hash(), testdb.Address()
	var accepted []chain.Hash
	for i := range 7 {
		tx := testdb.NewTransaction(mb, wallet)
		tx.LT = mb.Block.StartLT + uint64(1+i)*1000
		m := testdb.NewMessage(mb, chain.Address{}, wallet)
		m.Kind, m.Source, m.Hash = chain.ExternalIn, nil, hash
		m.Key = chain.MessageKey{Account: wallet, LT: tx.LT}
		m.Value, m.CreatedLT, m.CreatedAt = nil, nil, nil
		testdb.Receive(&tx, &m)
		mb.Messages = append(mb.Messages, m)
		testdb.AddTransaction(mb, &tx)
		accepted = append(accepted, tx.Hash)
	}
	storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	newest := slices.Clone(accepted)
	slices.Reverse(newest)
	for sort, want := range map[chain.Sort][]chain.Hash{chain.Ascending: accepted, chain.Descending: newest} {
		p := chain.Page{Limit: 3, Sort: sort}
		var found []chain.Hash
		for len(found) <= len(want) {
			rows, err := db.Reader().TransactionsByMessage(t.Context(), chain.MessageFilter{Hashes: []chain.Hash{hash}}, p)
			require.NoError(t, err)
			for i := range rows {
				found = append(found, rows[i].Hash)
			}
			if len(rows) < p.Limit {
				break
			}
			p.After = new(rows[len(rows)-1].Cursor())
		}
		require.Equal(t, want, found)
	}
}

func TestTransactionsByMessage_ManyEqualMessagesOfATransactionCountOnce(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	mb := testdb.Master(1)
	const payouts, each = 8, 200
	body, wallet := testdb.Hash(), testdb.Address()
	var sent []chain.Hash
	for i := range payouts {
		tx := testdb.NewTransaction(mb, wallet)
		tx.LT = mb.Block.StartLT + uint64(1+i)*1000
		for range each {
			m := testdb.NewSent(mb, &tx, testdb.Address())
			m.BodyHash = body
			mb.Messages = append(mb.Messages, m)
		}
		testdb.AddTransaction(mb, &tx)
		sent = append(sent, tx.Hash)
	}
	storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	newest := slices.Clone(sent)
	slices.Reverse(newest)
	r := db.Reader()
	for name, list := range map[string]func(chain.Page) ([]chain.Transaction, error){
		"body": func(p chain.Page) ([]chain.Transaction, error) {
			return r.TransactionsByMessage(t.Context(), chain.MessageFilter{BodyHash: &body, Direction: chain.Out}, p)
		},
		"body, either side": func(p chain.Page) ([]chain.Transaction, error) {
			return r.TransactionsByMessage(t.Context(), chain.MessageFilter{BodyHash: &body}, p)
		},
		"body and source": func(p chain.Page) ([]chain.Transaction, error) {
			return r.TransactionsByMessage(t.Context(), chain.MessageFilter{BodyHash: &body, Source: &wallet}, p)
		},
		"list": func(p chain.Page) ([]chain.Transaction, error) {
			return r.Transactions(t.Context(), chain.TransactionFilter{Message: &chain.TransactionMessage{BodyHash: &body}}, p)
		},
		"list of the account": func(p chain.Page) ([]chain.Transaction, error) {
			return r.Transactions(t.Context(), chain.TransactionFilter{Accounts: []chain.Address{wallet}, Message: &chain.TransactionMessage{BodyHash: &body, Direction: chain.Out}}, p)
		},
	} {
		for sort, want := range map[chain.Sort][]chain.Hash{chain.Ascending: sent, chain.Descending: newest} {
			p := chain.Page{Limit: 3, Sort: sort}
			var found []chain.Hash
			for {
				rows, err := list(p)
				require.NoError(t, err)
				for i := range rows {
					found = append(found, rows[i].Hash)
				}
				if len(rows) < p.Limit {
					break
				}
				p.After = new(rows[len(rows)-1].Cursor())
			}
			require.Equal(t, want, found, name)
		}
	}
}
