package action

import (
	"math/big"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Account returns the destination of the message; nil for a log.
func (b *Block) Account() *chain.Address {
	if b == nil || b.Msg == nil {
		return nil
	}
	return b.Msg.Destination
}

// From returns the source of the message; nil for an external message.
func (b *Block) From() *chain.Address {
	if b == nil || b.Msg == nil {
		return nil
	}
	return b.Msg.Source
}

// Body returns a loader of the message body behind the opcode.
func (b *Block) Body() *contract.Loader {
	l := contract.Load(b.Msg.Body.Cell())
	l.Uint(32)
	return l
}

// NextCall returns the first following block that is a call with the opcode; nil without one.
func (b *Block) NextCall(op uint32) *Block {
	for _, n := range b.Next {
		if n.Calls(op) {
			return n
		}
	}
	return nil
}

// NextLog returns the first following log with the opcode; nil without one.
func (b *Block) NextLog(op uint32) *Block {
	for _, n := range b.Next {
		if n.IsBasic() && n.IsLog() && n.Msg.Opcode != nil && *n.Msg.Opcode == op {
			return n
		}
	}
	return nil
}

// NextOf returns the first following block of an internal type; nil without one.
func (b *Block) NextOf(internal string) *Block {
	for _, n := range b.Next {
		if n.Type == internal && !n.IsLog() {
			return n
		}
	}
	return nil
}

// JettonWallet returns the record of the Jetton wallet that received the message of the block; nil without one.
func (c *Context) JettonWallet(b *Block) *JettonWallet {
	if a := b.Account(); a != nil {
		return c.Records.JettonWallet(*a)
	}
	return nil
}

// NFTItem returns the record of the NFT item that received the message of the block; nil without one.
func (c *Context) NFTItem(b *Block) *NFTItem {
	if a := b.Account(); a != nil {
		return c.Records.NFTItem(*a)
	}
	return nil
}

// BigInt converts an amount.
func BigInt(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// SameAddress reports whether both addresses are set and equal.
func SameAddress(a, b *chain.Address) bool { return a != nil && b != nil && *a == *b }

// MustAddress parses an address in a table of constants; it panics on an error.
func MustAddress(s string) chain.Address {
	a, err := chain.ParseAddress(s)
	if err != nil {
		panic(err) //nolint:forbidigo // constants: found by the first start
	}
	return a
}

// MustHash parses a hash in a table of constants; it panics on an error.
func MustHash(s string) chain.Hash {
	h, err := chain.ParseHash(s)
	if err != nil {
		panic(err) //nolint:forbidigo // constants: found by the first start
	}
	return h
}
