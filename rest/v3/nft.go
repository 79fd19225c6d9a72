package v3

import (
	"math/big"
	"strings"

	"tonql/internal/chain"
	"tonql/resolvers"
)

func nftCollections(c *call) (func() error, error) {
	f := chain.NFTCollectionFilter{Addresses: c.q.Addresses("collection_address"), Owners: c.q.Addresses("owner_address")}
	p := c.cursored(c.byAddress(), chain.NFTCollectionList)
	return func() error {
		rows, err := c.svc.NFTCollections(c.ctx, f, p)
		return listing[chain.NFTCollection]{key: "nft_collections", name: nameNFTCollection, print: appendNFTCollection, metadata: true}.write(c, rows, err)
	}, nil
}

func nameNFTCollection(named *addresses, n *chain.NFTCollection) {
	named.add(&n.Address)
	named.add(n.Owner)
}

func nftItems(c *call) (func() error, error) {
	f := chain.NFTItemFilter{
		Addresses: c.q.Addresses("address"), Owners: c.q.Addresses("owner_address"), Collections: c.q.Addresses("collection_address"),
		Indexes: c.indexes("index"), OnSale: c.q.Bool("include_on_sale", false), ByLastTxLT: c.q.Bool("sort_by_last_transaction_lt", false),
	}
	p := c.cursored(c.byAddress(), chain.NFTItemList)
	if f.ByLastTxLT {
		p.Sort = chain.Descending
	}
	return func() error {
		rows, err := c.svc.NFTItems(c.ctx, f, p)
		return listing[chain.NFTItem]{key: "nft_items", name: nameNFTItem, print: appendNFTItem, metadata: true}.write(c, rows, err)
	}, nil
}

// indexes reads item indexes.
func (c *call) indexes(name string) []*big.Int {
	var list []*big.Int
	for _, text := range c.q.Texts(name) {
		n, ok := new(big.Int).SetString(text, 10)
		if !ok || strings.Trim(text, "0123456789") != "" {
			c.q.Refuse(chain.Invalidf("index should contain digits only"))
			return nil
		}
		list = append(list, n)
	}
	return list
}

func nameNFTItem(named *addresses, n *chain.NFTItem) {
	named.add(&n.Address)
	named.add(n.Collection)
	named.add(n.Owner)
}

func nftTransfers(c *call) (func() error, error) {
	f := chain.NFTTransferFilter{
		Owners: c.ownersOr(), NFTs: c.q.Addresses("item_address"), Collection: c.q.Address("collection_address"),
		Direction: c.transferDirection(), TransferRange: c.transferRange(),
	}
	p := c.cursored(c.page(), chain.NFTTransferList)
	return func() error {
		rows, err := c.svc.NFTTransfers(c.ctx, f, p)
		return listing[chain.NFTTransfer]{key: "nft_transfers", name: nameNFTTransfer, print: appendNFTTransfer, metadata: true}.write(c, rows, err)
	}, nil
}

func nameNFTTransfer(named *addresses, t *chain.NFTTransfer) {
	named.add(&t.NFT)
	named.add(t.Collection)
	named.add(&t.OldOwner)
	named.add(t.NewOwner)
	named.add(t.ResponseDestination)
}

func nftSales(c *call) (func() error, error) {
	addresses := c.q.Addresses("address")
	return func() error {
		rows, err := c.svc.NFTSales(c.ctx, addresses)
		return listing[resolvers.NFTSaleState]{key: "nft_sales", name: nameNFTSale, print: appendNFTSale, metadata: true}.write(c, rows, err)
	}, nil
}

func nameNFTSale(named *addresses, s *resolvers.NFTSaleState) {
	named.add(&s.Address)
	named.add(s.NFT)
	named.add(s.NFTOwner)
	named.add(s.Marketplace)
	if s.Item != nil {
		nameNFTItem(named, s.Item)
	}
	if d := s.FixedPrice; d != nil {
		named.add(d.MarketplaceFeeAddress)
		named.add(d.RoyaltyAddress)
	}
	if d := s.Auction; d != nil {
		named.add(d.LastMember)
		named.add(d.MpFeeAddress)
		named.add(d.RoyaltyFeeAddress)
	}
	if d := s.Telemint; d != nil {
		named.add(d.Bidder)
		named.add(d.Beneficiary)
		named.add(d.RoyaltyDestination)
	}
}
