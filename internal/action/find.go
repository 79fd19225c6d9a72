package action

import (
	"math/big"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Account is where the block's message went; nil for a log.
func (b *Block) Account() *chain.Address {
	if b == nil || b.Msg == nil {
		return nil
	}
	return b.Msg.Destination
}

// From is who sent the block's message.
func (b *Block) From() *chain.Address {
	if b == nil || b.Msg == nil {
		return nil
	}
	return b.Msg.Source
}

// Body starts reading a block's message behind its opcode.
func (b *Block) Body() *contract.Loader {
	l := contract.Load(b.Msg.Body)
	l.Uint(32)
	return l
}

// NextCall is the first call with the opcode among the blocks that follow b.
func (b *Block) NextCall(op uint32) *Block {
	for _, n := range b.Next {
		if n.Calls(op) {
			return n
		}
	}
	return nil
}

// NextLog is the first log with the opcode among the blocks that follow b.
func (b *Block) NextLog(op uint32) *Block {
	for _, n := range b.Next {
		if n.IsBasic() && n.IsLog() && n.Msg.Opcode != nil && *n.Msg.Opcode == op {
			return n
		}
	}
	return nil
}

// NextOf is the first block of an internal type that follows b.
func (b *Block) NextOf(internal string) *Block {
	for _, n := range b.Next {
		if n.Type == internal && !n.IsLog() {
			return n
		}
	}
	return nil
}

// JettonWallet is the Jetton wallet that the block's message went to.
func (c *Context) JettonWallet(b *Block) *JettonWallet {
	if a := b.Account(); a != nil {
		return c.Records.JettonWallet(*a)
	}
	return nil
}

// NFTItem is the NFT item that the block's message went to.
func (c *Context) NFTItem(b *Block) *NFTItem {
	if a := b.Account(); a != nil {
		return c.Records.NFTItem(*a)
	}
	return nil
}

// BigInt makes an amount of a number.
func BigInt(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

func SameAddress(a, b *chain.Address) bool { return a != nil && b != nil && *a == *b }

// MustAddress reads an address of our own tables.
func MustAddress(s string) chain.Address {
	a, err := chain.ParseAddress(s)
	if err != nil {
		panic(err) //nolint:forbidigo // our own tables: found by the first start
	}
	return a
}

// MustHash reads a hash of our own tables.
func MustHash(s string) chain.Hash {
	h, err := chain.ParseHash(s)
	if err != nil {
		panic(err) //nolint:forbidigo // our own tables: found by the first start
	}
	return h
}
