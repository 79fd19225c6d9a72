package decode_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/internal/chain"
	"tonql/internal/rawtx"
	"tonql/internal/rebuild"
)

// Each field of an account is read into its row, and the account cell is built again from the row, in every form of its parts.
func TestAccount_EveryFormIsRead(t *testing.T) {
	t.Parallel()
	of := func(b byte) chain.Hash { return chain.Hash(bytes.Repeat([]byte{b}, 32)) }
	address, last := chain.Address{ID: of(5)}, chain.TransactionRef{LT: 70, Hash: chain.Hash{6}}
	hash := func(b byte) *cell.Builder {
		h := of(b)
		return cell.BeginCell().MustStoreSlice(h[:], 256)
	}
	join := func(parts ...*cell.Builder) *cell.Builder {
		b := cell.BeginCell()
		for _, p := range parts {
			b.MustStoreBuilder(p)
		}
		return b
	}
	ref := func(c *cell.Cell) *cell.Builder { return cell.BeginCell().MustStoreRef(c) }
	text := func(s string) *cell.Builder { return bits(t, s) }
	code, data := cell.BeginCell().MustStoreUInt(1, 8).EndCell(), cell.BeginCell().MustStoreUInt(2, 8).EndCell()
	libraries := cell.NewDict(256)
	require.NoError(t, libraries.Set(cell.BeginCell().MustStoreSlice(code.Hash(), 256).EndCell(), cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(code).EndCell()))
	require.NoError(t, libraries.Set(cell.BeginCell().MustStoreSlice(data.Hash(), 256).EndCell(), cell.BeginCell().MustStoreBoolBit(false).MustStoreRef(data).EndCell()))
	large := new(big.Int).Lsh(big.NewInt(3), 200)
	currencies := cell.NewDict(32)
	require.NoError(t, currencies.SetIntKey(big.NewInt(0x01020304), cell.BeginCell().MustStoreUInt(2, 5).MustStoreUInt(300, 16).EndCell()))
	require.NoError(t, currencies.SetIntKey(big.NewInt(0x81020304), cell.BeginCell().MustStoreUInt(26, 5).MustStoreBigUInt(large, 26*8).EndCell()))

	std := join(text("10 0 00000000"), hash(5))
	const used, lastPaid = "001 00000001 010 0000000100000000", 1_573_821_854 // one cell, 256 bits
	paid := cell.BeginCell().MustStoreUInt(lastPaid, 32)
	endLT, coins := cell.BeginCell().MustStoreUInt(77, 64), text("0001 00000101 0")
	type form struct {
		address, extra, due, balance, state *cell.Builder
	}
	usual := form{std, text("000"), text("0"), coins, text("00")}
	row := chain.AccountState{Account: address, LT: last.LT, TxHash: last.Hash, Status: chain.Uninit, Balance: 5, LastPaid: lastPaid, UsedCells: 1, UsedBits: 256}
	hashOf := func(c *cell.Cell) *chain.Hash { h := chain.Hash(c.HashKey()); return &h }
	for name, c := range map[string]struct {
		change func(*form)
		want   func(*chain.AccountState)
		libs   int
	}{
		"uninit":           {func(*form) {}, func(*chain.AccountState) {}, 0},
		"hash of the dict": {func(f *form) { f.extra = join(text("001"), hash(9)) }, func(*chain.AccountState) {}, 0},
		"due payment":      {func(f *form) { f.due = text("1 0001 00000111") }, func(s *chain.AccountState) { s.DuePayment = new(chain.Coins(7)) }, 0},
		"anycast":          {func(f *form) { f.address = join(text("10 1 00011 010 00000000"), hash(5)) }, func(*chain.AccountState) {}, 0},
		"addr_var":         {func(f *form) { f.address = text("11 0 000000101").MustStoreUInt(7, 32).MustStoreUInt(9, 5) }, func(*chain.AccountState) {}, 0},
		"addr_var, anycast": {
			func(f *form) { f.address = text("11 1 00001 1 000000101").MustStoreUInt(7, 32).MustStoreUInt(9, 5) }, func(*chain.AccountState) {}, 0,
		},
		"largest balance": {
			func(f *form) { f.balance = join(text("1000").MustStoreUInt(1<<63-1, 64), text("0")) },
			func(s *chain.AccountState) { s.Balance = rawtx.MaxCoins }, 0,
		},
		"balance of more than 63 bits": {
			func(f *form) { f.balance = join(text("1001").MustStoreUInt(1, 8).MustStoreUInt(7, 64), text("0")) },
			func(s *chain.AccountState) { s.Balance = rawtx.MaxCoins }, 0,
		},
		"small balance in more bytes than it needs": {
			func(f *form) { f.balance = join(text("1111").MustStoreUInt(0, 56).MustStoreUInt(7, 64), text("0")) },
			func(s *chain.AccountState) { s.Balance = 7 }, 0,
		},
		"extra currencies": {
			func(f *form) { f.balance = join(text("0001 00000101 1"), ref(currencies.AsCell())) },
			func(s *chain.AccountState) {
				s.Extra = chain.ExtraCurrencies{0x01020304: big.NewInt(300), 0x81020304: large}
			}, 0,
		},
		"frozen": {
			func(f *form) { f.state = join(text("01"), hash(8)) },
			func(s *chain.AccountState) { s.Status, s.FrozenHash = chain.Frozen, new(of(8)) }, 0,
		},
		"active, empty": {func(f *form) { f.state = text("1 00000") }, func(s *chain.AccountState) { s.Status = chain.Active }, 0},
		"active, code": {
			func(f *form) { f.state = join(text("1 00 1"), ref(code), text("00")) },
			func(s *chain.AccountState) { s.Status, s.CodeHash = chain.Active, hashOf(code) }, 0,
		},
		"active, data": {
			func(f *form) { f.state = join(text("1 00 0 1"), ref(data), text("0")) },
			func(s *chain.AccountState) { s.Status, s.DataHash = chain.Active, hashOf(data) }, 0,
		},
		"active, all": {
			func(f *form) {
				f.state = join(text("1 1 10101 1 01 1"), ref(code), text("1"), ref(data), text("1"), ref(libraries.AsCell()))
			},
			func(s *chain.AccountState) {
				s.Status, s.CodeHash, s.DataHash = chain.Active, hashOf(code), hashOf(data)
			}, 1,
		},
	} {
		f, want := usual, row
		c.change(&f)
		root := join(text("1"), f.address, text(used), f.extra, paid, f.due, endLT, f.balance, f.state).EndCell()
		want.Hash = chain.Hash(root.HashKey())
		c.want(&want)
		st, err := decode.Account(address, last, root)
		require.NoError(t, err, name)
		rest := st.Row.Rest
		st.Row.Rest = nil
		require.Equal(t, want, st.Row, name)
		libs, err := decode.PublicLibraries(st.Libraries)
		require.NoError(t, err, name)
		require.Len(t, libs, c.libs, name)
		for _, l := range libs {
			require.Equal(t, code.HashKey(), l.HashKey(), name)
		}
		if f.address == std && f.balance.BitsUsed() <= 4+64+1 { // the row has neither more bytes of a balance nor leading zeros
			require.LessOrEqual(t, len(rest), 36, "%s: what the row lacks is stored, not the cell", name)
		}
		built, err := rebuild.Account(&st.Row, rest, rebuild.AccountCells{Code: st.Code, Data: st.Data, Libraries: st.Libraries})
		require.NoError(t, err, name)
		require.Equal(t, root.HashKey(), built.HashKey(0), name)
	}
	for name, change := range map[string]func(*form){
		"unknown extra": func(f *form) { f.extra = text("010") }, "addr_none": func(f *form) { f.address = text("00") }, "addr_extern": func(f *form) { f.address = text("01 000000000") },
		"no code": func(f *form) { f.state = text("1 00 1 00") }, "hash cut short": func(f *form) { f.state = text("01 1") }, "no state": func(f *form) { f.state = text("") },
		"no currencies": func(f *form) { f.balance = text("0001 00000101 1") },
	} {
		f := usual
		change(&f)
		_, err := decode.Account(address, last, join(text("1"), f.address, text(used), f.extra, paid, f.due, endLT, f.balance, f.state).EndCell())
		require.Error(t, err, name)
	}
	for name, root := range map[string]*cell.Cell{"not in the shard": nil, "account_none": decode.NoAccount} {
		st, err := decode.Account(address, last, root)
		require.NoError(t, err, name)
		require.Equal(t, decode.State{Row: chain.AccountState{
			Account: address, LT: last.LT, TxHash: last.Hash, Status: chain.Nonexist, Hash: chain.Hash(decode.NoAccount.HashKey()),
		}}, st, name)
	}
}
