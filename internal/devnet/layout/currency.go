package layout

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Currencies is a CurrencyCollection. Nil amounts are zero; Extra has no other zeros.
type Currencies struct {
	Nano  *big.Int
	Extra map[uint32]*big.Int // amounts by currency id
}

// Nano returns a collection of nanotons only.
func Nano(n *big.Int) Currencies { return Currencies{Nano: n} }

// Store appends the collection.
//
//	extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
//	currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
func (c Currencies) Store(b *cell.Builder) {
	nano := c.Nano
	if nano == nil {
		nano = new(big.Int)
	}
	b.MustStoreBigCoins(nano).MustStoreMaybeRef(c.ExtraCell())
}

// ExtraCell returns the root of the dictionary of extra currencies; nil when there are none.
func (c Currencies) ExtraCell() *cell.Cell {
	dict := cell.NewDict(32)
	for _, id := range slices.Sorted(maps.Keys(c.Extra)) {
		key := cell.BeginCell().MustStoreUInt(uint64(id), 32).EndCell()
		_ = dict.Set(key, cell.BeginCell().MustStoreBigVarUInt(c.Extra[id], 32).EndCell()) // the key has the size of the dictionary's
	}
	if dict.IsEmpty() {
		return nil
	}
	return dict.AsCell()
}

// LoadCurrencies reads a CurrencyCollection.
func LoadCurrencies(s *cell.Slice) (c Currencies, err error) {
	if c.Nano, err = s.LoadBigCoins(); err != nil {
		return c, err
	}
	c.Extra, err = LoadExtra(s)
	return c, err
}

// LoadExtra reads an ExtraCurrencyCollection; it returns nil for none.
func LoadExtra(s *cell.Slice) (map[uint32]*big.Int, error) {
	dict, err := s.LoadDict(32)
	if err != nil {
		return nil, err
	}
	kvs, err := dict.LoadAll()
	if err != nil || len(kvs) == 0 {
		return nil, err
	}
	extra := make(map[uint32]*big.Int, len(kvs))
	for _, kv := range kvs {
		id, err := kv.Key.LoadUInt(32)
		if err != nil {
			return nil, err
		}
		n, err := kv.Value.LoadVarUInt(32)
		if err != nil {
			return nil, err
		}
		if n.Sign() > 0 {
			extra[uint32(id)] = n
		}
	}
	return extra, nil
}

// Total adds collections.
func Total(list ...Currencies) Currencies {
	sum := Currencies{Nano: new(big.Int)}
	for _, c := range list {
		if c.Nano != nil {
			sum.Nano.Add(sum.Nano, c.Nano)
		}
		for id, n := range c.Extra {
			if sum.Extra == nil {
				sum.Extra = map[uint32]*big.Int{}
			}
			sum.Extra[id] = Sum(sum.Extra[id], n)
		}
	}
	return sum
}

// Equal reports whether all amounts are equal.
func (c Currencies) Equal(other Currencies) bool {
	return Sum(c.Nano).Cmp(Sum(other.Nano)) == 0 && maps.EqualFunc(c.Extra, other.Extra, func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
}

// String returns the amounts, nanotons first.
func (c Currencies) String() string {
	parts := []string{Sum(c.Nano).String()}
	for _, id := range slices.Sorted(maps.Keys(c.Extra)) {
		parts = append(parts, fmt.Sprintf("%s of %d", c.Extra[id], id))
	}
	return strings.Join(parts, " + ")
}

// StoreGrams appends a CurrencyCollection of nanotons only.
func StoreGrams(b *cell.Builder, nano *big.Int) { Nano(nano).Store(b) }

// LoadGrams reads a CurrencyCollection that has no extra currencies, as fees.
func LoadGrams(s *cell.Slice) (*big.Int, error) {
	c, err := LoadCurrencies(s)
	if err != nil {
		return nil, err
	}
	if len(c.Extra) > 0 {
		return nil, fmt.Errorf("extra currencies where only coins are possible")
	}
	return c.Nano, nil
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

// ValueFlow is where the coins and currencies of a block came from and went to. Fees and rewards are coins; nil is zero.
type ValueFlow struct {
	FromPrev, ToNext, Imported, Exported, Minted    Currencies
	FeesCollected, FeesImported, Recovered, Created *big.Int
}

// Check reports an error unless the two sides are equal.
func (v ValueFlow) Check() error {
	in := Total(v.FromPrev, v.Imported, v.Minted, Nano(Sum(v.FeesImported, v.Recovered, v.Created)))
	out := Total(v.ToNext, v.Exported, Nano(v.FeesCollected))
	if !in.Equal(out) {
		return fmt.Errorf("value flow does not balance: in %s, out %s", in, out)
	}
	return nil
}

// Cell builds value_flow#b8e48dfb.
func (v ValueFlow) Cell() *cell.Cell {
	moved, fees := cell.BeginCell(), cell.BeginCell()
	for _, c := range []Currencies{v.FromPrev, v.ToNext, v.Imported, v.Exported} {
		c.Store(moved)
	}
	for _, c := range []Currencies{Nano(v.FeesImported), Nano(v.Recovered), Nano(v.Created), v.Minted} {
		c.Store(fees)
	}
	b := cell.BeginCell().MustStoreUInt(0xb8e48dfb, 32).MustStoreRef(moved.EndCell())
	StoreGrams(b, v.FeesCollected)
	return b.MustStoreRef(fees.EndCell()).EndCell()
}
