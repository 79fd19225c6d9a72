// Package contracttest makes contracts for tests: accounts whose get-methods return given values or run given
// instructions, and snapshots of such accounts.
package contracttest

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Receiver is the name of the method that receives internal messages.
const Receiver = "recv_internal"

// Code assembles a contract that dispatches get-methods by a dictionary, as every compiler does:
//
//	SETCP0; 19 DICTPUSHCONST; DICTIGETJMPZ; 11 THROWARG
//
// Without a [Receiver] it accepts messages and does nothing.
func Code(methods map[string]*cell.Cell) *cell.Cell {
	dict := cell.NewDict(19)
	set := func(id int32, body *cell.Cell) {
		key := cell.BeginCell().MustStoreInt(int64(id), 19).EndCell()
		if body.BitsSize() > 900 { // no room beside the label: jump to it
			body = cell.BeginCell().MustStoreRef(body).EndCell()
		}
		if err := dict.Set(key, body); err != nil {
			panic(fmt.Errorf("method %d: %w", id, err)) //nolint:forbidigo // a test wrote it wrong
		}
	}
	set(0, Asm("30")) // drops the body
	for name, body := range methods {
		if name == Receiver {
			set(0, body)
			continue
		}
		set(contract.MethodID(name), body)
	}
	return cell.BeginCell().MustStoreSlice(raw("ff00f4a413f4bcf2c80b"), 80).MustStoreRef(dict.AsCell()).EndCell()
}

// Asm is a method given by its instructions in hexadecimal.
func Asm(instructions string) *cell.Cell {
	b := raw(instructions)
	return cell.BeginCell().MustStoreSlice(b, uint(len(b))*8).EndCell()
}

func raw(text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		panic(fmt.Errorf("instructions %s: %w", text, err)) //nolint:forbidigo // a test wrote it wrong
	}
	return b
}

// Instructions are instructions in hexadecimal that leave one value.
type Instructions string

// MethodReturning is a method that drops drop arguments and leaves the values: int, *big.Int, *cell.Cell, *cell.Slice, string (a
// slice with its bytes), chain.Address, [Instructions], or nil.
func MethodReturning(drop int, values ...any) *cell.Cell {
	var tail *cell.Cell
	for at := (len(values) + 2) / 3 * 3; at >= 3; at -= 3 {
		tail = pushes(values[at-3:min(at, len(values))], tail)
	}
	b := cell.BeginCell()
	for range drop {
		b.MustStoreUInt(0x30, 8) // DROP
	}
	if tail != nil {
		b.MustStoreRef(tail)
	}
	return b.EndCell()
}

// pushes puts up to three values into one cell; what follows them lies in the last reference.
func pushes(values []any, next *cell.Cell) *cell.Cell {
	b := cell.BeginCell()
	for _, v := range values {
		push(b, v)
	}
	if next != nil {
		b.MustStoreRef(next)
	}
	return b.EndCell()
}

func push(b *cell.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.MustStoreUInt(0x6d, 8) // PUSHNULL
	case Instructions:
		code := raw(string(v))
		b.MustStoreSlice(code, uint(len(code))*8)
	case int:
		push(b, big.NewInt(int64(v)))
	case *big.Int:
		abs := new(big.Int).Abs(v)
		b.MustStoreRef(cell.BeginCell().MustStoreBigUInt(abs, 256).EndCell())
		b.MustStoreSlice(raw("89d70bff"), 32) // PUSHREFSLICE; 256 PLDU
		if v.Sign() < 0 {
			b.MustStoreUInt(0xa3, 8) // NEGATE
		}
	case *cell.Cell:
		if v == nil {
			push(b, nil)
			return
		}
		b.MustStoreUInt(0x88, 8).MustStoreRef(v) // PUSHREF
	case *cell.Slice:
		c, err := v.Copy().ToCell()
		if err != nil {
			panic(fmt.Errorf("slice: %w", err)) //nolint:forbidigo // a test wrote it wrong
		}
		b.MustStoreUInt(0x89, 8).MustStoreRef(c) // PUSHREFSLICE
	case string:
		push(b, cell.BeginCell().MustStoreSlice([]byte(v), uint(len(v))*8).EndCell().MustBeginParse())
	case chain.Address:
		push(b, contract.AddressSlice(v))
	case *chain.Address:
		if v == nil {
			push(b, cell.BeginCell().MustStoreUInt(0, 2).EndCell().MustBeginParse()) // addr_none
			return
		}
		push(b, *v)
	default:
		panic(fmt.Errorf("no way to push a %T", v)) //nolint:forbidigo // a test wrote it wrong
	}
}

// Snapshot is a fixed set of accounts.
type Snapshot map[chain.Address]contract.State

// State finds one.
func (s Snapshot) State(_ context.Context, a chain.Address) (contract.State, bool, error) {
	st, ok := s[a]
	return st, ok, nil
}

// Add puts accounts into the set.
func (s Snapshot) Add(states ...contract.State) Snapshot {
	for _, st := range states {
		s[st.Address] = st
	}
	return s
}

// Address makes an address of the basechain that follows from a name.
func Address(name string) chain.Address {
	b := cell.BeginCell().MustStoreSlice([]byte(name), uint(len(name))*8).EndCell()
	return chain.Address{ID: chain.Hash(b.HashKey())}
}

// Account is an account with the given get-methods at the address of its name.
func Account(name string, methods map[string]*cell.Cell) contract.State {
	return contract.State{
		Address: Address(name), Code: Code(methods), Data: cell.BeginCell().EndCell(), Balance: 1_000_000_000, LastTxLT: 77,
	}
}
