package contracts_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton/nft"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// nftFixture is a collection whose item 0 belongs to alice.
type nftFixture struct {
	*sandbox
	collection contracts.Contract
	itemCode   *cell.Cell
}

func newCollection(t *testing.T, itemCode *cell.Cell) nftFixture {
	t.Helper()
	f := nftFixture{sandbox: newSandbox(t), itemCode: itemCode}
	royalty := contracts.Royalty{Numerator: 55, Denominator: 1000, Destination: admin}
	f.collection = contracts.NFTCollection(admin, contracts.OffchainContent("https://nft.test/c.json"), "https://nft.test/", itemCode, royalty)
	f.deploy(f.collection)
	return f
}

func newNFT(t *testing.T) nftFixture {
	t.Helper()
	f := newCollection(t, contracts.NFTItemCode())
	steps := f.send(admin, contracts.Call(f.collection.Address, tons("0.2"), contracts.NFTMint(1, 0, tons("0.1"), alice, "0.json")))
	require.False(t, steps[1].Aborted)
	require.Equal(t, alice.StringRaw(), f.owner(0).StringRaw())
	return f
}

func (f nftFixture) item(index uint64) *address.Address {
	return contracts.NFTItem(f.collection.Address, index, f.itemCode).Address
}

func (f nftFixture) owner(index uint64) *address.Address {
	f.t.Helper()
	owner, err := contracts.NFTOwner(f.data(f.item(index)))
	require.NoError(f.t, err)
	return owner
}

func TestNFTMint_OwnerMintsTheNextItemOnly(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		from  *address.Address
		index uint64
		exit  int32
		next  uint64
	}{
		"next item":         {from: admin, index: 1, next: 2},
		"an item once more": {from: admin, index: 0, next: 1},
		"after the next":    {from: admin, index: 2, exit: 402, next: 1},
		"another account":   {from: alice, index: 1, exit: 401, next: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newNFT(t)
			body := contracts.NFTMint(1, tc.index, tons("0.1"), bob, "x.json")
			steps := f.send(tc.from, contracts.Call(f.collection.Address, tons("0.2"), body))
			require.Equal(t, tc.exit, steps[0].Exit)
			next, err := contracts.NextItemIndex(f.data(f.collection.Address))
			require.NoError(t, err)
			require.Equal(t, tc.next, next)
			// A second mint of an item changes nothing: its first owner keeps it.
			require.Equal(t, alice.StringRaw(), f.owner(0).StringRaw())
			if tc.next == 2 {
				require.Equal(t, bob.StringRaw(), f.owner(1).StringRaw())
			}
		})
	}
}

func TestNFTItem_IsInitializedByItsCollectionOnly(t *testing.T) {
	t.Parallel()
	f := newNFT(t)
	forged := contracts.NFTItem(f.collection.Address, 5, f.itemCode)
	init := cell.BeginCell().MustStoreAddr(bob).MustStoreRef(cell.BeginCell().EndCell()).EndCell()
	steps := f.send(bob, forged.Deploy(tons("0.1"), init))
	require.Equal(t, int32(405), steps[0].Exit)
}

func TestNFTTransfer_RefusedOrdersLeaveTheOwner(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		from    *address.Address
		value   uint64
		order   contracts.NFTTransfer
		exit    int32
		opcodes []uint32
	}{
		"with notification and excesses": {
			from: alice, value: tons("0.1"),
			order:   contracts.NFTTransfer{NewOwner: bob, Response: alice, ForwardValue: tons("0.01"), ForwardPayload: contracts.Comment("gift")},
			opcodes: []uint32{contracts.OpNFTTransfer, contracts.OpNFTOwnershipAssign, contracts.OpExcesses},
		},
		"silent": {
			from: alice, value: tons("0.1"),
			order:   contracts.NFTTransfer{NewOwner: bob},
			opcodes: []uint32{contracts.OpNFTTransfer},
		},
		"another account": {
			from: bob, value: tons("0.1"), exit: 401,
			order:   contracts.NFTTransfer{NewOwner: bob, Response: bob},
			opcodes: []uint32{contracts.OpNFTTransfer, contracts.OpNFTTransfer},
		},
		"forward amount above the value": {
			from: alice, value: tons("0.1"), exit: 402,
			order:   contracts.NFTTransfer{NewOwner: bob, Response: alice, ForwardValue: tons("3")},
			opcodes: []uint32{contracts.OpNFTTransfer, contracts.OpNFTTransfer},
		},
		"to the masterchain": {
			from: alice, value: tons("0.1"), exit: 333,
			order:   contracts.NFTTransfer{NewOwner: address.NewAddress(0, 255, make([]byte, 32)), Response: alice},
			opcodes: []uint32{contracts.OpNFTTransfer, contracts.OpNFTTransfer},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newNFT(t)
			tc.order.QueryID = 9
			steps := f.send(tc.from, contracts.Call(f.item(0), tc.value, tc.order.Body()))
			require.Equal(t, tc.exit, steps[0].Exit)
			require.Equal(t, tc.exit != 0, steps[0].Bounced)
			require.Equal(t, tc.opcodes, opcodes(steps))
			want := bob
			if tc.exit != 0 {
				want = alice
			}
			require.Equal(t, want.StringRaw(), f.owner(0).StringRaw())
			require.GreaterOrEqual(t, f.balance(f.item(0)), tons("0.02"))
		})
	}
}

func TestNFT_ReportsStaticDataAndRoyalty(t *testing.T) {
	t.Parallel()
	f := newNFT(t)
	steps := f.send(bob, contracts.Call(f.item(0), tons("0.1"), contracts.NFTGetStaticData(11)))
	require.Equal(t, []uint32{contracts.OpNFTGetStaticData, contracts.OpNFTReportStaticData}, opcodes(steps))
	r := steps[1].In.Msg.Payload().MustBeginParse()
	r.MustLoadUInt(32)
	require.Equal(t, uint64(11), r.MustLoadUInt(64))
	require.Zero(t, r.MustLoadBigUInt(256).Sign())
	require.Equal(t, f.collection.Address.StringRaw(), r.MustLoadAddr().StringRaw())

	steps = f.send(bob, contracts.Call(f.collection.Address, tons("0.1"), contracts.GetRoyaltyParams(12)))
	require.Equal(t, []uint32{contracts.OpGetRoyaltyParams, contracts.OpReportRoyaltyParams}, opcodes(steps))
	r = steps[1].In.Msg.Payload().MustBeginParse()
	r.MustLoadUInt(32)
	require.Equal(t, uint64(12), r.MustLoadUInt(64))
	require.Equal(t, uint64(55), r.MustLoadUInt(16))
	require.Equal(t, uint64(1000), r.MustLoadUInt(16))
	require.Equal(t, admin.StringRaw(), r.MustLoadAddr().StringRaw())
}

func TestNFTCollection_OnlyItsOwnerChangesTheOwner(t *testing.T) {
	t.Parallel()
	f := newNFT(t)
	steps := f.send(bob, contracts.Call(f.collection.Address, tons("0.1"), contracts.NFTChangeOwner(1, bob)))
	require.Equal(t, int32(401), steps[0].Exit)
	f.send(admin, contracts.Call(f.collection.Address, tons("0.1"), contracts.NFTChangeOwner(1, bob)))
	data, err := nft.NewCollectionClient(f, f.collection.Address).GetCollectionData(t.Context())
	require.NoError(t, err)
	require.Equal(t, bob.StringRaw(), data.OwnerAddress.StringRaw())
}

func TestNFT_ClientLibraryReadsCollectionAndItem(t *testing.T) {
	t.Parallel()
	f := newNFT(t)
	client := nft.NewCollectionClient(f, f.collection.Address)
	data, err := client.GetCollectionData(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), data.NextItemIndex.Int64())
	require.Equal(t, &nft.ContentOffchain{URI: "https://nft.test/c.json"}, data.Content)

	at, err := client.GetNFTAddressByIndex(t.Context(), big.NewInt(0))
	require.NoError(t, err)
	require.Equal(t, f.item(0).StringRaw(), at.StringRaw())

	royalty, err := client.RoyaltyParams(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint16(55), royalty.Factor)
	require.Equal(t, uint16(1000), royalty.Base)

	item, err := nft.NewItemClient(f, f.item(0)).GetNFTData(t.Context())
	require.NoError(t, err)
	require.True(t, item.Initialized)
	require.Equal(t, alice.StringRaw(), item.OwnerAddress.StringRaw())
	require.Equal(t, f.collection.Address.StringRaw(), item.CollectionAddress.StringRaw())

	full, err := client.GetNFTContent(t.Context(), big.NewInt(0), &nft.ContentOffchain{URI: "0.json"})
	require.NoError(t, err)
	require.Equal(t, &nft.ContentOffchain{URI: "https://nft.test/0.json"}, full)

	// The mint payload of the client library is accepted too.
	body, err := client.BuildMintPayload(big.NewInt(1), bob, tlb.MustFromTON("0.1"), &nft.ContentOffchain{URI: "1.json"})
	require.NoError(t, err)
	f.send(admin, contracts.Call(f.collection.Address, tons("0.2"), body))
	require.Equal(t, bob.StringRaw(), f.owner(1).StringRaw())
}
