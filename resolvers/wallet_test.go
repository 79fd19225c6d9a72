package resolvers_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// A contract with another code, or with data that is too short, is not a wallet.
func TestWalletStates_EachLayoutIsRead(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	v1 := cell.BeginCell().MustStoreUInt(7, 32).EndCell()
	v4 := cell.BeginCell().MustStoreUInt(8, 32).MustStoreUInt(698983191, 32).EndCell()
	v5 := cell.BeginCell().MustStoreBoolBit(true).MustStoreUInt(9, 32).MustStoreUInt(0xFFFFFF11, 32).EndCell()
	short := cell.BeginCell().MustStoreUInt(1, 31).EndCell()
	code := func(base64 string) chain.Hash {
		h, err := chain.ParseHash(base64)
		require.NoError(t, err)
		return h
	}
	codeV4 := code("/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=")
	codeV5 := code("IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=")
	rows := []struct {
		name string
		code chain.Hash
		data *cell.Cell
		want *resolvers.Wallet
	}{
		{"v1 r3", code("WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8="), v1, &resolvers.Wallet{Type: "wallet v1 r3", Seqno: 7}},
		{"v4 r2", codeV4, v4, &resolvers.Wallet{Type: "wallet v4 r2", Seqno: 8, ID: new(uint32(698983191))}},
		{"v5 r1", codeV5, v5, &resolvers.Wallet{Type: "wallet v5 r1", Seqno: 9, ID: new(uint32(0xFFFFFF11)), SignatureAllowed: new(true)}},
		{"too short", codeV4, short, nil},
		{"no wallet", chain.Hash{1}, v4, nil},
	}
	master := testdb.Master(5)
	master.Cells = map[chain.Hash]chain.BOC{}
	for i, row := range rows {
		state := chain.AccountState{
			Account: chain.Address{ID: chain.Hash{byte(i + 1)}}, LT: 5_000_000, Hash: testdb.Hash(), Status: chain.Active,
			CodeHash: &row.code, DataHash: new(chain.HashFrom(row.data.Hash())), UsedCells: 2, UsedBits: 64,
		}
		master.Cells[*state.DataHash] = row.data.ToBOCWithOptions(cell.BOCSerializeOptions{})
		master.Cells[row.code] = v1.ToBOCWithOptions(cell.BOCSerializeOptions{})
		master.States = append(master.States, state)
	}
	require.NoError(t, db.Writer().Apply(t.Context(), master))
	svc := service(db, resolvers.Options{})
	for i, row := range rows {
		got, err := svc.WalletStates(t.Context(), []chain.Address{{ID: chain.Hash{byte(i + 1)}}, testdb.Address()})
		require.NoError(t, err)
		require.Len(t, got, 1, row.name)
		require.Equal(t, row.want, got[0].Wallet, row.name)

		rows, err := svc.AddressBook(t.Context(), []chain.Address{{ID: chain.Hash{byte(i + 1)}}})
		require.NoError(t, err)
		require.Equal(t, row.name != "no wallet", rows[0].Wallet, row.name)
	}
}
