package emulate

import (
	"context"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
	"tonql/internal/contract/dns"
)

// TokenKind is the kind of a token contract.
type TokenKind string

// The kinds, by their published names.
const (
	JettonMaster  TokenKind = "jetton_master"
	JettonWallet  TokenKind = "jetton_wallet"
	NFTCollection TokenKind = "nft_collection"
	NFTItem       TokenKind = "nft_item"
)

// TokenData is the state of a token contract by its get-methods. The parent contract has confirmed wallets and items.
type TokenData struct {
	Kind       TokenKind
	Amount     *big.Int       // supply, balance, next index, index
	Flag       bool           // of a master: mintable; of an item: initialized
	Owner      *chain.Address // of a master: the admin
	Parent     *chain.Address // master of a wallet, collection of an item
	Claimed    *bool          // mintless Jetton wallets only
	WalletCode *cell.Cell
	Content    *TokenContent // nil for Jetton wallets
}

// TokenContent describes a token. A domain has records instead of attributes.
type TokenContent struct {
	OnChain    bool
	Attributes chain.Content
	Domain     *string // with its zone; empty when the item does not return it
	Records    []chain.DNSEntry
}

// TokenData calls the get-methods of each kind of token contract; nil when the contract is no token.
func (x *Emulator) TokenData(ctx context.Context, a chain.Address, seqno *uint32) (*TokenData, error) {
	v, err := x.At(ctx, seqno)
	if err != nil {
		return nil, err
	}
	c := &methodCaller{Emulator: x, ctx: ctx, view: v}
	for _, kind := range []func(chain.Address) (*TokenData, error){c.jettonMaster, c.jettonWallet, c.collection, c.item} {
		t, err := kind(a)
		if err != nil || t != nil {
			return t, err
		}
	}
	return nil, nil
}

// amountBits is the largest size of an amount in bits.
const amountBits = 256

func (c *methodCaller) jettonMaster(a chain.Address) (*TokenData, error) {
	r, err := c.call(a, "get_jetton_data")
	if err != nil || r == nil {
		return nil, err
	}
	t := &TokenData{Kind: JettonMaster, Amount: r.Unsigned(amountBits), Flag: r.Bool(), Owner: r.Address()}
	full := r.Cell()
	t.WalletCode = r.Cell()
	return t.described(r, full), nil
}

func (c *methodCaller) jettonWallet(a chain.Address) (*TokenData, error) {
	r, err := c.call(a, "get_wallet_data")
	if err != nil || r == nil {
		return nil, err
	}
	t := &TokenData{Kind: JettonWallet, Amount: r.Unsigned(amountBits), Owner: r.Address(), Parent: r.Address(), WalletCode: r.Cell()}
	if r.Err() != nil || t.Owner == nil || t.Parent == nil {
		return nil, nil
	}
	if ok, err := c.names(a, *t.Parent, "get_wallet_address", *t.Owner); !ok {
		return nil, err
	}
	if r, err = c.call(a, "is_claimed"); err != nil || r == nil {
		return t, err
	}
	if claimed := r.Bool(); r.Err() == nil {
		t.Claimed = &claimed
	}
	return t, nil
}

func (c *methodCaller) collection(a chain.Address) (*TokenData, error) {
	r, err := c.call(a, "get_collection_data")
	if err != nil || r == nil {
		return nil, err
	}
	t := &TokenData{Kind: NFTCollection, Amount: r.Int()}
	full := r.Cell()
	t.Owner = r.Address()
	return t.described(r, full), nil
}

func (c *methodCaller) item(a chain.Address) (*TokenData, error) {
	r, err := c.call(a, "get_nft_data")
	if err != nil || r == nil {
		return nil, err
	}
	t := &TokenData{Kind: NFTItem, Flag: r.Bool(), Amount: r.Unsigned(amountBits), Parent: r.AddressOrNone(), Owner: r.Address()}
	own := r.CellOrNull()
	if r.Err() != nil {
		return nil, nil
	}
	if t.Parent == nil {
		return t.described(r, own), nil
	}
	if ok, err := c.names(a, *t.Parent, "get_nft_address_by_index", t.Amount); !ok {
		return nil, err
	}
	if t.Content, err = c.domain(a); err != nil || t.Content != nil {
		return t, err
	}
	if own == nil { // the item has not been bought yet
		return t.described(r, nil), nil
	}
	if r, err = c.call(*t.Parent, "get_nft_content", t.Amount, own); err != nil || r == nil {
		return nil, err
	}
	return t.described(r, r.Cell()), nil
}

// described adds content; nil when the result does not match the standard of the kind.
func (t *TokenData) described(r *contract.Reader, full *cell.Cell) *TokenData {
	if r.Err() != nil {
		return nil
	}
	t.Content = &TokenContent{OnChain: content.OnChain(full), Attributes: content.Read(full)}
	return t
}

// names reports whether another contract computes the address a.
func (c *methodCaller) names(a, other chain.Address, method string, args ...any) (bool, error) {
	r, err := c.call(other, method, args...)
	if err != nil || r == nil {
		return false, err
	}
	computed := r.NeedAddress()
	return r.Err() == nil && computed == a, nil
}

// domain returns the content of an item that is a domain; nil for any other item.
func (c *methodCaller) domain(a chain.Address) (*TokenContent, error) {
	self := cell.BeginCell().MustStoreUInt(0, 8).ToSlice()
	r, err := c.call(a, "dnsresolve", self, int64(0))
	if err != nil || r == nil {
		return nil, err
	}
	r.Skip(1) // the number of resolved bits
	records := r.CellOrNull()
	if r.Err() != nil || records == nil {
		return nil, nil
	}
	d := &TokenContent{OnChain: true, Domain: new(""), Records: dns.Entries(records)}
	if r, err = c.call(a, "get_domain"); err != nil || r == nil {
		return d, err
	}
	if label := content.SliceText(r.Slice()); r.Err() == nil {
		*d.Domain = label + ".ton"
	}
	return d, nil
}
