package nft

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

func init() {
	contract.Register(contract.Family{Name: "nft", Detect: detect})
}

func detect(ctx context.Context, p *contract.Probe) error {
	if p.Has("get_collection_data", "get_nft_address_by_index") {
		if err := detectCollection(ctx, p); err != nil {
			return err
		}
	}
	if p.Has("get_nft_data") {
		if err := detectItem(ctx, p); err != nil {
			return err
		}
	}
	return detectSale(ctx, p)
}

func detectCollection(ctx context.Context, p *contract.Probe) error {
	r, err := p.Run(ctx, "get_collection_data")
	if err != nil {
		return err
	}
	c := &chain.NFTCollection{
		Address: p.State.Address, NextItemIndex: r.Int(), CodeHash: p.CodeHash, DataHash: p.DataHash,
		LastTxLT: p.State.LastTxLT,
	}
	full := r.Cell()
	c.Owner = r.Address()
	if r.Err() != nil {
		return nil //nolint:nilerr // a failing get-method means that it is no collection
	}
	c.Content = readContent(p, full)
	p.Facts.NFTCollection = c
	return nil
}

func detectItem(ctx context.Context, p *contract.Probe) error {
	r, err := p.Run(ctx, "get_nft_data")
	if err != nil {
		return err
	}
	item := &chain.NFTItem{
		Address: p.State.Address, Init: r.Bool(), Index: r.Unsigned(256), Collection: r.AddressOrNone(), Owner: r.Address(),
		CodeHash: p.CodeHash, DataHash: p.DataHash, LastTxLT: p.State.LastTxLT,
	}
	individual := r.CellOrNull()
	if r.Err() != nil {
		return nil //nolint:nilerr // a failing get-method means that it is no item
	}
	if item.Collection != nil {
		ok, err := p.Confirm(ctx, *item.Collection, "get_nft_address_by_index", item.Index)
		if err != nil || !ok {
			return err
		}
	}
	if item.Content, err = itemContent(ctx, p, item, individual); err != nil {
		return err
	}
	if item.SBT, err = soulBound(ctx, p); err != nil {
		return err
	}
	p.Facts.NFTItem = item
	return nil
}

// itemContent calls the collection to complete the item's content; an item without a collection carries all of it.
func itemContent(ctx context.Context, p *contract.Probe, item *chain.NFTItem, individual *cell.Cell) (chain.Content, error) {
	if individual == nil || !item.Init {
		return chain.Content{}, nil
	}
	if item.Collection == nil {
		return readContent(p, individual), nil
	}
	collection, err := p.Other(ctx, *item.Collection)
	if err != nil {
		return nil, err
	}
	r, err := p.RunOn(ctx, collection, "get_nft_content", item.Index, individual)
	if err != nil {
		return nil, err
	}
	full := r.Cell()
	if r.Err() != nil {
		return chain.Content{}, nil //nolint:nilerr // an item whose collection fails has no content
	}
	return readContent(p, full), nil
}

// readContent reads content for the gas of the detection.
func readContent(p *contract.Probe, c *cell.Cell) chain.Content {
	found, gas := content.ReadFor(c, p.GasLeft())
	p.Pay(gas)
	return found
}

func soulBound(ctx context.Context, p *contract.Probe) (*chain.SBT, error) {
	if !p.Has("get_authority_address") {
		return nil, nil
	}
	r, err := p.Run(ctx, "get_authority_address")
	if err != nil {
		return nil, err
	}
	sbt := &chain.SBT{Authority: r.Address()}
	if r.Err() != nil {
		return nil, nil //nolint:nilerr // not what TEP-85 means by the name
	}
	if p.Has("get_revoked_time") {
		if r, err = p.Run(ctx, "get_revoked_time"); err != nil {
			return nil, err
		}
		sbt.RevokedAt = r.Uint64(64)
	}
	return sbt, nil
}
