package action

import (
	"math/big"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// account is where the block's message went; nil for a log.
func (b *Block) account() *chain.Address {
	if b == nil || b.Msg == nil {
		return nil
	}
	return b.Msg.Destination
}

// from is who sent the block's message.
func (b *Block) from() *chain.Address {
	if b == nil || b.Msg == nil {
		return nil
	}
	return b.Msg.Source
}

// body starts reading a block's message behind its opcode.
func (b *Block) body() *contract.Loader {
	l := contract.Load(b.Msg.Body)
	l.Uint(32)
	return l
}

// wallet is the Jetton wallet that the block's message went to.
func (c *Context) wallet(b *Block) *JettonWallet {
	if a := b.account(); a != nil {
		return c.Records.JettonWallet(*a)
	}
	return nil
}

// item is the NFT item that the block's message went to.
func (c *Context) item(b *Block) *NFTItem {
	if a := b.account(); a != nil {
		return c.Records.NFTItem(*a)
	}
	return nil
}

// addr prints an address that is there.
func addr(a chain.Address) string { return a.String() }

// coins makes an amount of a number.
func coins(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

func same(a, b *chain.Address) bool { return a != nil && b != nil && *a == *b }

// mustAddress reads an address of our own tables.
func mustAddress(s string) chain.Address {
	a, err := chain.ParseAddress(s)
	if err != nil {
		panic(err) //nolint:forbidigo // our own tables: found by the first start
	}
	return a
}

// mustHash reads a hash of our own tables.
func mustHash(s string) chain.Hash {
	h, err := chain.ParseHash(s)
	if err != nil {
		panic(err) //nolint:forbidigo // our own tables: found by the first start
	}
	return h
}
