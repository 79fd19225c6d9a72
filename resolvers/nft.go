package resolvers

import (
	"context"
	"math/big"

	"tonql/internal/chain"
)

// maxIndexBits is the width of an item's index; a longer number is nobody's.
const maxIndexBits = 256

// NFTSaleState is a sale contract and the item it sells.
type NFTSaleState struct {
	chain.NFTSale
	Item *chain.NFTItem // nil when the contract names none that is genuine
}

// NFTCollections lists collections by address, ascending unless p says otherwise.
func (s *Service) NFTCollections(ctx context.Context, f chain.NFTCollectionFilter, p chain.Page) ([]chain.NFTCollection, error) {
	p, err := s.lists(p, list{"collection_address", len(f.Addresses)}, list{"owner_address", len(f.Owners)})
	if err != nil {
		return nil, err
	}
	return s.index.NFTCollections(ctx, f, p)
}

// NFTItems lists genuine items with their collection and the sale that holds them.
func (s *Service) NFTItems(ctx context.Context, f chain.NFTItemFilter, p chain.Page) ([]chain.NFTItem, error) {
	p, err := s.lists(p, list{"address", len(f.Addresses)}, list{"owner_address", len(f.Owners)},
		list{"collection_address", len(f.Collections)}, list{"index", len(f.Indexes)})
	if err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if len(f.Indexes) > 0 {
		if f.Indexes = possibleIndexes(f.Indexes); len(f.Indexes) == 0 {
			return nil, nil
		}
	}
	return s.index.NFTItems(ctx, f, p)
}

// possibleIndexes leaves out numbers that no item can have.
func possibleIndexes(indexes []*big.Int) []*big.Int {
	possible := make([]*big.Int, 0, len(indexes))
	for _, n := range indexes {
		if n.Sign() >= 0 && n.BitLen() <= maxIndexBits {
			possible = append(possible, n)
		}
	}
	return possible
}

// NFTTraits returns the traits of the items of a collection by name.
func (s *Service) NFTTraits(ctx context.Context, collection chain.Address) ([]chain.TraitCounts, error) {
	return s.index.TraitCounts(ctx, collection)
}

// NFTTransfers lists transfers of items, aborted ones included, newest first unless p says otherwise.
func (s *Service) NFTTransfers(ctx context.Context, f chain.NFTTransferFilter, p chain.Page) ([]chain.NFTTransfer, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.nftTransfers(ctx, f, p)
}

func (s *Service) nftTransfers(ctx context.Context, f chain.NFTTransferFilter, p chain.Page) ([]chain.NFTTransfer, error) {
	err := s.checkLists([]list{{"owner_address", len(f.Owners)}, {"item_address", len(f.NFTs)}})
	if err != nil || emptyRange(&f.TransferRange) {
		return nil, err
	}
	rows, err := s.index.NFTTransfers(ctx, f, p)
	return listed(ctx, s, rows, err, f.EndLT, f.EndUtime)
}

// maxSales is the largest number of sale contracts in one request.
const maxSales = 1000

// NFTSales finds sale contracts by address, each with the item it sells; addresses of other contracts are left out.
func (s *Service) NFTSales(ctx context.Context, addresses []chain.Address) ([]NFTSaleState, error) {
	if len(addresses) == 0 {
		return nil, chain.Invalidf("at least 1 address required")
	}
	if len(addresses) > maxSales {
		return nil, chain.Invalidf("maximum %d addresses allowed", maxSales)
	}
	rows, err := s.index.NFTSales(ctx, addresses)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	items, err := s.soldItems(ctx, rows)
	if err != nil {
		return nil, err
	}
	sales := make([]NFTSaleState, len(rows))
	for i := range rows {
		sales[i].NFTSale = rows[i]
		if nft := rows[i].NFT; nft != nil {
			sales[i].Item = items[*nft]
		}
	}
	return sales, nil
}

// soldItems reads the items that sales name, by address.
func (s *Service) soldItems(ctx context.Context, sales []chain.NFTSale) (map[chain.Address]*chain.NFTItem, error) {
	items := make(map[chain.Address]*chain.NFTItem, len(sales))
	var named []chain.Address
	for i := range sales {
		if nft := sales[i].NFT; nft != nil {
			if _, again := items[*nft]; !again {
				items[*nft] = nil
				named = append(named, *nft)
			}
		}
	}
	if len(named) == 0 {
		return items, nil
	}
	rows, err := s.index.NFTItems(ctx, chain.NFTItemFilter{Addresses: named}, chain.Page{Limit: len(named), Sort: chain.Ascending})
	for i := range rows {
		items[rows[i].Address] = &rows[i]
	}
	return items, err
}
