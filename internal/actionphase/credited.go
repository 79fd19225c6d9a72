package actionphase

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Credited returns the extra currencies of an account after the credit phase, as its code reads them: HashmapE 32 (VarUInteger 32), nil for
// none. message is nil for tick and tock. Amounts of one of the two stay in the form that they have there, which need not be the shortest.
func Credited(before *tvm.PreparedAccount, message *cell.Cell) *cell.Cell {
	var own, received *cell.Cell
	if state := before.State(); state != nil && state.IsValid && !state.ExtraCurrencies.IsEmpty() {
		own = state.ExtraCurrencies.AsCell()
	}
	if message != nil {
		received = readInbound(message).extra
	}
	switch {
	case received == nil:
		return own
	case own == nil:
		return received
	}
	sum, err := sumOfExtra(own, received)
	if err != nil {
		return nil // the account cannot be credited: there is no transaction
	}
	return sum
}

func sumOfExtra(a, b *cell.Cell) (*cell.Cell, error) {
	all, err := entries(b, 32)
	if err != nil {
		return nil, errExtra
	}
	sum := a.AsDict(32)
	for _, kv := range all {
		key := kv.Key.MustToCell()
		n, err := readAmount(kv.Value.Copy())
		if err != nil {
			return nil, err
		}
		value := kv.Value.MustToCell()
		if own, err := sum.LoadValue(key); err == nil {
			m, err := readAmount(own)
			if err != nil {
				return nil, err
			}
			if value, err = storeAmount(m.Add(m, n)); err != nil {
				return nil, err
			}
		}
		if err := sum.Set(key, value); err != nil {
			return nil, errExtra
		}
	}
	return sum.AsCell(), nil
}

// readAmount reads VarUInteger 32.
func readAmount(s *cell.Slice) (*big.Int, error) {
	r := reader{s: s}
	n, _ := r.varUint(5)
	if !r.empty() {
		return nil, errExtra
	}
	return n, nil
}

// storeAmount makes VarUInteger 32.
func storeAmount(n *big.Int) (*cell.Cell, error) {
	data := n.Bytes()
	if len(data) > 31 {
		return nil, errExtra
	}
	return cell.BeginCell().MustStoreUInt(uint64(len(data)), 5).MustStoreSlice(data, uint(8*len(data))).EndCell(), nil
}
