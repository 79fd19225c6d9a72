package rebuild_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/rebuild"
)

// requireRebuilt decodes an account, forgets its cell, and builds it again from the row.
func requireRebuilt(t *testing.T, account chain.Address, last chain.TransactionRef, root *cell.Cell) chain.AccountState {
	t.Helper()
	s, err := decode.Account(account, last, root)
	require.NoError(t, err)
	cells := rebuild.AccountCells{Code: s.Code, Data: s.Data, Libraries: s.Libraries}
	if s.Row.UsedCells > decode.MaxDataCells {
		cells.Data, cells.Libraries = nil, nil // they are not stored
	}
	built, err := rebuild.Account(&s.Row, s.Row.Rest, cells)
	require.NoError(t, err)
	require.Equal(t, root.HashKey(0), built.HashKey(0))
	again, err := decode.Account(account, last, built)
	require.NoError(t, err)
	require.Equal(t, s.Row, again.Row)
	return s.Row
}

func TestAccount_MainnetAccountsAreRebuilt(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	at := fat.Raw.Shards[0].ID
	at.BlockID = fat.Parent
	accounts, bytes, shells := 0, 0, 0
	for _, a := range fat.Accounts() {
		raw, err := fat.Account(t.Context(), at, a)
		require.NoError(t, err)
		if raw.Root == nil {
			continue
		}
		row := requireRebuilt(t, a, chain.TransactionRef{LT: raw.LastTxLT, Hash: raw.LastTxHash}, raw.Root)
		accounts++
		bytes += len(row.Rest)
		shells += int(raw.Root.BitsSize()+7) / 8
	}
	require.Greater(t, accounts, 200)
	require.Less(t, bytes, 16*accounts, "the rest has only what the columns lack")
	t.Logf("%d accounts: %.1f bytes of rest on average, the root cells have %.1f", accounts,
		float64(bytes)/float64(accounts), float64(shells)/float64(accounts))
}

// accountParts are the fields of an account cell, each as bits of "0" and "1", hexadecimal bytes after "x".
type accountParts struct {
	address, used, extra, due, balance, state string
	refs                                      []*cell.Cell
}

func (p accountParts) cell(t *testing.T) *cell.Cell {
	t.Helper()
	b := cell.BeginCell()
	lastPaid, endLT := strings.Repeat("0", 31)+"1", strings.Repeat("0", 40)+strings.Repeat("1", 24)
	for _, part := range []string{"1", p.address, p.used, p.extra, lastPaid, p.due, endLT, p.balance, p.state} {
		for _, c := range part {
			b.MustStoreUInt(uint64(c-'0'), 1)
		}
	}
	for _, ref := range p.refs {
		b.MustStoreRef(ref)
	}
	return b.EndCell()
}

func leaf(n uint64) *cell.Cell { return cell.BeginCell().MustStoreUInt(n, 64).EndCell() }

// chained is a cell of depth n.
func chained(n int) *cell.Cell {
	c := leaf(7)
	for range n {
		c = cell.BeginCell().MustStoreRef(c).EndCell()
	}
	return c
}

func currencies(t *testing.T, amounts map[uint32]*big.Int) *cell.Cell {
	t.Helper()
	d := cell.NewDict(32)
	for id, amount := range amounts {
		require.NoError(t, d.SetIntKey(big.NewInt(int64(id)), cell.BeginCell().MustStoreBigVarUInt(amount, 32).EndCell()))
	}
	return d.AsCell()
}

func TestAccount_EveryFormIsRebuilt(t *testing.T) {
	t.Parallel()
	account := chain.Address{Workchain: chain.MasterchainID, ID: chain.Hash{31: 5}}
	std := "100" + strings.Repeat("1", 8) + strings.Repeat("0", 253) + "101"
	plain := accountParts{address: std, used: "001" + "00000011" + "001" + "11111111", extra: "000", due: "0", balance: "0001" + "11110000" + "0", state: "00"}
	with := func(change func(*accountParts)) accountParts {
		p := plain
		change(&p)
		return p
	}
	ones := strings.Repeat("1", 64)
	unusual := cell.BeginCell(). // one amount of a currency; the label is the long form where the short one is canonical
					MustStoreUInt(0b10, 2).MustStoreUInt(32, 6).MustStoreUInt(9, 32).MustStoreUInt(1, 5).MustStoreUInt(200, 8).EndCell()
	long := cell.BeginCell(). // the same with hml_same$11 for a key of zeros, and a leading zero in the amount
					MustStoreUInt(0b110, 3).MustStoreUInt(32, 6).MustStoreUInt(2, 5).MustStoreUInt(200, 16).EndCell()
	for name, p := range map[string]accountParts{
		"uninit":                       plain,
		"frozen":                       with(func(p *accountParts) { p.state = "01" + strings.Repeat("10", 128) }),
		"active without cells":         with(func(p *accountParts) { p.state = "1" + "00" + "000" }),
		"code and data":                with(func(p *accountParts) { p.state, p.refs = "1"+"00"+"110", []*cell.Cell{leaf(1), chained(9)} }),
		"one cell as code and as data": with(func(p *accountParts) { p.state, p.refs = "1"+"00"+"110", []*cell.Cell{leaf(1), leaf(1)} }),
		"libraries":                    with(func(p *accountParts) { p.state, p.refs = "1"+"00"+"111", []*cell.Cell{leaf(1), leaf(2), leaf(3)} }),
		"data without code":            with(func(p *accountParts) { p.state, p.refs = "1"+"00"+"010", []*cell.Cell{leaf(2)} }),
		"tick-tock":                    with(func(p *accountParts) { p.state, p.refs = "1"+"0"+"111"+"100", []*cell.Cell{leaf(1)} }),
		"special without tick or tock": with(func(p *accountParts) { p.state = "1" + "0" + "100" + "000" }),
		"fixed prefix":                 with(func(p *accountParts) { p.state = "1" + "111111" + "0" + "000" }),
		"fixed prefix of no bits":      with(func(p *accountParts) { p.state = "1" + "100000" + "101" + "000" }),
		"storage dictionary":           with(func(p *accountParts) { p.extra = "001" + strings.Repeat("01", 128) }),
		"due payment":                  with(func(p *accountParts) { p.due = "1" + "0001" + "00000010" }),
		"no balance":                   with(func(p *accountParts) { p.balance = "0000" + "0" }),
		"large account": with(func(p *accountParts) {
			p.used, p.state, p.refs = "010"+"1000000000000000"+"001"+"11111111", "1"+"00"+"110", []*cell.Cell{leaf(1), chained(300)}
		}),
		"large account with libraries": with(func(p *accountParts) {
			p.used, p.state, p.refs = "010"+"1000000000000000"+"001"+"11111111", "1"+"00"+"111", []*cell.Cell{leaf(1), chained(300), chained(2)}
		}),
		"extra currencies": with(func(p *accountParts) {
			p.balance, p.refs = "0000"+"1", []*cell.Cell{currencies(t, map[uint32]*big.Int{1: big.NewInt(5), 1 << 31: new(big.Int).Lsh(big.NewInt(1), 240)})}
		}),
		"extra currencies with an unusual label":  with(func(p *accountParts) { p.balance, p.refs = "0000"+"1", []*cell.Cell{unusual} }),
		"extra currencies with an unusual amount": with(func(p *accountParts) { p.balance, p.refs = "0000"+"1", []*cell.Cell{long} }),
		"balance above 63 bits":                   with(func(p *accountParts) { p.balance = "1000" + ones + "0" }),
		"balance with a leading zero":             with(func(p *accountParts) { p.balance = "0010" + strings.Repeat("0", 15) + "1" + "0" }),
		"used cells with a leading zero":          with(func(p *accountParts) { p.used = "010" + "0000000000000011" + "001" + "11111111" }),
		"an address with anycast": with(func(p *accountParts) {
			p.address = "101" + "00010" + "11" + strings.Repeat("1", 8) + strings.Repeat("0", 256)
		}),
		"an address of variable length": with(func(p *accountParts) {
			p.address = "110" + "100000000" + strings.Repeat("1", 32) + strings.Repeat("0", 253) + "101"
		}),
		"an address of another account": with(func(p *accountParts) { p.address = "100" + strings.Repeat("1", 8) + strings.Repeat("0", 256) }),
		"bits behind the state":         with(func(p *accountParts) { p.state = "00" + "1" }),
		"a cell behind the state":       with(func(p *accountParts) { p.state, p.refs = "1"+"00"+"110", []*cell.Cell{leaf(1), leaf(2), leaf(3)} }),
		"an address with anycast, code and data": with(func(p *accountParts) {
			p.address, p.state, p.refs = "101"+"00001"+"0"+strings.Repeat("1", 8)+strings.Repeat("0", 256), "1"+"00"+"110", []*cell.Cell{leaf(1), chained(9)}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := p.cell(t)
			for _, lt := range []uint64{1<<24 - 2, 1<<24 - 1, 1 << 24, 0, 1<<24 - 9, 1 << 40} {
				requireRebuilt(t, account, chain.TransactionRef{LT: lt, Hash: chain.Hash{1}}, root)
			}
		})
	}
}

func TestAccount_NonexistentIsRebuilt(t *testing.T) {
	t.Parallel()
	row := requireRebuilt(t, chain.Address{}, chain.TransactionRef{LT: 7}, rebuild.NoAccount)
	require.Nil(t, row.Rest)
}

// TestAccount_EveryBitOfARowCounts changes each bit of the stored rest, and each number of the row.
func TestAccount_EveryBitOfARowCounts(t *testing.T) {
	t.Parallel()
	due := chain.Coins(4)
	row := chain.AccountState{
		Account: chain.Address{ID: chain.Hash{9}}, LT: 100, Status: chain.Active, Balance: 77, UsedCells: 30, UsedBits: 900, LastPaid: 6,
		DuePayment: &due, CodeHash: new(chain.Hash(leaf(1).HashKey())), DataHash: new(chain.Hash(leaf(2).HashKey())),
	}
	cells := rebuild.AccountCells{Code: leaf(1), Data: leaf(2), Libraries: leaf(3)}
	rest := append([]byte{0x70 | 3}, make([]byte, 0, 66)...)
	rest = append(append(append(rest, chain.Hash{8}.Bytes()...), cells.Libraries.Hash()...), 4, 3)
	want, err := rebuild.Account(&row, rest, cells)
	require.NoError(t, err)
	for i := range 8 * len(rest) {
		changed := append([]byte(nil), rest...)
		changed[i/8] ^= 1 << (i % 8)
		if got, err := rebuild.Account(&row, changed, cells); err == nil {
			require.NotEqual(t, want.HashKey(0), got.HashKey(0), "bit %d", i)
		}
	}
	for name, change := range map[string]func(*chain.AccountState){
		"account": func(r *chain.AccountState) { r.Account.ID[31]++ }, "workchain": func(r *chain.AccountState) { r.Account.Workchain-- },
		"lt": func(r *chain.AccountState) { r.LT++ }, "status": func(r *chain.AccountState) { r.Status = chain.Uninit },
		"balance": func(r *chain.AccountState) { r.Balance++ }, "cells": func(r *chain.AccountState) { r.UsedCells++ },
		"bits": func(r *chain.AccountState) { r.UsedBits++ }, "paid": func(r *chain.AccountState) { r.LastPaid++ },
		"due": func(r *chain.AccountState) { r.DuePayment = nil }, "code": func(r *chain.AccountState) { r.CodeHash = nil },
		"data": func(r *chain.AccountState) { r.DataHash = &chain.Hash{1} }, "extra": func(r *chain.AccountState) { r.Extra = chain.ExtraCurrencies{3: big.NewInt(1)} },
	} {
		changed := row
		change(&changed)
		if got, err := rebuild.Account(&changed, rest, cells); err == nil {
			require.NotEqual(t, want.HashKey(0), got.HashKey(0), name)
		}
	}
}

func FuzzAccountRest_DoesNotPanic(f *testing.F) {
	f.Add([]byte{1}, uint64(5))
	f.Add([]byte{7, 200, 1}, uint64(0))
	f.Add(append([]byte{0x80}, cell.BeginCell().EndCell().ToBOC()...), uint64(9))
	f.Fuzz(func(t *testing.T, rest []byte, lt uint64) {
		row := chain.AccountState{LT: lt, Status: chain.Active, Balance: 5}
		c, err := rebuild.Account(&row, rest, rebuild.AccountCells{Libraries: leaf(3)})
		if err == nil {
			_, _ = decode.Account(row.Account, chain.TransactionRef{LT: lt}, c)
		}
	})
}
