package validator_test

import (
	"crypto/ed25519"
	"encoding/binary"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/validator"
)

// privateKey returns the key of a validator by its number.
func privateKey(i int) ed25519.PrivateKey {
	seed := make([]byte, ed25519.SeedSize)
	binary.BigEndian.PutUint32(seed, uint32(i))
	return ed25519.NewKeyFromSeed(seed)
}

// validators makes n validators of weight 10, 11, …, each second one without an ADNL id.
func validators(n int) []validator.Validator {
	list := make([]validator.Validator, n)
	for i := range list {
		copy(list[i].Key[:], privateKey(i)[ed25519.SeedSize:])
		list[i].Weight = uint64(10 + i)
		if i%2 == 1 {
			list[i].ADNL = chain.Hash{1, byte(i)}
		}
	}
	return list
}

// entry writes a ValidatorDescr: without an ADNL id as validator#53.
func entry(v validator.Validator) *cell.Cell {
	tag := uint64(0x53)
	if !v.ADNL.IsZero() {
		tag = 0x73
	}
	b := cell.BeginCell().MustStoreUInt(tag, 8).MustStoreUInt(0x8e81278a, 32).MustStoreSlice(v.Key[:], 256).MustStoreUInt(v.Weight, 64)
	if !v.ADNL.IsZero() {
		b = b.MustStoreSlice(v.ADNL[:], 256)
	}
	return b.EndCell()
}

func dictionary(bits uint, values []*cell.Cell) *cell.Dictionary {
	d := cell.NewDict(bits)
	for i, v := range values {
		if v != nil {
			if err := d.SetIntKey(big.NewInt(int64(i)), v); err != nil {
				panic(err)
			}
		}
	}
	return d
}

func entries(list []validator.Validator) *cell.Cell {
	cells := make([]*cell.Cell, len(list))
	for i, v := range list {
		cells[i] = entry(v)
	}
	return dictionary(16, cells).AsCell()
}

func total(list []validator.Validator) (sum uint64) {
	for _, v := range list {
		sum += v.Weight
	}
	return sum
}

// header writes the fields of a validator set before its total weight or its list.
func header(tag uint64, count, main int) *cell.Builder {
	return cell.BeginCell().MustStoreUInt(tag, 8).MustStoreUInt(1700000000, 32).MustStoreUInt(1700065536, 32).
		MustStoreUInt(uint64(count), 16).MustStoreUInt(uint64(main), 16)
}

// plainSet writes validators#11 and extSet writes validators_ext#12.
func plainSet(main int, list []validator.Validator) *cell.Cell {
	return plainOf(len(list), main, entries(list))
}

func plainOf(count, main int, list *cell.Cell) *cell.Cell {
	return header(0x11, count, main).MustStoreBuilder(list.ToBuilder()).EndCell()
}

func extSet(main int, list []validator.Validator) *cell.Cell {
	return extOf(len(list), main, total(list), entries(list))
}

func extOf(count, main int, weight uint64, list *cell.Cell) *cell.Cell {
	return header(0x12, count, main).MustStoreUInt(weight, 64).MustStoreMaybeRef(list).EndCell()
}

func catchain(shuffle bool) *cell.Cell {
	b := cell.BeginCell().MustStoreUInt(0xc2, 8).MustStoreUInt(0, 7).MustStoreBoolBit(shuffle)
	return b.MustStoreUInt(250, 32).MustStoreUInt(250, 32).MustStoreUInt(1000, 32).MustStoreUInt(7, 32).EndCell()
}

// config makes a configuration of the given parameters and some that nobody reads.
func config(params map[int]*cell.Cell) *cell.Dictionary {
	values := make([]*cell.Cell, 64)
	for _, n := range []int{0, 1, 8, 20, 32, 36, 63} {
		values[n] = cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(uint64(n), 32).EndCell()).EndCell()
	}
	for n, p := range params {
		values[n] = cell.BeginCell().MustStoreRef(p).EndCell()
	}
	return dictionary(32, values)
}

// prove returns root as a Merkle proof shows it, in which only what visit reads is not pruned.
func prove(t *testing.T, root *cell.Cell, visit func(*cell.Cell)) *cell.Cell {
	t.Helper()
	builder := cell.NewMerkleProofBuilder(root)
	visit(builder.Root())
	proof, err := builder.CreateProof()
	require.NoError(t, err)
	body, err := cell.UnwrapProof(proof, root.Hash())
	require.NoError(t, err)
	return body
}
