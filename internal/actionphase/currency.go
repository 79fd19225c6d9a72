package actionphase

import (
	"errors"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
)

// value is a CurrencyCollection.
type value struct {
	grams *big.Int
	extra map[uint32]*big.Int // those that are zero are left out
}

func zero() value { return value{grams: new(big.Int)} }

func (v value) copied() value {
	out := value{grams: new(big.Int).Set(v.grams)}
	if len(v.extra) > 0 {
		out.extra = make(map[uint32]*big.Int, len(v.extra))
		for id, n := range v.extra {
			out.extra[id] = new(big.Int).Set(n)
		}
	}
	return out
}

func (v value) isZero() bool { return v.grams.Sign() == 0 && len(v.extra) == 0 }

func (v *value) add(w value) {
	v.grams = new(big.Int).Add(v.grams, w.grams)
	for id, n := range w.extra {
		v.set(id, new(big.Int).Add(v.of(id), n))
	}
}

func (v *value) of(id uint32) *big.Int {
	if n := v.extra[id]; n != nil {
		return n
	}
	return new(big.Int)
}

func (v *value) set(id uint32, n *big.Int) {
	if n.Sign() == 0 {
		delete(v.extra, id)
		return
	}
	if v.extra == nil {
		v.extra = map[uint32]*big.Int{}
	}
	v.extra[id] = n
}

// subExtra subtracts extra currencies, or reports that there are too few.
func (v *value) subExtra(w map[uint32]*big.Int) bool {
	for id, n := range w {
		if v.of(id).Cmp(n) < 0 {
			return false
		}
	}
	for id, n := range w {
		v.set(id, new(big.Int).Sub(v.of(id), n))
	}
	return true
}

// sub subtracts w, or reports that there is too little of something.
func (v *value) sub(w value) bool {
	if v.grams.Cmp(w.grams) < 0 || !v.subExtra(w.extra) {
		return false
	}
	v.grams = new(big.Int).Sub(v.grams, w.grams)
	return true
}

var errExtra = errors.New("extra currencies have no valid form")

// entries returns the entries of a dictionary, at most [cellgraph.MaxMessageEntries].
func entries(root *cell.Cell, keyBits uint) ([]cell.DictKV, error) {
	dict, err := cellgraph.Dict(root, keyBits, cellgraph.MaxMessageEntries)
	if err != nil {
		return nil, err
	}
	return dict.LoadAll() //nolint:wrapcheck // the caller names the dictionary
}

// readExtra reads a dictionary of extra currencies: HashmapE 32 (VarUInteger 32). canonical is false if an amount is zero or has leading zeros.
func readExtra(root *cell.Cell) (extra map[uint32]*big.Int, canonical bool, err error) {
	if root == nil {
		return nil, true, nil
	}
	all, err := entries(root, 32)
	if err != nil {
		return nil, false, errExtra
	}
	extra, canonical = make(map[uint32]*big.Int, len(all)), true
	for _, kv := range all {
		key, err := kv.Key.LoadUInt(32)
		if err != nil {
			return nil, false, errExtra
		}
		r := reader{s: kv.Value}
		n, short := r.varUint(5)
		if !r.empty() {
			return nil, false, errExtra
		}
		if n.Sign() == 0 || !short {
			canonical = false
		}
		if n.Sign() != 0 {
			extra[uint32(key)] = n
		}
	}
	return extra, canonical, nil
}

// value reads a CurrencyCollection. canonical is false if an amount is not in its shortest form, or an extra currency is zero.
func (r *reader) value() (v value, extra *cell.Cell, canonical bool) {
	grams, short := r.varUint(4)
	extra = r.maybeRef()
	v = value{grams: grams}
	if r.err != nil {
		return v, nil, false
	}
	currencies, all, err := readExtra(extra)
	if err != nil {
		r.err = err
		return v, nil, false
	}
	v.extra = currencies
	return v, extra, short && all
}

func (v value) store(b *cell.Builder) error {
	if err := b.StoreBigCoins(v.grams); err != nil {
		return err //nolint:wrapcheck // the amount is too large, which the caller names
	}
	dict, err := v.dict()
	if err != nil {
		return err
	}
	return b.StoreMaybeRef(dict) //nolint:wrapcheck // no room, which the caller names
}

// dict returns the extra currencies as a dictionary, nil for none.
func (v value) dict() (*cell.Cell, error) {
	if len(v.extra) == 0 {
		return nil, nil
	}
	dict := cell.NewDict(32)
	for id, n := range v.extra {
		amount, err := storeAmount(n)
		if err != nil {
			return nil, err
		}
		if err := dict.SetIntKey(new(big.Int).SetUint64(uint64(id)), amount); err != nil {
			return nil, errExtra
		}
	}
	return dict.AsCell(), nil
}
