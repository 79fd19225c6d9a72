package nft_test

import (
	"math/big"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/nft"
	"tonql/internal/devnet/contracts"
)

// config is the recorded configuration of mainnet, loaded once.
var config struct {
	sync.Once
	root *cell.Cell
}

func newRunner(t *testing.T) *contract.Runner {
	t.Helper()
	config.Do(func() {
		var err error
		config.root, err = mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
		require.NoError(t, err)
	})
	return contracttest.Runner(t, config.root, contract.Env{}, contract.Options{})
}

func state(c contracts.Contract) contract.State { return contracttest.Deployed(c.Address, c.Init) }

func newCollection(code *cell.Cell) contracts.Contract {
	return contracts.NFTCollection(contracttest.Party("author"), contracts.OffchainContent("https://c.json"), "https://items/", code,
		contracts.Royalty{Numerator: 5, Denominator: 100, Destination: contracttest.Party("author")})
}

// minted returns an item that its collection has initialized.
//
//	_ index:uint64 collection:MsgAddress owner:MsgAddress content:^Cell = Storage;
func minted(collection contracts.Contract, index uint64, owner, text string) contract.State {
	st := state(contracts.NFTItem(collection.Address, index, contracts.NFTItemCode()))
	st.Data = cell.BeginCell().MustStoreUInt(index, 64).MustStoreAddr(collection.Address).MustStoreAddr(contracttest.Party(owner)).
		MustStoreRef(cell.BeginCell().MustStoreStringSnake(text).EndCell()).EndCell()
	return st
}

func TestDetect_NewCollectionHasNoItems(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	c := newCollection(contracts.NFTItemCode())
	st, author := state(c), contracttest.Address("author")
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}, st)
	require.Equal(t, []string{"nft_collection"}, facts.Interfaces)
	require.Equal(t, &chain.NFTCollection{
		Address: st.Address, Owner: &author, NextItemIndex: new(big.Int), Content: chain.Content{"uri": "https://c.json"},
		CodeHash: st.CodeHash(), DataHash: st.DataHash(), LastTxLT: 5,
	}, facts.NFTCollection)
}

func TestDetect_ItemHasTheContentOfItsCollection(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	c := newCollection(contracts.NFTItemCode())
	snapshot := contracttest.Snapshot{}.Add(state(c))
	collection, owner := state(c).Address, contracttest.Address("owner")

	st := minted(c, 3, "owner", "3.json")
	facts := contracttest.Detect(t, r, snapshot, st)
	require.Equal(t, []string{"nft_item"}, facts.Interfaces)
	require.Equal(t, &chain.NFTItem{
		Address: st.Address, Init: true, Index: big.NewInt(3), Collection: &collection, Owner: &owner,
		Content: chain.Content{"uri": "https://items/3.json"}, CodeHash: st.CodeHash(), DataHash: st.DataHash(), LastTxLT: 5,
	}, facts.NFTItem)

	alone := state(contracts.NFTItem(c.Address, 3, contracts.NFTItemCode()))
	facts = contracttest.Detect(t, r, snapshot, alone)
	require.NotNil(t, facts.NFTItem)
	require.False(t, facts.NFTItem.Init)
	require.Nil(t, facts.NFTItem.Owner)
	require.Equal(t, chain.Content{}, facts.NFTItem.Content)
}

func TestDetect_SBTHasItsAuthority(t *testing.T) {
	t.Parallel()
	c := newCollection(contracts.SBTItemCode())
	st := state(contracts.NFTItem(c.Address, 1, contracts.SBTItemCode()))
	st.Data = cell.BeginCell().MustStoreUInt(1, 64).MustStoreAddr(c.Address).MustStoreAddr(contracttest.Party("owner")).
		MustStoreRef(cell.BeginCell().MustStoreStringSnake("1").EndCell()).MustStoreAddr(contracttest.Party("authority")).
		MustStoreUInt(1_700_000_000, 64).EndCell()
	facts := contracttest.Detect(t, newRunner(t), contracttest.Snapshot{}.Add(state(c)), st)
	require.Equal(t, []string{"nft_item", "sbt"}, facts.Interfaces)
	require.NotNil(t, facts.NFTItem)
	authority := contracttest.Address("authority")
	require.Equal(t, &chain.SBT{Authority: &authority, RevokedAt: 1_700_000_000}, facts.NFTItem.SBT)
}

// Only its collection confirms an item.
func TestDetect_ItemIsConfirmedByItsCollectionOnly(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	c := newCollection(contracts.NFTItemCode())
	snapshot := contracttest.Snapshot{}.Add(state(c))
	elsewhere := minted(c, 3, "owner", "x")
	elsewhere.Address = contracttest.Address("elsewhere")
	wrongIndex := minted(c, 3, "owner", "x")
	wrongIndex.Data = minted(c, 4, "owner", "x").Data
	own := contracttest.Account("own", map[string]*cell.Cell{
		"get_nft_data": contracttest.MethodReturning(0, -1, 0, state(c).Address, contracttest.Address("thief"), contracttest.Asm("")),
	})
	for _, tc := range []struct {
		name   string
		item   contract.State
		others contracttest.Snapshot
	}{
		{"no collection", minted(c, 3, "owner", "x"), contracttest.Snapshot{}},
		{"at another address", elsewhere, snapshot},
		{"another item's index", wrongIndex, snapshot},
		{"own code, famous collection", own, snapshot},
	} {
		facts := contracttest.Detect(t, r, tc.others, tc.item)
		require.Contains(t, facts.Interfaces, "nft_item", tc.name)
		require.Nil(t, facts.NFTItem, tc.name)
	}
}

// An item that names no collection needs no confirmation, and its content is complete.
func TestDetect_ItemWithoutACollectionHasItsOwnContent(t *testing.T) {
	t.Parallel()
	facts := contracttest.Detect(t, newRunner(t), contracttest.Snapshot{}, contracttest.Account("single", map[string]*cell.Cell{
		"get_nft_data": contracttest.MethodReturning(0, -1, 0, (*chain.Address)(nil), contracttest.Address("owner"), contracts.OnchainContent(map[string]string{"name": "One"})),
	}))
	require.NotNil(t, facts.NFTItem)
	require.Nil(t, facts.NFTItem.Collection)
	require.Equal(t, chain.Content{"name": "One"}, facts.NFTItem.Content)
}

// When get_nft_content of the collection fails, the item is confirmed and has no content.
// An item says that it has no collection by addr_none; one that names a collection which cannot confirm it is no item.
func TestDetect_ItemOfAnAddressThatIsNoContractIsNone(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for name, collection := range map[string]*address.Address{
		"addr_extern": address.NewAddressExt(0, 16, []byte{1, 2}), "addr_var": address.NewAddressVar(0, 7, 256, make([]byte, 32)),
		"anycast": contracttest.Party("collection").WithAnycast(address.NewAnycast(1, []byte{0x80})),
	} {
		slice := cell.BeginCell().MustStoreAddr(collection).ToSlice()
		st := contracttest.Account(name, map[string]*cell.Cell{
			"get_nft_data": contracttest.MethodReturning(0, -1, 0, slice, contracttest.Address("owner"), contracts.OffchainContent("https://x")),
		})
		require.Nil(t, contracttest.Detect(t, r, contracttest.Snapshot{}, st).NFTItem, name)
	}
}

func TestDetect_ItemOfABadCollectionHasNoContent(t *testing.T) {
	t.Parallel()
	for _, method := range []*cell.Cell{contracttest.Asm("f22a"), contracttest.Asm("9100ea"), contracttest.MethodReturning(2, 5)} {
		collection := contracttest.Account("collection", map[string]*cell.Cell{
			"get_nft_address_by_index": contracttest.MethodReturning(1, contracttest.Address("item")), "get_nft_content": method,
		})
		facts := contracttest.Detect(t, newRunner(t), contracttest.Snapshot{}.Add(collection), contracttest.Account("item", map[string]*cell.Cell{
			"get_nft_data": contracttest.MethodReturning(0, -1, 7, collection.Address, contracttest.Address("owner"), contracttest.Asm("")),
		}))
		require.NotNil(t, facts.NFTItem)
		require.Equal(t, chain.Content{}, facts.NFTItem.Content)
	}
}

func TestParseTransfer_ReadsEveryField(t *testing.T) {
	t.Parallel()
	to, back := contracttest.Address("to"), contracttest.Address("back")
	order := contracts.NFTTransfer{
		QueryID: 7, NewOwner: contracttest.Party("to"), Response: contracttest.Party("back"), CustomPayload: contracts.Comment("custom"),
		ForwardValue: 5, ForwardPayload: contracts.Comment("hello"),
	}
	got, err := nft.ParseTransfer(order.Body())
	require.NoError(t, err)
	require.Equal(t, uint64(7), got.QueryID)
	require.Equal(t, &to, got.NewOwner)
	require.Equal(t, &back, got.Response)
	require.NotNil(t, got.CustomPayload)
	require.Equal(t, int64(5), got.ForwardAmount.Int64())
	require.Equal(t, contracts.Comment("hello").Hash(), got.ForwardPayload.Hash())
	require.True(t, got.ForwardInRef)
	_, err = nft.ParseTransfer(contracts.NFTGetStaticData(1))
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func FuzzParseTransfer_HasAForwardPayload(f *testing.F) {
	f.Add(contracttest.Seed(contracts.NFTTransfer{NewOwner: contracttest.Party("to"), ForwardPayload: contracts.Comment("x")}.Body()))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := contracttest.Tree(data)
		if tr, err := nft.ParseTransfer(c); err == nil {
			require.NotNil(t, tr.ForwardPayload)
		}
	})
}
