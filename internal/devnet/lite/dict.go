package lite

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// lookup finds a key in a dictionary; nil when it is not there. It opens the path to the
// place where the key is or would be, which proves presence and absence.
func lookup(root *cell.Cell, key *cell.Cell, bits uint) (*cell.Slice, error) {
	if root == nil {
		return nil, nil
	}
	v, err := root.AsDict(bits).LoadValue(key)
	if errors.Is(err, cell.ErrNoSuchKeyInDict) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	return v, nil
}

// nearest finds the next key after (or before) key; a nil key in the result means
// that there is none. Keys compare as unsigned numbers.
func nearest(root *cell.Cell, key *cell.Cell, bits uint, forward, allowSame bool) (*cell.Cell, *cell.Slice, error) {
	if root == nil {
		return nil, nil, nil
	}
	k, v, err := root.AsDict(bits).LookupNearestKey(key, forward, allowSame, false)
	if errors.Is(err, cell.ErrNoSuchKeyInDict) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("dictionary: %w", err)
	}
	return k, v, nil
}

func uintKey(v uint64, bits uint) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(v, bits).EndCell()
}

// intKey is a key of signed type, such as a workchain or a config parameter.
func intKey(v int32) *cell.Cell {
	return cell.BeginCell().MustStoreBigInt(big.NewInt(int64(v)), 32).EndCell()
}

func bytesKey(v []byte) *cell.Cell {
	return cell.BeginCell().MustStoreSlice(v, uint(len(v))*8).EndCell()
}

// keyBytes reads a key back.
func keyBytes(k *cell.Cell, bits uint) ([]byte, error) {
	s, err := k.BeginParse()
	if err != nil {
		return nil, err
	}
	return s.LoadSlice(bits)
}

func keyUint(k *cell.Cell, bits uint) (uint64, error) {
	s, err := k.BeginParse()
	if err != nil {
		return 0, err
	}
	return s.LoadUInt(bits)
}
