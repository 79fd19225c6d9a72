package contracts_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// longValue is a value that PostgreSQL cannot compress.
func longValue(version int) (value []byte) {
	for i := range 1000 {
		h := sha256.Sum256([]byte(strconv.Itoa(version) + " " + strconv.Itoa(i)))
		value = append(value, h[:]...)
	}
	return value
}

// longRecords are records with long values, by the table that has them. A record has the LT of its state; version changes the long value.
func longRecords(lt uint64, version int, at, other chain.Address, people []chain.Address) map[string]chain.Contract {
	order := longValue(version)
	long := hex.EncodeToString(order)
	content, apis := chain.Content{"description": long}, []string{long}
	amount, started := big.NewInt(int64(lt)), int(lt)
	list := people[version : version+200]
	hash := chain.Hash(longValue(int(lt))[:32])
	nominators := make([]chain.PoolNominator, len(list))
	for i, who := range list {
		coins := new(big.Int).SetBytes(order[32*i:][:15])
		nominators[i] = chain.PoolNominator{Address: who, Balance: coins, PendingBalance: coins, WithdrawalRequested: i%2 == 0}
	}
	records := map[string]chain.Contract{
		"jetton_masters": {JettonMaster: &chain.JettonMaster{Address: at, LastTxLT: lt, TotalSupply: amount, Content: content}},
		"jetton_wallets": {JettonWallet: &chain.JettonWallet{
			Address: at, LastTxLT: lt, Balance: amount, Owner: other, Jetton: other, Mintless: &chain.MintlessInfo{Amount: amount, CustomPayloadAPIs: apis},
		}},
		"nft_collections": {NFTCollection: &chain.NFTCollection{Address: at, LastTxLT: lt, NextItemIndex: amount, Content: content}},
		"nft_items":       {NFTItem: &chain.NFTItem{Address: at, LastTxLT: lt, Index: amount, Content: content}},
		"dns_records":     {DNS: &chain.DNSRecord{Item: at, LastTxLT: lt, Domain: "a.ton", Wallet: &other, Text: &long}},
		"multisigs": {Multisig: &chain.Multisig{
			Address: at, LastTxLT: lt, NextOrderSeqno: amount, Threshold: 1, Signers: list, Proposers: people[:100], DataHash: hash,
		}},
		"multisig_orders": {MultisigOrder: &chain.MultisigOrder{
			Address: at, LastTxLT: lt, Multisig: other, Seqno: big.NewInt(1), ApprovalsNum: &started, Order: order, Signers: list, DataHash: hash,
		}},
		"vestings":        {Vesting: &chain.Vesting{Address: at, LastTxLT: lt, TotalAmount: amount, Sender: other, Whitelist: list, DataHash: hash}},
		"nominator_pools": {NominatorPool: &chain.NominatorPool{Address: at, LastTxLT: lt, Validator: other, Nominators: nominators, DataHash: hash}},
	}
	for name, k := range records {
		k.Account, k.LT, k.McSeqno = at, lt, uint32(lt)
		records[name] = k
	}
	return records
}

// A transaction that changes nothing long in a record writes neither its long values again nor the rows that follow from them: each row
// would be thousands of times the transaction, which anyone can send.
func TestWriter_EqualLongValuesStayWhereTheyAre(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	addresses := storetest.Addresses(400)
	at, other, people := addresses[0], addresses[1], addresses[2:]
	followers := map[string]string{"multisigs": "multisig_members", "vestings": "vesting_whitelist", "nominator_pools": "nominator_positions"}
	keys := map[string]string{"dns_records": "item", "multisig_members": "multisig", "vesting_whitelist": "vesting", "nominator_positions": "pool"}
	for table := range longRecords(1, 0, at, other, people) {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			conn, fresh := connect(t), connect(t)
			follower := followers[table]
			// apply writes a state and returns the places of its values and of the rows that follow.
			apply := func(lt uint64, version int) (places string) {
				k := longRecords(lt, version, at, other, people)[table]
				block := testdb.Master(uint32(lt), func(mb *chain.MasterBlock) { mb.Contracts = []chain.Contract{k} })
				write(t, conn, block)
				_, err := fresh.Exec(t.Context(), "DELETE FROM contracts; DELETE FROM "+table+"; "+deleted(follower))
				require.NoError(t, err)
				write(t, fresh, block)
				for _, name := range []string{table, follower} {
					if name != "" {
						require.Equal(t, rows(t, fresh, name), rows(t, conn, name), "%s at %d", name, lt)
					}
				}
				text := `SELECT string_agg(place, ' ' ORDER BY place) FROM (SELECT DISTINCT 'toast ' || chunk_id AS place FROM ` + toast(t, conn, table)
				if follower != "" {
					text += " UNION SELECT ctid::text FROM " + follower + " WHERE " + keys[follower] + " = $1"
				} else {
					text += " WHERE $1::bytea IS NOT NULL"
				}
				require.NoError(t, conn.QueryRow(t.Context(), text+") p", at.Bytes()).Scan(&places))
				return places
			}
			first := apply(1, 0)
			require.Contains(t, first, "toast")
			require.Equal(t, first, apply(2, 0), "another transaction")
			second := apply(3, 1)
			require.NotEqual(t, first, second, "another value")
			require.Equal(t, second, apply(4, 1))
		})
	}
}

// A record that is no longer there, and one that comes back, are written although their long value is that of before.
func TestWriter_LongValuesOfARecordThatComesBack(t *testing.T) {
	t.Parallel()
	addresses := storetest.Addresses(400)
	at, other, people := addresses[0], addresses[1], addresses[2:]
	conn := connect(t)
	for i, there := range []bool{true, false, true, true} {
		lt := uint64(i + 1)
		k := chain.Contract{Account: at, LT: lt, McSeqno: uint32(lt)}
		if there {
			k = longRecords(lt, 0, at, other, people)["multisigs"]
		}
		write(t, conn, testdb.Master(uint32(lt), func(mb *chain.MasterBlock) { mb.Contracts = []chain.Contract{k} }))
		want := 0
		if there {
			want = 200
		}
		require.Len(t, rows(t, conn, "multisig_members"), want)
		require.Len(t, rows(t, conn, "multisigs"), min(want, 1))
	}
}

func connect(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func deleted(table string) string {
	if table == "" {
		return ""
	}
	return "DELETE FROM " + table
}

// toast returns the name of the table with the long values of a table.
func toast(t *testing.T, conn *pgx.Conn, table string) (name string) {
	t.Helper()
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT reltoastrelid::regclass::text FROM pg_class WHERE oid = $1::regclass`, table).Scan(&name))
	return name
}

// rows returns the rows of a table as texts.
func rows(t *testing.T, conn *pgx.Conn, table string) []string {
	t.Helper()
	found, err := conn.Query(t.Context(), fmt.Sprintf("SELECT r::text FROM %s r ORDER BY 1", table))
	require.NoError(t, err)
	texts, err := pgx.CollectRows(found, pgx.RowTo[string])
	require.NoError(t, err)
	return texts
}
