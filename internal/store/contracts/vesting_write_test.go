package contracts_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// A transaction of a vesting wallet does not write its whitelist again unless the list changes.
func TestWriter_EqualWhitelistsKeepTheirRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url := testdb.URL(t)
	db := testdb.Open(t, url)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	addresses := storetest.Addresses(300)
	wallet, other, members := addresses[0], addresses[1], addresses[2:]
	seqno := uint32(0)
	// apply writes a transaction of both wallets and returns the places of the rows of the first one.
	apply := func(list []chain.Address) (places map[string]string) {
		seqno++
		record := func(account chain.Address, list []chain.Address) chain.Contract {
			k := chain.Contract{Account: account, LT: uint64(seqno), McSeqno: seqno}
			if list != nil {
				k.Vesting = &chain.Vesting{Address: account, LastTxLT: k.LT, TotalAmount: big.NewInt(1), Whitelist: list}
			}
			return k
		}
		write(t, conn, testdb.Master(seqno, func(mb *chain.MasterBlock) {
			mb.Contracts = []chain.Contract{record(wallet, list), record(other, members[:seqno])}
		}))
		rows, err := conn.Query(t.Context(), `SELECT encode(member, 'hex'), ctid::text FROM vesting_whitelist WHERE vesting = $1`, wallet.Bytes())
		require.NoError(t, err)
		places = map[string]string{}
		var member, place string
		_, err = pgx.ForEachRow(rows, []any{&member, &place}, func() error { places[member] = place; return nil })
		require.NoError(t, err)
		require.Len(t, places, len(list))
		found, err := db.Reader().Vestings(t.Context(), chain.VestingFilter{Contracts: []chain.Address{wallet, other}}, chain.Page{Limit: 3})
		require.NoError(t, err)
		for i := range found {
			require.Equal(t, uint64(seqno), found[i].LastTxLT)
			if found[i].Address == other {
				require.Equal(t, members[:seqno], found[i].Whitelist)
				continue
			}
			require.Equal(t, list, found[i].Whitelist)
		}
		for _, who := range []chain.Address{members[0], members[200]} {
			got, err := db.Reader().Vestings(t.Context(), chain.VestingFilter{Wallets: []chain.Address{who}, CheckWhitelist: true}, chain.Page{Limit: 3})
			require.NoError(t, err)
			want := 0
			for _, l := range [][]chain.Address{list, members[:seqno]} {
				for _, member := range l {
					if member == who {
						want++
					}
				}
			}
			require.Len(t, got, want)
		}
		return places
	}
	first := apply(members[:256])
	require.Equal(t, first, apply(members[:256]), "the rows stay where they are")
	second := apply(members[1:257])
	require.NotEqual(t, first, second)
	require.Equal(t, second, apply(members[1:257]))
	apply([]chain.Address{})
	apply([]chain.Address{})
	apply(nil)
	apply(members[:256])
}
