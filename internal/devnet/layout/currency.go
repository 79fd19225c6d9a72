package layout

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// StoreGrams appends a CurrencyCollection of nanotons only. The local
// chain has no extra currencies; LoadGrams refuses them, so none can slip in.
func StoreGrams(b *cell.Builder, nano *big.Int) {
	if nano == nil {
		nano = new(big.Int)
	}
	b.MustStoreBigCoins(nano).MustStoreBoolBit(false)
}

// LoadGrams reads a CurrencyCollection without extra currencies.
func LoadGrams(s *cell.Slice) (*big.Int, error) {
	nano, err := s.LoadBigCoins()
	if err != nil {
		return nil, err
	}
	extra, err := s.LoadBoolBit()
	if err != nil {
		return nil, err
	}
	if extra {
		return nil, fmt.Errorf("extra currencies are not supported")
	}
	return nano, nil
}

// Sum adds amounts; nil counts as zero.
func Sum(amounts ...*big.Int) *big.Int {
	total := new(big.Int)
	for _, a := range amounts {
		if a != nil {
			total.Add(total, a)
		}
	}
	return total
}

// ValueFlow is where the nanotons of a block came from and went to. Nil is zero.
type ValueFlow struct {
	FromPrev, ToNext, Imported, Exported                  *big.Int
	FeesCollected, FeesImported, Recovered, Created, Mint *big.Int
}

// Check reports an error unless the two sides are equal.
func (v ValueFlow) Check() error {
	in := Sum(v.FromPrev, v.Imported, v.FeesImported, v.Recovered, v.Created, v.Mint)
	out := Sum(v.ToNext, v.Exported, v.FeesCollected)
	if in.Cmp(out) != 0 {
		return fmt.Errorf("value flow does not balance: in %s, out %s", in, out)
	}
	return nil
}

// Cell builds value_flow#b8e48dfb.
func (v ValueFlow) Cell() *cell.Cell {
	moved, fees := cell.BeginCell(), cell.BeginCell()
	for _, a := range []*big.Int{v.FromPrev, v.ToNext, v.Imported, v.Exported} {
		StoreGrams(moved, a)
	}
	for _, a := range []*big.Int{v.FeesImported, v.Recovered, v.Created, v.Mint} {
		StoreGrams(fees, a)
	}
	b := cell.BeginCell().MustStoreUInt(0xb8e48dfb, 32).MustStoreRef(moved.EndCell())
	StoreGrams(b, v.FeesCollected)
	return b.MustStoreRef(fees.EndCell()).EndCell()
}
