package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet/contracts"
)

// listingFixture is item 0 of alice, transferred to a listing through the marketplace.
type listingFixture struct {
	nftFixture
	market  contracts.Contract
	listing contracts.Contract
}

var author, feeTaker = party("author"), party("fee taker")

func newListing(t *testing.T, listed func(market, item *address.Address) contracts.Contract) listingFixture {
	t.Helper()
	f := listingFixture{nftFixture: newNFT(t), market: contracts.NFTMarket(1)}
	f.deploy(f.market)
	f.listing = listed(f.market.Address, f.item(0))
	order := contracts.NFTTransfer{
		QueryID: 5, NewOwner: f.market.Address, Response: alice, ForwardValue: tons("0.3"), ForwardPayload: contracts.PutUp(f.listing),
	}
	steps := f.send(alice, contracts.Call(f.item(0), tons("0.5"), order.Body()))
	for i, st := range steps {
		require.False(t, st.Aborted && !st.Skipped, "step %d at %s: exit %d action %d", i, st.Account, st.Exit, st.Action)
	}
	require.Equal(t, f.listing.Address.StringRaw(), f.owner(0).StringRaw())
	return f
}

func (f listingFixture) read() contracts.Listing {
	f.t.Helper()
	st := f.state(f.listing.Address)
	l, ok, err := contracts.ReadListing(st.StateInit.Code, st.StateInit.Data)
	require.NoError(f.t, err)
	require.True(f.t, ok)
	return l
}

func newSale(t *testing.T) listingFixture {
	t.Helper()
	return newListing(t, func(market, item *address.Address) contracts.Contract {
		return contracts.NFTSale(contracts.NFTSaleTerms{
			CreatedAt: startTime, Marketplace: market, Item: item, Price: tons("10"), Fee: tons("0.5"), RoyaltyFee: tons("1"),
			FeeAddress: feeTaker, RoyaltyTo: author,
		})
	})
}

func TestSale_BuyerGetsTheItemAndFeesArePaid(t *testing.T) {
	t.Parallel()
	f := newSale(t)
	require.Equal(t, alice.StringRaw(), f.read().Owner.StringRaw())
	steps := f.send(bob, contracts.Transfer(f.listing.Address, tons("10.05"), ""))
	require.Equal(t, int32(450), steps[0].Exit, "too little for the gas")

	steps = f.send(bob, contracts.Transfer(f.listing.Address, tons("10.1"), ""))
	require.False(t, steps[0].Aborted)
	require.Equal(t, bob.StringRaw(), f.owner(0).StringRaw())
	paid := map[string]uint64{}
	for _, out := range steps[0].Out {
		m := out.AsInternal()
		paid[m.DstAddr.StringRaw()] = m.Amount.Nano().Uint64() + m.FwdFee.Nano().Uint64()
	}
	require.InDelta(t, tons("8.5"), paid[alice.StringRaw()], 1e6)
	require.InDelta(t, tons("0.5"), paid[feeTaker.StringRaw()], 1e6)
	require.InDelta(t, tons("1"), paid[author.StringRaw()], 1e6)
	require.True(t, f.read().Over)
	steps = f.send(bob, contracts.Transfer(f.listing.Address, tons("10.1"), ""))
	require.Equal(t, int32(404), steps[0].Exit, "the sale is over")
}

func TestSale_OnlyItsSellerChangesOrCancels(t *testing.T) {
	t.Parallel()
	f := newSale(t)
	change := contracts.SaleChangePrice(1, tons("4"), tons("0.2"), tons("0.4"))
	steps := f.send(bob, contracts.Call(f.listing.Address, tons("0.1"), change))
	require.Equal(t, int32(458), steps[0].Exit)
	require.True(t, steps[0].Bounced)
	steps = f.send(alice, contracts.Call(f.listing.Address, tons("0.1"), contracts.SaleChangePrice(1, tons("1"), tons("1"), tons("1"))))
	require.Equal(t, int32(450), steps[0].Exit, "fees above the price")
	steps = f.send(alice, contracts.Call(f.listing.Address, tons("0.1"), change))
	require.False(t, steps[0].Aborted)
	require.Equal(t, tons("4"), f.read().Price)

	steps = f.send(bob, contracts.Call(f.listing.Address, tons("0.2"), contracts.SaleCancel(2)))
	require.Equal(t, int32(458), steps[0].Exit)
	steps = f.send(alice, contracts.Call(f.listing.Address, tons("0.2"), contracts.SaleCancel(2)))
	require.Equal(t, []uint32{contracts.OpSaleCancel, contracts.OpNFTTransfer, contracts.OpNFTOwnershipAssign, contracts.OpExcesses}, opcodes(steps))
	require.Equal(t, alice.StringRaw(), f.owner(0).StringRaw())
}

func newAuction(t *testing.T, maxBid uint64) listingFixture {
	t.Helper()
	return newListing(t, func(market, item *address.Address) contracts.Contract {
		return contracts.NFTAuction(contracts.NFTAuctionTerms{
			CreatedAt: startTime, EndTime: startTime + 100, Marketplace: market, Item: item,
			MinBid: tons("1"), MaxBid: maxBid, MinStep: tons("0.5"), StepTime: 10,
			Fee:     contracts.Royalty{Numerator: 5, Denominator: 100, Destination: feeTaker},
			Royalty: contracts.Royalty{Numerator: 1, Denominator: 10, Destination: author},
		})
	})
}

func TestAuction_LateBidsExtendItAndTheHighestWins(t *testing.T) {
	t.Parallel()
	f := newAuction(t, 0)
	carol := party("carol")
	steps := f.send(bob, contracts.Transfer(f.listing.Address, tons("1"), ""))
	require.Equal(t, int32(450), steps[0].Exit, "the gas is not part of the bid")
	f.send(bob, contracts.Transfer(f.listing.Address, tons("1.02"), ""))
	require.Equal(t, tons("1"), f.read().Price)
	steps = f.send(carol, contracts.Transfer(f.listing.Address, tons("1.3"), ""))
	require.Equal(t, int32(450), steps[0].Exit, "less than a step above")

	f.now += 95
	steps = f.send(carol, contracts.Transfer(f.listing.Address, tons("2.02"), "my last word"))
	require.Len(t, steps[0].Out, 1)
	back := steps[0].Out[0].AsInternal()
	require.Equal(t, bob.StringRaw(), back.DstAddr.StringRaw())
	require.Equal(t, tons("1"), back.Amount.Nano().Uint64())
	require.Contains(t, back.Comment(), "Your bid has been outbid by another user")
	require.Equal(t, f.now+10, f.read().EndTime, "a late bid moves the end")

	steps = f.send(bob, contracts.Transfer(f.listing.Address, tons("0.1"), "finish"))
	require.Equal(t, int32(458), steps[0].Exit, "not yet")
	f.now += 10
	steps = f.send(bob, contracts.Transfer(f.listing.Address, tons("3.02"), ""))
	require.Equal(t, int32(404), steps[0].Exit, "too late")
	steps = f.send(bob, contracts.Transfer(f.listing.Address, tons("0.1"), "finish"))
	require.False(t, steps[0].Aborted)
	require.Equal(t, carol.StringRaw(), f.owner(0).StringRaw())
	require.Equal(t, tons("1.7"), sum(steps[0].Out, alice), "the bid less fee and royalty")
}

// sum adds up the values of the messages to an address, including forward fees.
func sum(list []*tlb.Message, to *address.Address) (total uint64) {
	for _, out := range list {
		if m := out.AsInternal(); m.DstAddr.Equals(to) {
			total += m.Amount.Nano().Uint64() + 400_000 // the forward fee of a plain message
		}
	}
	return total
}

func TestAuction_EndsByMaxBidCancelStopOrTime(t *testing.T) {
	t.Parallel()
	f := newAuction(t, tons("5"))
	f.send(bob, contracts.Transfer(f.listing.Address, tons("5.02"), ""))
	require.Equal(t, bob.StringRaw(), f.owner(0).StringRaw(), "a bid of the maximum ends the auction")

	f = newAuction(t, 0)
	steps := f.send(bob, contracts.Transfer(f.listing.Address, tons("0.1"), "cancel"))
	require.Equal(t, int32(458), steps[0].Exit)
	f.send(alice, contracts.Transfer(f.listing.Address, tons("0.1"), "cancel"))
	require.Equal(t, alice.StringRaw(), f.owner(0).StringRaw())

	f = newAuction(t, 0)
	f.send(bob, contracts.Transfer(f.listing.Address, tons("2"), ""))
	steps = f.send(alice, contracts.Call(f.listing.Address, tons("0.1"), contracts.AuctionOrder(contracts.OpAuctionCancel)))
	require.Equal(t, int32(404), steps[0].Exit, "there is a bid")
	f.send(alice, contracts.Call(f.listing.Address, tons("0.1"), contracts.AuctionOrder(contracts.OpAuctionStop)))
	require.Equal(t, bob.StringRaw(), f.owner(0).StringRaw(), "the seller may stop it early")

	f = newAuction(t, 0)
	f.now += 100
	f.send(bob, contracts.Call(f.listing.Address, tons("0.1"), contracts.AuctionOrder(contracts.OpAuctionFinish)))
	require.Equal(t, alice.StringRaw(), f.owner(0).StringRaw(), "no bids")
}

func TestMarket_KeepsNoCoinsAndRefusesOtherOrders(t *testing.T) {
	t.Parallel()
	f := newSale(t)
	require.InDelta(t, tons("1"), f.balance(f.market.Address), 1e7)
	steps := f.send(bob, contracts.Call(f.market.Address, tons("0.1"), contracts.SaleCancel(1)))
	require.Equal(t, int32(0xffff), steps[0].Exit)
	require.True(t, steps[0].Bounced)
	// A message that is not from the item.
	steps = f.send(bob, contracts.Call(f.listing.Address, tons("0.1"), contracts.NFTGetStaticData(1)))
	require.NotZero(t, steps[0].Exit)
}
