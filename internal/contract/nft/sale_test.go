package nft_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
)

func bigInt(n int64) *big.Int { return big.NewInt(n) }

// detectSale returns the sale of a contract with one get-method.
func detectSale(t *testing.T, method string, values ...any) *chain.NFTSale {
	t.Helper()
	st := contracttest.Account("sale", map[string]*cell.Cell{method: contracttest.MethodReturning(0, values...)})
	sale := contracttest.Detect(t, newRunner(t), contracttest.Snapshot{}, st).NFTSale
	if sale != nil {
		require.Equal(t, st.Address, sale.Address)
		require.Equal(t, st.CodeHash(), sale.CodeHash)
		require.Equal(t, st.LastTxLT, sale.LastTxLT)
		require.False(t, sale.Known, "the code is not published")
	}
	return sale
}

func TestDetect_FixedPriceSaleHasItsPriceAndFees(t *testing.T) {
	t.Parallel()
	market, item, seller, fee, royalty := contracttest.Address("market"), contracttest.Address("item"), contracttest.Address("seller"), contracttest.Address("fee"), contracttest.Address("royalty")
	s := detectSale(t, "get_sale_data", 0x46495850, 0, 1_700_000_000, market, item, seller, 100, fee, 5, royalty, 7)
	require.Equal(t, chain.FixedPriceSale, s.Kind)
	require.Equal(t, []*chain.Address{&market, &item, &seller}, []*chain.Address{s.Marketplace, s.NFT, s.NFTOwner})
	require.Equal(t, new(uint32(1_700_000_000)), s.CreatedAt)
	require.Equal(t, "getgems_sale", s.Kind.String())
	want := &chain.NFTFixedPrice{
		FullPrice: bigInt(100), MarketplaceFeeAddress: &fee, MarketplaceFee: bigInt(5), RoyaltyAddress: &royalty, RoyaltyAmount: bigInt(7),
	}
	require.Equal(t, want, s.FixedPrice)

	s = detectSale(t, "get_sale_data", 0x46495850, -1, 1_700_000_000, market, item, (*chain.Address)(nil), 100, fee, 5, royalty, 7)
	require.True(t, s.FixedPrice.IsComplete)
	require.Nil(t, s.NFTOwner, "the item is not transferred yet")

	// Version 4 counts fees in thousandths of a percent.
	s = detectSale(t, "get_fix_price_data_v4", 0, 1_700_000_000, market, item, seller, 1_000_000, fee, 5_000, royalty, 7_500, 0, 0, nil)
	want = &chain.NFTFixedPrice{
		FullPrice: bigInt(1_000_000), MarketplaceFeeAddress: &fee, MarketplaceFee: bigInt(50_000),
		RoyaltyAddress: &royalty, RoyaltyAmount: bigInt(75_000),
	}
	require.Equal(t, want, s.FixedPrice)
	require.Nil(t, detectSale(t, "get_sale_data", 0x46495850, 0, 0, market, nil, seller, 100, fee, 5, royalty, 7), "no item")
	require.Nil(t, detectSale(t, "get_sale_data", 0x46495850, 0, 0, market, item, seller, -1, fee, 5, royalty, 7))
}

func TestDetect_AuctionsOfBothVersionsAgree(t *testing.T) {
	t.Parallel()
	market, item, seller, fee, royalty := contracttest.Address("market"), contracttest.Address("item"), contracttest.Address("seller"), contracttest.Address("fee"), contracttest.Address("royalty")
	values := []any{
		0, 1_800_000_000, market, item, seller, 50, contracttest.Address("bidder"), 5, fee, 3, 100, royalty, 4, 200, 1000, 10, 1_700_000_000, 1_750_000_000, -1,
	}
	bidder := contracttest.Address("bidder")
	want := &chain.NFTAuction{
		EndTime: 1_800_000_000, LastBid: bigInt(50), LastMember: &bidder, MinStep: 5, MpFeeAddress: &fee, MpFeeFactor: 3,
		MpFeeBase: 100, RoyaltyFeeAddress: &royalty, RoyaltyFeeFactor: 4, RoyaltyFeeBase: 200, MaxBid: bigInt(1000),
		MinBid: bigInt(10), LastBidAt: 1_750_000_000, IsCanceled: true,
	}
	s := detectSale(t, "get_sale_data", append([]any{0x415543}, values...)...)
	require.Equal(t, chain.AuctionSale, s.Kind)
	require.Equal(t, want, s.Auction)
	require.Equal(t, new(uint32(1_700_000_000)), s.CreatedAt)
	require.Equal(t, []*chain.Address{&market, &item, &seller}, []*chain.Address{s.Marketplace, s.NFT, s.NFTOwner})

	s = detectSale(t, "get_auction_data_v4", append(append([]any{-1}, values...), 300, 0, nil, nil, 0, 5)...)
	require.Equal(t, want, s.Auction)
	require.Equal(t, "getgems_auction", s.Kind.String())
}

func TestDetect_TelemintWithoutAuctionHasItsName(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	bidder, beneficiary := contracttest.Address("bidder"), contracttest.Address("beneficiary")
	methods := map[string]*cell.Cell{
		"get_telemint_token_name":     contracttest.MethodReturning(0, "durov"),
		"get_telemint_auction_state":  contracttest.MethodReturning(0, bidder, 100, 1_700_000_000, 105, 1_800_000_000),
		"get_telemint_auction_config": contracttest.MethodReturning(0, beneficiary, 10, 0, 5, 3600, 604800),
		"royalty_params":              contracttest.MethodReturning(0, 1, 20, contracttest.Address("royalty")),
	}
	st := contracttest.Account("username", methods)
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}, st)
	require.Equal(t, []string{"teleitem"}, facts.Interfaces)
	s := facts.NFTSale
	royalty := contracttest.Address("royalty")
	require.Equal(t, &chain.TelemintAuction{
		TokenName: "durov", Bidder: &bidder, Bid: bigInt(100), BidTS: bigInt(1_700_000_000), MinBid: bigInt(105), EndTime: 1_800_000_000,
		Beneficiary: &beneficiary, InitialMinBid: bigInt(10), MaxBid: bigInt(0), MinBidStep: bigInt(5), MinExtendTime: bigInt(3600),
		Duration: bigInt(604800), RoyaltyNumerator: 1, RoyaltyDenominator: 20, RoyaltyDestination: &royalty,
	}, s.Telemint)
	require.Equal(t, &st.Address, s.NFT)
	require.Equal(t, "telemint", s.Kind.String())
	require.Nil(t, s.NFTOwner)

	// No auction: the methods throw, the name stays.
	methods["get_telemint_auction_state"], methods["get_telemint_auction_config"] = contracttest.Asm("f22a"), contracttest.Asm("f22a")
	s = contracttest.Detect(t, r, contracttest.Snapshot{}, contracttest.Account("username", methods)).NFTSale
	require.NotNil(t, s)
	require.Zero(t, s.Telemint.EndTime)
	require.Zero(t, s.Telemint.Bid.Sign())
	require.Nil(t, s.Telemint.Bidder)
}

// Known is set for the sale and the auction of local chains, by the exact code that is compiled into this program.
func TestDetect_SalesOfTheDevnetAreRecognized(t *testing.T) {
	t.Parallel()
	one := contracts.NFTItem(contracts.NFTMarket(1).Address, 0, contracts.NFTItemCode()).Address
	share := contracts.Royalty{Numerator: 1, Denominator: 20, Destination: one}
	for name, c := range map[string]contracts.Contract{
		"sale":    contracts.NFTSale(contracts.NFTSaleTerms{Marketplace: one, Item: one, Price: 10, FeeAddress: one, RoyaltyTo: one}),
		"auction": contracts.NFTAuction(contracts.NFTAuctionTerms{Marketplace: one, Item: one, Fee: share, Royalty: share}),
	} {
		st := contracttest.Account(name, nil)
		st.Code, st.Data = c.Init.Code, c.Init.Data
		sale := contracttest.Detect(t, newRunner(t), contracttest.Snapshot{}, st).NFTSale
		require.NotNil(t, sale, name)
		require.True(t, sale.Known, name)
	}
}
