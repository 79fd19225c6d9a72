package indexer_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

const many = 1000

// TestIndex_ContractsMatchGetMethods indexes the scenario and queries the liteserver for every detected contract.
func TestIndex_ContractsMatchGetMethods(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	const blocks = 90
	_, db := newIndex(ctx, t, blocks)
	api, head := liteserver(ctx, t, chainOf(t, blocks).network)
	r := db.Reader()
	page := chain.Page{Limit: many}

	masters, err := r.JettonMasters(ctx, chain.JettonMasterFilter{}, page)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(masters), 3, "one of each content, one by library code")
	for i := range masters {
		res, err := api.RunGetMethod(ctx, head, external(masters[i].Address), "get_jetton_data")
		require.NoError(t, err)
		require.Zero(t, res.MustInt(0).Cmp(masters[i].TotalSupply))
	}

	wallets, err := r.JettonWallets(ctx, chain.JettonWalletFilter{}, page)
	require.NoError(t, err)
	require.Greater(t, len(wallets), 5)
	for i := range wallets {
		res, err := api.RunGetMethod(ctx, head, external(wallets[i].Address), "get_wallet_data")
		require.NoError(t, err)
		require.Zero(t, res.MustInt(0).Cmp(wallets[i].Balance), wallets[i].Address.String())
		require.Equal(t, wallets[i].Owner, internal(t, res.MustSlice(1)))
		require.Equal(t, wallets[i].Jetton, internal(t, res.MustSlice(2)))
	}

	collections, err := r.NFTCollections(ctx, chain.NFTCollectionFilter{}, page)
	require.NoError(t, err)
	require.Len(t, collections, 4, "items, soul-bound items, names of both zones")
	items, err := r.NFTItems(ctx, chain.NFTItemFilter{}, page)
	require.NoError(t, err)
	kinds := map[string]int{}
	for i := range items {
		res, err := api.RunGetMethod(ctx, head, external(items[i].Address), "get_nft_data")
		require.NoError(t, err)
		require.Zero(t, res.MustInt(1).Cmp(items[i].Index))
		require.Equal(t, *items[i].Collection, internal(t, res.MustSlice(2)))
		if items[i].Owner != nil {
			require.Equal(t, *items[i].Owner, internal(t, res.MustSlice(3)))
		}
		switch {
		case items[i].SBT != nil:
			kinds["soul-bound"]++
		case items[i].Domain != "":
			kinds["name"]++
			require.Regexp(t, `\.(ton|t\.me)$`, items[i].Domain)
		default:
			kinds["plain"]++
		}
	}
	require.Len(t, kinds, 3, "%v", kinds)
	requireTransferRows(ctx, t, db)
}

// requireTransferRows compares the numbers of transfers and burns with those of the messages that have their opcodes.
func requireTransferRows(ctx context.Context, t *testing.T, db *store.DB) {
	t.Helper()
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	for table, want := range map[string]string{
		"jetton_transfers": `opcode = x'0f8a7ea5'::bigint::int AND destination IN (SELECT wallet FROM jetton_balances)`,
		"jetton_burns":     `opcode = x'595f07bc'::bigint::int AND destination IN (SELECT wallet FROM jetton_balances)`,
		"nft_transfers":    `opcode = x'5fcc3d14'::bigint::int AND destination IN (SELECT item FROM nft_owners)`,
	} {
		var got, sent int
		require.NoError(t, sql.QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&got))
		require.NoError(t, sql.QueryRowContext(ctx, `SELECT count(*) FROM transactions t
			JOIN messages m ON m.account = t.in_msg_account AND m.lt = t.in_msg_lt WHERE m.kind = 0 AND `+want).Scan(&sent))
		require.Positive(t, got, table)
		require.Equal(t, sent, got, table)
	}
}

// liteserver queries the devnet without the code of this package.
func liteserver(ctx context.Context, t *testing.T, d *devnettest.Network) (ton.APIClientWrapped, *ton.BlockIDExt) {
	t.Helper()
	config, err := d.GlobalConfig()
	require.NoError(t, err)
	pool := liteclient.NewConnectionPool()
	t.Cleanup(pool.Stop)
	require.NoError(t, pool.AddConnectionsFromConfig(ctx, config))
	api := ton.NewAPIClient(pool, ton.ProofCheckPolicyFast).WithRetry(3) //nolint:staticcheck // three tries suffice
	head, err := api.CurrentMasterchainInfo(ctx)
	require.NoError(t, err)
	return api, head
}

func external(a chain.Address) *address.Address {
	return address.NewAddress(0, byte(a.Workchain), a.ID[:])
}

func internal(t *testing.T, s *cell.Slice) chain.Address {
	t.Helper()
	a, err := s.LoadAddr()
	require.NoError(t, err)
	return chain.Address{Workchain: a.Workchain(), ID: chain.HashFrom(a.Data())}
}

// TestIndex_ContractsOfALargeBlock finds the Jettons among the 234 accounts of a block of the main network. Masters
// that the recording lacks cannot confirm their wallets.
func TestIndex_ContractsOfALargeBlock(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	fat := mainnet.OpenFatBlock(t)
	db := testdb.New(t)
	seqno := fat.Raw.Master.ID.Seqno
	run(ctx, t, fat, db, seqno, seqno, indexer.Options{From: from(t, "latest")})
	masters, err := db.Reader().JettonMasters(ctx, chain.JettonMasterFilter{}, chain.Page{Limit: many})
	require.NoError(t, err)
	wallets, err := db.Reader().JettonWallets(ctx, chain.JettonWalletFilter{}, chain.Page{Limit: many})
	require.NoError(t, err)
	collections, err := db.Reader().NFTCollections(ctx, chain.NFTCollectionFilter{}, chain.Page{Limit: many})
	require.NoError(t, err)
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	var looked int
	require.NoError(t, sql.QueryRowContext(ctx, `SELECT count(*) FROM contracts`).Scan(&looked))
	require.Len(t, masters, 3)
	require.Len(t, wallets, 2)
	require.Len(t, collections, 1)
	require.Equal(t, len(fat.Accounts()), looked)
}
