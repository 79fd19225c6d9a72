package chain

import (
	"math/big"
	"slices"
	"strconv"
)

// Coins is an amount of the native coin in nanotons. The total supply fits 63 bits, so it is stored as a bigint.
type Coins uint64

// String is the decimal number of nanotons.
func (c Coins) String() string { return strconv.FormatUint(uint64(c), 10) }

// ExtraCurrencies maps a currency id to its amount (ExtraCurrencyCollection); nil when there are none.
type ExtraCurrencies map[uint32]*big.Int

// ExtraCurrency is an amount of one extra currency; negative for a decrease.
type ExtraCurrency struct {
	ID     uint32
	Amount *big.Int
}

// List returns the amounts by currency id, ascending; never nil.
func (e ExtraCurrencies) List() []ExtraCurrency {
	list := make([]ExtraCurrency, 0, len(e))
	for _, id := range e.IDs() {
		list = append(list, ExtraCurrency{ID: id, Amount: e[id]})
	}
	return list
}

// IDs lists the currency ids in ascending order, so that printing is deterministic.
func (e ExtraCurrencies) IDs() []uint32 {
	ids := make([]uint32, 0, len(e))
	for id := range e {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// BOC is a serialized bag of cells.
type BOC []byte
