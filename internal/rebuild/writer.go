package rebuild

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// writer writes one cell. It stores its first error; after that every write does nothing.
type writer struct {
	b   cell.Builder
	err error
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// uint writes an unsigned number, which must fit.
func (w *writer) uint(v uint64, bits uint) {
	if v>>bits != 0 { // never for 64 bits
		w.fail(errRow)
	}
	if w.err == nil {
		w.fail(w.b.StoreUInt(v, bits))
	}
}

func (w *writer) bit(v bool) {
	if v {
		w.uint(1, 1)
	} else {
		w.uint(0, 1)
	}
}

func (w *writer) hash(h *chain.Hash) {
	if w.err == nil {
		w.fail(w.b.StoreSlice(h[:], 256))
	}
}

// ref writes a reference. A missing cell is an error.
func (w *writer) ref(c *cell.Cell) {
	if w.err == nil && c == nil {
		w.err = errNoCell
	}
	if w.err == nil {
		w.fail(w.b.StoreRef(c))
	}
}

// maybeRef writes (Maybe ^X), which is the form of every HashmapE, too.
func (w *writer) maybeRef(c *cell.Cell) {
	w.bit(c != nil)
	if c != nil {
		w.ref(c)
	}
}

// varUint writes VarUInteger n.
func (w *writer) varUint(v uint64, n uint) {
	if w.err == nil {
		w.fail(w.b.StoreVarUInt(v, n))
	}
}

// coins writes Grams.
func (w *writer) coins(v chain.Coins) { w.varUint(uint64(v), 16) }

// currencies writes CurrencyCollection.
func (w *writer) currencies(v chain.Coins, extra chain.ExtraCurrencies) {
	w.coins(v)
	if len(extra) == 0 {
		w.bit(false)
		return
	}
	dict, err := extraDict(extra)
	w.fail(err)
	w.maybeRef(dict)
}

// extraDict returns HashmapE 32 (VarUInteger 32) without its bit.
func extraDict(extra chain.ExtraCurrencies) (*cell.Cell, error) {
	ids := make([]uint32, 0, len(extra))
	for id := range extra {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	dict := cell.NewDict(32)
	for _, id := range ids {
		amount := extra[id]
		if amount == nil || amount.Sign() < 0 {
			return nil, fmt.Errorf("amount of extra currency %d: %w", id, errRow)
		}
		var v cell.Builder
		if err := v.StoreBigVarUInt(amount, 32); err != nil {
			return nil, fmt.Errorf("amount of extra currency %d: %w", id, err)
		}
		if err := dict.SetIntKey(new(big.Int).SetUint64(uint64(id)), v.EndCell()); err != nil {
			return nil, fmt.Errorf("extra currency %d: %w", id, err)
		}
	}
	return dict.AsCell(), nil
}

func (w *writer) cell() (*cell.Cell, error) {
	if w.err != nil {
		return nil, w.err
	}
	return w.b.EndCellSpecial(false)
}

// serialized returns the bag of cells that is stored within a frame or a rest.
func serialized(c *cell.Cell) []byte { return c.ToBOCWithOptions(cell.BOCSerializeOptions{}) }
