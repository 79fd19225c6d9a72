package recording

import (
	"encoding/json"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// account are the records of one account in a file.
type account struct {
	Wallet *struct {
		Owner  chain.Address `json:"owner"`
		Jetton chain.Address `json:"jetton"`
	} `json:"JettonWallet"`
	Item *struct {
		Index      string                     `json:"index"`
		Collection *chain.Address             `json:"collection_address"`
		Owner      *chain.Address             `json:"owner_address"`
		Content    map[string]json.RawMessage `json:"content"`
	} `json:"NftItem"`
	Sale *struct {
		Marketplace *chain.Address `json:"marketplace_address"`
		Item        *chain.Address `json:"nft_address"`
		Owner       *chain.Address `json:"nft_owner_address"`
		FullPrice   string         `json:"full_price"`
	} `json:"NftSale"`
	Auction *struct {
		Marketplace *chain.Address `json:"mp_addr"`
		Item        *chain.Address `json:"nft_addr"`
		Owner       *chain.Address `json:"nft_owner"`
		LastBid     string         `json:"last_bid"`
	} `json:"NftAuction"`
	DedustPool *struct {
		Assets []struct {
			IsTon   bool           `json:"is_ton"`
			Address *chain.Address `json:"address"`
		} `json:"assets"`
	} `json:"DedustPool"`
	Data *struct {
		Pool       *chain.Address `json:"pool"`
		LockWallet *chain.Address `json:"lock_wallet_address"`
	} `json:"data_boc"`
}

// Records are the contract records of a file.
type Records struct{ accounts map[string]account }

func newRecords(m map[string]account) *Records { return &Records{accounts: m} }

// JettonWallet implements action.Records.
func (r *Records) JettonWallet(a chain.Address) *action.JettonWallet {
	w := r.accounts[a.String()].Wallet
	if w == nil {
		return nil
	}
	return &action.JettonWallet{Owner: w.Owner, Jetton: w.Jetton}
}

// NFTItem implements action.Records.
func (r *Records) NFTItem(a chain.Address) *action.NFTItem {
	i := r.accounts[a.String()].Item
	if i == nil {
		return nil
	}
	item := &action.NFTItem{Index: number(i.Index), Collection: i.Collection, Owner: i.Owner}
	if err := json.Unmarshal(i.Content["uri"], &item.URI); err != nil {
		item.URI = "" // content without a link
	}
	return item
}

// NFTSale implements action.Records.
func (r *Records) NFTSale(a chain.Address) *action.NFTSale {
	s := r.accounts[a.String()].Sale
	if s == nil {
		return nil
	}
	return &action.NFTSale{Marketplace: s.Marketplace, Item: s.Item, Owner: s.Owner, FullPrice: number(s.FullPrice)}
}

// NFTAuction implements action.Records.
func (r *Records) NFTAuction(a chain.Address) *action.NFTAuction {
	s := r.accounts[a.String()].Auction
	if s == nil {
		return nil
	}
	return &action.NFTAuction{Marketplace: s.Marketplace, Item: s.Item, Owner: s.Owner, LastBid: number(s.LastBid)}
}

// MultisigOrder implements action.Records. Files have no orders.
func (r *Records) MultisigOrder(chain.Address) *action.MultisigOrder { return nil }

// NominatorPool implements action.Records. Files have no code hashes.
func (r *Records) NominatorPool(chain.Address) bool { return false }

// JVaultPool implements action.Records.
func (r *Records) JVaultPool(a chain.Address) *chain.Address {
	if d := r.accounts[a.String()].Data; d != nil {
		return d.Pool
	}
	return nil
}

// JVaultLockWallet implements action.Records.
func (r *Records) JVaultLockWallet(a chain.Address) *chain.Address {
	if d := r.accounts[a.String()].Data; d != nil {
		return d.LockWallet
	}
	return nil
}

// DedustPool implements action.Records.
func (r *Records) DedustPool(a chain.Address) *action.DedustPool {
	p := r.accounts[a.String()].DedustPool
	if p == nil || len(p.Assets) != 2 {
		return nil
	}
	pool := &action.DedustPool{}
	for i, asset := range p.Assets {
		if !asset.IsTon {
			pool.Assets[i] = asset.Address
		}
	}
	return pool
}
