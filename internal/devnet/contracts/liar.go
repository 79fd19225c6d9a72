package contracts

import (
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// OpLie makes a liar send a victim a false notification.
const OpLie = 0x6c696501

// LiarJettonWallet claims to be owner's wallet of a well-known Jetton. The Jetton's master returns another address.
//
//	_ maker:MsgAddress balance:Coins owner:MsgAddress master:MsgAddress = Storage;
func LiarJettonWallet(maker, owner, master *address.Address, balance uint64) Contract {
	data := addr(addr(addr(cell.BeginCell(), maker).MustStoreCoins(balance), owner), master)
	return newContract(Basechain, Code(codeLiarWallet), data.EndCell())
}

// LiarNFTItem claims to be an item of a well-known collection, owned by its maker. The collection returns another
// address.
//
//	_ maker:MsgAddress index:uint64 collection:MsgAddress content:^Cell = Storage;
func LiarNFTItem(maker, collection *address.Address, index uint64) Contract {
	data := addr(addr(cell.BeginCell(), maker).MustStoreUInt(index, 64), collection).MustStoreRef(itemContent("0.json"))
	return newContract(Basechain, Code(codeLiarItem), data.EndCell())
}

// Lie is the maker's order to a liar.
//
//	lie#6c696501 query_id:uint64 victim:MsgAddress = InternalMsgBody;
func Lie(queryID uint64, victim *address.Address) *cell.Cell {
	return addr(op(OpLie, queryID), victim).EndCell()
}

// Malice is the behavior of a hostile contract's get-methods.
type Malice uint8

// The kinds of malice.
const (
	Throws Malice = iota
	Loops
	GiantTuple  // 255 tuples of 255 numbers
	NestedTuple // 500 tuples, one in another
	DeepCell    // 400 cells, one below another
	WrongTypes
	maliceCount
)

// OpGrow makes a hostile contract's data larger.
const OpGrow = 0x67726f77

// Hostile returns a contract with the get-methods of every standard, all of which misbehave. The salt makes contracts of
// the same malice distinct.
//
//	_ malice:uint8 salt:uint32 first:(Maybe ^Ballast) second:(Maybe ^Ballast) third:(Maybe ^Ballast) = Storage;
func Hostile(malice Malice, salt uint32) Contract {
	data := cell.BeginCell().MustStoreUInt(uint64(malice), 8).MustStoreUInt(uint64(salt), 32).MustStoreUInt(0, 3)
	return newContract(Basechain, Code(codeHostile), data.EndCell())
}

// Grow adds a chain of full cells to a hostile contract's data, which contain the last three chains. More than 500 cells
// are deeper than an account may be.
//
//	grow#67726f77 query_id:uint64 cells:uint16 = InternalMsgBody;
func Grow(queryID uint64, cells uint16) *cell.Cell {
	return op(OpGrow, queryID).MustStoreUInt(uint64(cells), 16).EndCell()
}

// Ballast reports whether a hostile contract's data contain all three chains.
func Ballast(data *cell.Cell) bool { return data.RefsNum() == 3 }

// Malices returns all kinds of malice.
func Malices() []Malice {
	list := make([]Malice, maliceCount)
	for i := range list {
		list[i] = Malice(i)
	}
	return list
}
