package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// newNamedBlocks returns contracts whose accounts also have states and share a few codes, and all addresses in them.
func newNamedBlocks() (m *storetest.Contracts, all []chain.Address) {
	m = storetest.NewContracts()
	codes := []chain.Hash{testdb.Hash(), testdb.Hash(), testdb.Hash()}
	for _, mb := range m.Blocks {
		code := map[uint64]*chain.Hash{}
		for i := range mb.Contracts {
			mb.Contracts[i].CodeHash = codes[m.Rand.IntN(len(codes))]
			code[mb.Contracts[i].LT] = &mb.Contracts[i].CodeHash
			if d := mb.Contracts[i].DNS; d != nil && d.Wallet != nil { // the domain is the name of the account it resolves to
				d.Owner = d.Wallet
			}
		}
		for i := range mb.States {
			mb.States[i].CodeHash = code[mb.States[i].LT]
		}
	}
	for _, person := range m.People {
		m.Blocks[0].States = append(m.Blocks[0].States, testdb.NewState(m.Blocks[0], person))
	}
	for _, list := range [][]chain.Address{m.People, m.Masters, m.Wallets, m.Collections, m.Items, m.Domains, storetest.Addresses(5)} {
		all = append(all, list...)
	}
	return m, all
}

// A snapshot returns the same names from the cache and from the database during all writes: blocks in any order,
// fetched metadata, and interfaces that are detected later.
func TestNames_CacheAndDatabaseAgree(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	m, all := newNamedBlocks()
	ctx := t.Context()
	var fromMemory atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	written := make(chan struct{})
	group.Go(func() error {
		defer close(written)
		return writeNames(ctx, db, m)
	})
	const readers = 3
	for n := range readers {
		rng := rand.New(rand.NewPCG(21, uint64(n)))
		group.Go(func() error {
			for {
				if err := compareNames(ctx, db.Reader(), rng, all, &fromMemory); err != nil {
					return err
				}
				select {
				case <-written:
					return nil
				default:
				}
			}
		})
	}
	require.NoError(t, group.Wait())
	require.Positive(t, fromMemory.Load(), "some names come from the cache")

	// After the last write, all names that were read once are cached.
	at, done := db.Reader().Snapshot(t.Context(), func(uint32) {})
	defer done()
	_, _, err := at.Named(t.Context(), all)
	require.NoError(t, err)
	cached, err := at.NamesCached(t.Context(), all)
	require.NoError(t, err)
	require.True(t, cached)
	memory, database := db.Reader().NamesFrom()
	require.Positive(t, memory)
	require.Positive(t, database)
}

func writeNames(ctx context.Context, db *store.DB, m *storetest.Contracts) error {
	order := m.Rand.Perm(len(m.Blocks))
	for i, at := range append([]int{0}, order...) { // the first block has the people; applying it again changes nothing
		if err := db.Writer().Apply(ctx, m.Blocks[at]); err != nil {
			return err
		}
		if i%3 == 0 {
			jobs, err := db.MetadataQueue().Next(ctx, 5)
			if err != nil {
				return err
			}
			for _, j := range jobs {
				result := chain.MetadataResult{Job: j, Metadata: &chain.Metadata{Valid: m.Chance(2), Name: j.Address.String()}}
				if err := db.MetadataQueue().Store(ctx, result); err != nil {
					return err
				}
			}
		}
		if i%5 == 0 && len(m.Blocks[at].Contracts) > 0 {
			k := m.Blocks[at].Contracts[0]
			k.Interfaces = []string{"found", strconv.Itoa(i)}
			if err := db.Writer().ApplyDetections(ctx, store.Detections{Contracts: []chain.Contract{k}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// A restored database has an older version: names of the newer version are removed from the cache.
func TestNames_RestoredDatabaseEmptiesTheCache(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := testdb.Account(t, db, nil)
	read := func() *chain.Hash {
		at, done := db.Reader().Snapshot(t.Context(), func(uint32) {})
		defer done()
		entries, err := at.AddressBook(t.Context(), []chain.Address{s.Account})
		require.NoError(t, err)
		return entries[0].CodeHash
	}
	for range 3 {
		testdb.Account(t, db, nil)
		require.Equal(t, s.CodeHash, read())
	}
	other := testdb.Hash()
	storetest.ExecSQL(t, db, "UPDATE names_version SET version = 1")
	storetest.ExecSQL(t, db, "DELETE FROM name_changes WHERE version > 1")
	storetest.ExecSQL(t, db, "UPDATE accounts SET code_hash = '\\x"+other.Hex()+"'")
	require.Equal(t, &other, read(), "an older version is read from the database")
	db.Reader().ExpireNames()
	at, done := db.Reader().Snapshot(t.Context(), func(uint32) {}) // any query
	_, err := at.Last().Blocks(t.Context(), chain.BlockFilter{}, chain.Page{Limit: 1})
	done()
	require.NoError(t, err)
	cached, err := db.Reader().NamesCached(t.Context(), []chain.Address{s.Account})
	require.NoError(t, err)
	require.False(t, cached)
	require.Equal(t, &other, read())
	for range 3 { // until the version is the earlier one, and newer
		testdb.Account(t, db, nil)
		require.Equal(t, &other, read())
	}
}

// compareNames reads some names in a snapshot through the cache, and again without it.
func compareNames(ctx context.Context, r *store.Reader, rng *rand.Rand, all []chain.Address, fromMemory *atomic.Int64) error {
	at, done := r.Snapshot(ctx, func(uint32) {})
	defer done()
	some := slices.Clone(all)
	rng.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	some = some[:1+rng.IntN(len(some))]
	if rng.IntN(2) == 0 { // names are read by the second query
		if _, err := at.Blocks(ctx, chain.BlockFilter{}, chain.Page{Limit: 1}); err != nil {
			return err
		}
		cached, err := at.NamesCached(ctx, some[:1])
		if err != nil {
			return err
		}
		if cached {
			fromMemory.Add(1)
		}
	}
	var entries, plainEntries []chain.AddressBookRow
	var tokens, plainTokens []chain.Metadata
	var err error
	parts := rng.IntN(3)
	switch parts {
	case 0:
		entries, err = at.AddressBook(ctx, some)
	case 1:
		tokens, err = at.Metadata(ctx, some)
	default:
		entries, tokens, err = at.Named(ctx, some)
	}
	if err != nil {
		return err
	}
	if plainEntries, plainTokens, err = at.NamedUncached(ctx, some); err != nil {
		return err
	}
	for i := range some {
		if parts != 1 && !reflect.DeepEqual(entries[i], plainEntries[i]) {
			return fmt.Errorf("address book: %+v instead of %+v", entries[i], plainEntries[i])
		}
	}
	if parts != 0 && !reflect.DeepEqual(tokens, plainTokens) {
		return fmt.Errorf("metadata: %+v instead of %+v", tokens, plainTokens)
	}
	return nil
}

// FullNamed reads the names of a small page of transactions together with their messages while they are not cached,
// reads none while they are cached, and reads a single missing name with another query.
func TestFullNamed_ReturnsTheAddressBook(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	ctx := t.Context()
	read := func(key chain.TransactionKey) {
		t.Helper()
		at, done := w.Reader.Snapshot(ctx, func(uint32) {})
		defer done()
		txs, err := at.TransactionsByKey(ctx, []chain.TransactionKey{key})
		require.NoError(t, err)
		full, entries, err := at.FullNamed(ctx, txs)
		require.NoError(t, err)
		all := namesIn(full)
		plain, err := w.Reader.AddressBook(ctx, all)
		require.NoError(t, err)
		require.Equal(t, plain, entries)
	}
	busy := w.Transactions[slices.IndexFunc(w.Transactions, func(t chain.Transaction) bool { return t.OutMsgCount > 0 && t.InMsg != nil })]
	full, err := w.Reader.Full(ctx, []chain.Transaction{busy})
	require.NoError(t, err)
	for range 3 {
		read(busy.Key())
	}
	for _, renamed := range namesIn(full) { // the name that is not cached
		mb := testdb.Master(uint32(len(w.Masters) + 1))
		w.Masters = append(w.Masters, mb)
		s := testdb.NewState(mb, renamed)
		s.LT = 1 << 60
		mb.States = append(mb.States, s)
		storetest.Apply(t, w.DB.Writer(), []*chain.MasterBlock{mb})
		read(busy.Key())
		read(busy.Key())
	}
	for _, tx := range w.Transactions[:100] {
		read(tx.Key())
	}
}

func namesIn(full []chain.FullTransaction) (list []chain.Address) {
	add := func(a *chain.Address) {
		if a != nil && !slices.Contains(list, *a) {
			list = append(list, *a)
		}
	}
	for i := range full {
		add(&full[i].Account)
		if full[i].InMessage != nil {
			add(full[i].InMessage.Source)
		}
		for k := range full[i].OutMessages {
			add(full[i].OutMessages[k].Destination)
		}
	}
	return list
}
