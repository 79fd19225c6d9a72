package v3

import (
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/resolvers"
)

// comment returns a payload with a text.
func comment(text string) chain.BOC {
	return cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte(text), uint(len(text))*8).EndCell().ToBOC()
}

// power returns 2^n, for amounts above 64 bits.
func power(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

func TestPrintJettons_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	golden(t, "jetton_master", appendJettonMaster(nil, &chain.JettonMaster{
		Address: account(1), TotalSupply: power(100), Mintable: true, Admin: new(account(2)),
		Content:        chain.Content{"uri": "https://a.example/<1>", "decimals": "9", "symbol": "A"},
		WalletCodeHash: hash(3), CodeHash: hash(4), DataHash: hash(5), LastTxLT: 1 << 60,
	}))
	golden(t, "jetton_master_bare", appendJettonMaster(nil, &chain.JettonMaster{
		Address: account(1), TotalSupply: new(big.Int), Content: chain.Content{},
	}))
	wallet := chain.JettonWallet{
		Address: account(1), Balance: power(90), Owner: account(2), Jetton: account(3), CodeHash: new(hash(4)), DataHash: new(hash(5)), LastTxLT: 7,
	}
	golden(t, "jetton_wallet", appendJettonWallet(nil, &wallet))
	wallet.CodeHash, wallet.DataHash = nil, nil
	wallet.Mintless = &chain.MintlessInfo{
		Amount: big.NewInt(5), StartFrom: new(uint64(1_700_000_000)), CustomPayloadAPIs: []string{"https://api.example"},
	}
	golden(t, "jetton_wallet_mintless", appendJettonWallet(nil, &wallet))
}

func TestPrintJettonTransfers_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	golden(t, "jetton_transfer", appendJettonTransfer(nil, &chain.JettonTransfer{
		QueryID: 1 << 63, Source: account(1), Destination: new(account(2)), Amount: power(70), SourceWallet: account(3), Jetton: account(4),
		TxHash: hash(5), TxLT: 6, TxNow: 1_700_000_000, ResponseDestination: new(account(1)), ForwardAmount: big.NewInt(1),
		CustomPayload: emptyCell, ForwardPayload: comment("thanks"), TraceID: new(hash(7)),
	}))
	golden(t, "jetton_transfer_bare", appendJettonTransfer(nil, &chain.JettonTransfer{
		Source: account(1), Amount: new(big.Int), SourceWallet: account(3), Jetton: account(4), TxAborted: true,
	}))
	golden(t, "jetton_burn", appendJettonBurn(nil, &chain.JettonBurn{
		QueryID: 9, Owner: account(1), JettonWallet: account(2), Jetton: account(3), TxHash: hash(4), TxLT: 5, TxNow: 6, TxAborted: true,
		Amount: big.NewInt(7), ResponseDestination: new(account(8)), CustomPayload: comment("bye"),
	}))
	golden(t, "jetton_burn_bare", appendJettonBurn(nil, &chain.JettonBurn{Amount: big.NewInt(7)}))
}

func nftItem() *chain.NFTItem {
	return &chain.NFTItem{
		Address: account(1), Init: true, Index: new(big.Int).Sub(power(256), big.NewInt(1)), Collection: new(account(2)), Owner: new(account(3)),
		Content: chain.Content{"uri": "1.json"}, CodeHash: hash(4), DataHash: hash(5), LastTxLT: 6,
	}
}

func TestPrintNFTs_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	collection := &chain.NFTCollection{
		Address: account(2), Owner: new(account(9)), NextItemIndex: big.NewInt(-1), Content: chain.Content{"name": "C"},
		CodeHash: hash(10), DataHash: hash(11), LastTxLT: 12,
	}
	golden(t, "nft_collection", appendNFTCollection(nil, collection))
	golden(t, "nft_collection_bare", appendNFTCollection(nil, &chain.NFTCollection{NextItemIndex: new(big.Int)}))

	item := nftItem()
	golden(t, "nft_item", appendNFTItem(nil, item))
	item.CollectionInfo = collection
	item.Domain = "alice.ton"
	item.Sale = &chain.NFTSale{
		Kind: chain.FixedPriceSale, Address: account(3), NFTOwner: new(account(7)), Known: true, FixedPrice: &chain.NFTFixedPrice{},
	}
	golden(t, "nft_item_on_sale", appendNFTItem(nil, item))
	item.Sale = &chain.NFTSale{Kind: chain.AuctionSale, Address: account(3), Known: true, Auction: &chain.NFTAuction{}}
	golden(t, "nft_item_on_auction", appendNFTItem(nil, item))
	golden(t, "nft_item_bare", appendNFTItem(nil, &chain.NFTItem{Index: new(big.Int)}))

	golden(t, "nft_transfer", appendNFTTransfer(nil, &chain.NFTTransfer{
		QueryID: 1, NFT: account(1), Collection: new(account(2)), TxHash: hash(3), TxLT: 4, TxNow: 5, OldOwner: account(6), NewOwner: new(account(7)),
		ResponseDestination: new(account(8)), ForwardAmount: big.NewInt(9), ForwardPayload: comment("hi"), TraceID: new(hash(10)),
	}))
	golden(t, "nft_transfer_bare", appendNFTTransfer(nil, &chain.NFTTransfer{TxAborted: true}))
}

func TestPrintNFTSales_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	base := chain.NFTSale{
		Address: account(1), NFT: new(account(2)), NFTOwner: new(account(3)), Marketplace: new(account(4)), CreatedAt: new(uint32(1_700_000_000)),
		CodeHash: hash(5), DataHash: hash(6), LastTxLT: 7,
	}
	fixed, auction, name := base, base, base
	fixed.Kind, fixed.FixedPrice = chain.FixedPriceSale, &chain.NFTFixedPrice{
		IsComplete: true, FullPrice: big.NewInt(10), MarketplaceFeeAddress: new(account(8)), MarketplaceFee: big.NewInt(1),
		RoyaltyAddress: new(account(9)), RoyaltyAmount: big.NewInt(2),
	}
	auction.Kind, auction.Auction = chain.AuctionSale, &chain.NFTAuction{
		End: true, EndTime: 1, LastBid: big.NewInt(2), LastMember: new(account(8)), MinStep: 3, MpFeeAddress: new(account(9)), MpFeeFactor: 4,
		MpFeeBase: 5, RoyaltyFeeAddress: new(account(10)), RoyaltyFeeFactor: 6, RoyaltyFeeBase: 7, MaxBid: big.NewInt(8), MinBid: big.NewInt(9),
		LastBidAt: 10, IsCanceled: true,
	}
	name.Kind, name.Telemint = chain.TelemintSale, &chain.TelemintAuction{
		TokenName: "alice", Bidder: new(account(8)), Bid: big.NewInt(1), BidTS: big.NewInt(2), MinBid: big.NewInt(3), EndTime: 4,
		Beneficiary: new(account(9)), InitialMinBid: big.NewInt(5), MaxBid: big.NewInt(6), MinBidStep: big.NewInt(7),
		MinExtendTime: big.NewInt(8), Duration: big.NewInt(9), RoyaltyNumerator: 10, RoyaltyDenominator: 11, RoyaltyDestination: new(account(10)),
	}
	golden(t, "nft_sale", appendNFTSale(nil, &resolvers.NFTSaleState{NFTSale: fixed, Item: nftItem()}))
	golden(t, "nft_sale_auction", appendNFTSale(nil, &resolvers.NFTSaleState{NFTSale: auction}))
	golden(t, "nft_sale_telemint", appendNFTSale(nil, &resolvers.NFTSaleState{NFTSale: name}))
	golden(t, "nft_sale_bare", appendNFTSale(nil, &resolvers.NFTSaleState{NFTSale: chain.NFTSale{
		Kind: chain.FixedPriceSale, FixedPrice: &chain.NFTFixedPrice{},
	}}))
}

func TestPrintDNSRecords_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	golden(t, "dns_record", appendDNSRecord(nil, &chain.DNSRecord{
		Item: account(1), Owner: new(account(2)), Domain: "alice.ton", NextResolver: new(account(3)), Wallet: new(account(4)),
		SiteADNL: new(hash(0xab)), StorageBag: new(hash(0xcd)), Text: new("never shown"),
	}))
	golden(t, "dns_record_bare", appendDNSRecord(nil, &chain.DNSRecord{Item: account(1), Domain: "b.ton"}))
}

func TestPrintMultisigs_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	order := chain.MultisigOrder{
		Address: account(1), Multisig: account(2), Seqno: power(255), Threshold: new(2), SentForExecution: new(false),
		ApprovalsMask: power(200), ApprovalsNum: new(1), Expiration: new(int64(1_700_000_000)), Order: emptyCell,
		Signers: []chain.Address{account(3), account(4)}, CodeHash: hash(5), DataHash: hash(6), LastTxLT: 7,
	}
	golden(t, "multisig_order", appendOrder(nil, &order))
	golden(t, "multisig_order_new", appendOrder(nil, &chain.MultisigOrder{Address: account(1), Multisig: account(2), Seqno: new(big.Int)}))
	m := chain.Multisig{
		Address: account(2), NextOrderSeqno: big.NewInt(-1), Threshold: 2, Signers: order.Signers, Proposers: []chain.Address{account(8)},
		CodeHash: hash(9), DataHash: hash(10), LastTxLT: 11,
	}
	golden(t, "multisig_without_orders", appendMultisig(nil, &m))
	m.Orders = []chain.MultisigOrder{order, order}
	golden(t, "multisig", appendMultisig(nil, &m))

	order.Actions = []chain.OrderAction{
		{
			Destination: new(account(3)), Value: big.NewInt(5), SendMode: 3, BodyRaw: emptyCell, Parsed: true, BodyType: "ton_transfer",
			Body: []byte(`{"comment":"x","encrypted":false}`),
		},
		{Error: "an action of the unknown kind 0x1", BodyType: "unknown"},
	}
	golden(t, "multisig_order_parsed", appendOrder(nil, &order))
	order.Actions = []chain.OrderAction{}
	require.Contains(t, string(appendOrder(nil, &order)), `"actions":[]`)
}

func TestPrintVesting_EqualsItsGoldenFile(t *testing.T) {
	t.Parallel()
	golden(t, "vesting", appendVesting(nil, &chain.Vesting{
		Address: account(1), StartTime: 1_700_000_000, TotalDuration: 100, UnlockPeriod: 10, CliffDuration: 20, TotalAmount: power(80),
		Sender: account(2), Owner: account(3), Whitelist: []chain.Address{account(4), account(5)},
	}))
}

// Token metadata that is not yet fetched, failed and fetched; one address with two kinds, and another one.
func TestPrintMetadata_EqualsItsGoldenFile(t *testing.T) {
	t.Parallel()
	golden(t, "metadata", appendMetadata(nil, []chain.Metadata{
		{
			Address: account(1), Kind: chain.TokenJettonMaster, Indexed: true, Valid: true, Name: "A <b>", Symbol: "A", Description: "d",
			Image: "https://a.example/a.png", NSFW: new(false), Scam: new(true), FetchedAt: time.Unix(5, 0),
			Extra: map[string]any{
				"decimals": "9", "attributes": []any{map[string]any{"trait_type": "x", "value": json.Number("1.50")}}, "none": nil, "yes": true,
				"odd": json.Number("1,5"),
			},
		},
		{Address: account(1), Kind: chain.TokenNFTCollection, Indexed: true, Error: "the document is too large", Extra: map[string]any{"uri": "x"}},
		{Address: account(2), Kind: chain.TokenNFTItem, NFTIndex: power(99)},
		{
			Address: account(3), Kind: chain.TokenJettonWallet, Indexed: true, Valid: true,
			Extra: map[string]any{"owner": account(4).String(), "jetton": account(1).String(), "balance": "5"},
		},
		{
			Address: account(5), Kind: chain.TokenJettonMaster, Indexed: true, Valid: true, Image: "ipfs://x", Extra: map[string]any{"Z": "1", "a": "2"},
			Images: chain.Images{Small: "https://api.example/small", Medium: "https://api.example/medium", Big: "https://api.example/big"},
		},
	}))
	require.Equal(t, "{}", string(appendMetadata(nil, nil)))
}
