package contracts

import (
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// OpLie makes a liar tell a victim of something that never was.
const OpLie = 0x6c696501

// LiarJettonWallet says it is owner's wallet of a famous Jetton. Its master says otherwise.
//
//	_ maker:MsgAddress balance:Coins owner:MsgAddress master:MsgAddress = Storage;
func LiarJettonWallet(maker, owner, master *address.Address, balance uint64) Contract {
	data := addr(addr(addr(cell.BeginCell(), maker).MustStoreCoins(balance), owner), master)
	return newContract(Basechain, Code(codeLiarWallet), data.EndCell())
}

// LiarNFTItem says it is an item of a famous collection and belongs to its maker. The collection says otherwise.
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

// Malice is how a hostile contract answers every get-method.
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

// Hostile is a contract with the get-methods of every standard, none of which answers well. The salt tells several
// apart.
//
//	_ malice:uint8 salt:uint32 first:(Maybe ^Ballast) second:(Maybe ^Ballast) third:(Maybe ^Ballast) = Storage;
func Hostile(malice Malice, salt uint32) Contract {
	data := cell.BeginCell().MustStoreUInt(uint64(malice), 8).MustStoreUInt(uint64(salt), 32).MustStoreUInt(0, 3)
	return newContract(Basechain, Code(codeHostile), data.EndCell())
}

// Grow puts a chain of full cells into a hostile contract's data, which hold the last three of them. More than 500 are
// deeper than an account may be.
//
//	grow#67726f77 query_id:uint64 cells:uint16 = InternalMsgBody;
func Grow(queryID uint64, cells uint16) *cell.Cell {
	return op(OpGrow, queryID).MustStoreUInt(uint64(cells), 16).EndCell()
}

// Ballast reports whether a hostile contract's data hold all three chains.
func Ballast(data *cell.Cell) bool { return data.RefsNum() == 3 }

// Malices lists the kinds of malice.
func Malices() []Malice {
	list := make([]Malice, maliceCount)
	for i := range list {
		list[i] = Malice(i)
	}
	return list
}
