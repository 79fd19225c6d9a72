package store_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// traited is an index of items whose metadata the test stores.
type traited struct {
	*testing.T
	db                 *store.DB
	seqno              uint32
	items, collections []chain.Address
}

func newTraited(t *testing.T, items int) *traited {
	t.Helper()
	return &traited{T: t, db: testdb.New(t), items: storetest.Addresses(items), collections: []chain.Address{testdb.Address(), testdb.Address()}}
}

// record writes the record of an item, or that the contract is none.
func (x *traited) record(item int, collection *chain.Address, uri string) {
	x.Helper()
	x.seqno++
	k := chain.Contract{Account: x.items[item], LT: uint64(x.seqno), McSeqno: x.seqno}
	if uri != "" {
		k.NFTItem = &chain.NFTItem{
			Address: x.items[item], LastTxLT: k.LT, Content: chain.Content{"uri": uri}, Index: big.NewInt(int64(item)), Collection: collection,
		}
	}
	storetest.Apply(x, x.db.Writer(), []*chain.MasterBlock{testdb.Master(x.seqno, func(mb *chain.MasterBlock) { mb.Contracts = []chain.Contract{k} })})
}

// fetched stores what was found for the content of an item; nil: the try failed.
func (x *traited) fetched(item int, uri string, attributes any) {
	x.Helper()
	m := &chain.Metadata{Indexed: true, Valid: true, Name: "n", Extra: map[string]any{"attributes": attributes}}
	if attributes == nil {
		m = &chain.Metadata{Reason: "timeout", Error: "no response"}
	}
	job := chain.MetadataJob{Address: x.items[item], Kind: chain.TokenNFTItem, Content: chain.Content{"uri": uri}}
	require.NoError(x, x.db.MetadataQueue().Store(x.Context(), chain.MetadataResult{Job: job, Metadata: m}))
}

// read reads all traits, in small batches.
func (x *traited) read() (n int) {
	x.Helper()
	for {
		read, err := x.db.MetadataQueue().ReadTraits(x.Context(), 2)
		require.NoError(x, err)
		if n += read; read == 0 {
			return n
		}
	}
}

func trait(name string, value any) map[string]any {
	return map[string]any{"trait_type": name, "value": value}
}

// requireConsistent checks the traits of all collections: they are those of the metadata that is shown and of the records of the items.
func (x *traited) requireConsistent(step string) {
	x.Helper()
	rows, err := x.db.Reader().NFTItems(x.Context(), chain.NFTItemFilter{Addresses: x.items}, chain.Page{Limit: 1000, Sort: chain.Ascending})
	require.NoError(x, err)
	metadata, err := x.db.Reader().Metadata(x.Context(), x.items)
	require.NoError(x, err)
	for _, collection := range x.collections {
		want := map[chain.Trait][]chain.Address{}
		for i := range rows {
			for j := range metadata {
				if c := rows[i].Collection; c != nil && *c == collection && metadata[j].Address == rows[i].Address {
					for _, t := range metadata[j].SearchableTraits() {
						want[t] = append(want[t], rows[i].Address)
					}
				}
			}
		}
		counts, err := x.db.Reader().TraitCounts(x.Context(), collection)
		require.NoError(x, err)
		found := 0
		for _, name := range counts {
			require.False(x, name.MoreValues)
			for _, v := range name.Values {
				found++
				t := chain.Trait{Name: name.Name, Value: v.Value}
				require.Equal(x, chain.CappedCount{Count: len(want[t])}, v.Items, "%s: %v", step, t)
				require.Equal(x, want[t], x.having(collection, t), "%s: %v", step, t)
			}
		}
		require.Len(x, want, found, step)
	}
}

// having returns the items with a trait, in pages of two, and checks that they are the same from the end.
func (x *traited) having(collection chain.Address, t chain.Trait) (all []chain.Address) {
	x.Helper()
	f := chain.NFTItemFilter{Collections: []chain.Address{collection}, Trait: &t}
	p := chain.Page{Limit: 2, Sort: chain.Ascending}
	for {
		rows, err := x.db.Reader().NFTItems(x.Context(), f, p)
		require.NoError(x, err)
		for i := range rows {
			all = append(all, rows[i].Address)
		}
		if len(rows) < p.Limit {
			break
		}
		p.After = new(rows[len(rows)-1].Cursor())
	}
	last, err := x.db.Reader().NFTItems(x.Context(), f, chain.Page{Limit: 1, Sort: chain.Ascending, Last: true})
	require.NoError(x, err)
	require.Equal(x, all[len(all)-1], last[0].Address)
	return all
}

// An item that claims to be a Jetton wallet of another item changes no traits of that one.
func TestTraits_OfTheMasterOfAnItemAreReadOnce(t *testing.T) {
	t.Parallel()
	x := newTraited(t, 2)
	x.record(1, &x.collections[0], "a")
	x.fetched(1, "a", []any{trait("Colour", "red")})
	require.Equal(t, 1, x.read())
	x.seqno++
	both := chain.Contract{
		Account: x.items[0], LT: uint64(x.seqno), McSeqno: x.seqno,
		NFTItem: &chain.NFTItem{
			Address: x.items[0], LastTxLT: uint64(x.seqno), Content: chain.Content{"uri": "a"}, Index: big.NewInt(0), Collection: &x.collections[0],
		},
		JettonWallet: &chain.JettonWallet{Address: x.items[0], LastTxLT: uint64(x.seqno), Balance: big.NewInt(1), Owner: x.items[0], Jetton: x.items[1]},
	}
	storetest.Apply(t, x.db.Writer(), []*chain.MasterBlock{testdb.Master(x.seqno, func(mb *chain.MasterBlock) { mb.Contracts = []chain.Contract{both} })})
	x.fetched(0, "a", []any{trait("Colour", "red")})
	require.Equal(t, 1, x.read())
	x.requireConsistent("both")
	require.Len(t, x.having(x.collections[0], chain.Trait{Name: "Colour", Value: "red"}), 2)
}

// Traits follow the metadata and the records of items, in whatever order these change.
func TestTraits_FollowMetadataAndRecords(t *testing.T) {
	t.Parallel()
	x := newTraited(t, 8)
	slices.SortFunc(x.items, chain.Address.Compare)
	one, two := &x.collections[0], &x.collections[1]
	for i := range x.items {
		x.record(i, one, "a")
	}
	require.Zero(t, x.read(), "nothing was fetched")
	for i := range x.items {
		x.fetched(i, "a", []any{trait("Colour", []string{"red", "blue"}[i%2]), trait("Level", i/3), trait("", true)})
	}
	require.Equal(t, len(x.items), x.read())
	require.Zero(t, x.read(), "read once")
	x.requireConsistent("fetched")
	require.Len(t, x.having(*one, chain.Trait{Name: "Colour", Value: "red"}), 4)
	require.Len(t, x.having(*one, chain.Trait{Value: "true"}), 8)

	x.record(0, two, "a")
	x.requireConsistent("another collection")
	require.Equal(t, x.items[:1], x.having(*two, chain.Trait{Name: "Colour", Value: "red"}))
	x.record(0, nil, "a")
	x.requireConsistent("no collection")
	x.record(0, one, "a")
	x.requireConsistent("the first collection again")
	require.Len(t, x.having(*one, chain.Trait{Name: "Colour", Value: "red"}), 4)

	x.fetched(1, "a", nil)
	require.Equal(t, 1, x.read())
	x.requireConsistent("a failed try leaves what is shown")
	x.fetched(1, "a", []any{trait("Colour", "green")})
	require.Equal(t, 1, x.read())
	x.requireConsistent("other metadata of the same content")
	x.record(2, one, "b")
	x.requireConsistent("other content")
	require.Len(t, x.having(*one, chain.Trait{Name: "Colour", Value: "red"}), 3)
	x.fetched(2, "a", []any{trait("Colour", "late")})
	require.Zero(t, x.read())
	x.requireConsistent("a late result of the earlier content")
	x.record(3, nil, "")
	x.requireConsistent("no item any more")
	x.record(3, two, "a")
	x.fetched(3, "a", []any{trait("Colour", "blue")})
	require.Equal(t, 1, x.read())
	x.requireConsistent("an item again")
}

// Metadata is untrusted: what is too long is left out, what repeats counts once, and text that PostgreSQL does not store is found in the form in
// which it is stored.
func TestTraits_OfHostileMetadataAreBounded(t *testing.T) {
	t.Parallel()
	x := newTraited(t, 60)
	slices.SortFunc(x.items, chain.Address.Compare)
	one := &x.collections[0]
	var many []any
	for i := range 300 {
		many = append(many, trait(fmt.Sprintf("name %03d", i), "v"))
	}
	long := strings.Repeat("x", chain.MaxTraitBytes)
	for i, attributes := range []any{
		[]any{trait("a\x00b", "c\xffd"), trait("twice", "v"), trait("twice", "v"), trait("n", nil), trait("n", []any{1}), 5, nil, "text"},
		[]any{trait(long, long), trait(long+"x", "v"), trait("v", long+"x"), trait("", "")},
		`[{"trait_type": "text", "value": 1.50}]`, `[{`, map[string]any{"a": 1},
	} {
		x.record(i, one, "a")
		x.fetched(i, "a", attributes)
	}
	require.Equal(t, 5, x.read())
	x.requireConsistent("hostile")
	require.Equal(t, x.items[:1], x.having(*one, chain.Trait{Name: "a\x00b", Value: "c\xffd"}))
	require.Equal(t, x.items[2:3], x.having(*one, chain.Trait{Name: "text", Value: "1.50"}))

	two := &x.collections[1]
	for i := range x.items {
		x.record(i, two, "b")
		x.fetched(i, "b", append([]any{trait("", fmt.Sprintf("unique %d", i))}, many...))
	}
	require.Equal(t, len(x.items), x.read())
	counts, err := x.db.Reader().TraitCounts(t.Context(), *two)
	require.NoError(t, err)
	require.Len(t, counts, chain.MaxTraitNames)
	require.True(t, counts[0].MoreValues)
	require.Len(t, counts[0].Values, chain.MaxTraitValues)
	require.Equal(t, []chain.TraitValueCount{{Value: "v", Items: chain.CappedCount{Count: len(x.items)}}}, counts[1].Values)
}

// The collection of a trait is that of the item's newest record, also while both change at the same time.
func TestTraits_ChangeTogetherWithRecords(t *testing.T) {
	t.Parallel()
	x := newTraited(t, 3)
	slices.SortFunc(x.items, chain.Address.Compare)
	for i := range x.items {
		x.record(i, &x.collections[0], "a")
		x.fetched(i, "a", []any{trait("Colour", "red")})
	}
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			for i := range x.items {
				job := chain.MetadataJob{Address: x.items[i], Kind: chain.TokenNFTItem, Content: chain.Content{"uri": "a"}}
				m := &chain.Metadata{Indexed: true, Valid: true, Extra: map[string]any{"attributes": []any{trait("Colour", "red")}}}
				err := x.db.MetadataQueue().Store(t.Context(), chain.MetadataResult{Job: job, Metadata: m})
				if err == nil {
					_, err = x.db.MetadataQueue().ReadTraits(t.Context(), 10)
				}
				if err != nil {
					done <- err
					return
				}
			}
		}
	}()
	for i := range 60 {
		x.record(i%len(x.items), &x.collections[i/7%2], "a")
	}
	close(stop)
	require.NoError(t, <-done)
	x.read()
	x.requireConsistent("together")
}
