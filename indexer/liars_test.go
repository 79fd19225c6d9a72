package indexer_test

import (
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/scenario"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

func chainAddresses(list ...*address.Address) []chain.Address {
	found := make([]chain.Address, len(list))
	for i, a := range list {
		found[i] = chain.Address{Workchain: a.Workchain(), ID: chain.HashFrom(a.Data())}
	}
	return found
}

// TestIndex_LyingContractsAreNotDetected indexes the scenario's first minute: contracts that lie or fail are accounts
// and nothing else, and invalid metadata does not affect the detection of its master.
func TestIndex_LyingContractsAreNotDetected(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 60
	net := newNetwork(ctx, t, blocks)
	db := testdb.New(t)
	metrics := prometheus.NewRegistry()
	run(ctx, t, net.Client, db, 1, blocks, indexer.Options{Registerer: metrics})
	places, err := scenario.FindPlaces(testSeed(), net.Chain.GlobalID())
	require.NoError(t, err)
	bad := append(chainAddresses(places.LiarWallet, places.LiarItem), chainAddresses(places.Hostile...)...)

	r := db.Reader()
	page := chain.Page{Limit: many}
	states, err := r.AccountStates(ctx, chain.AccountFilter{Addresses: bad}, page)
	require.NoError(t, err)
	require.Len(t, states, len(bad))
	interfaces := map[chain.Address][]string{}
	for i := range states {
		interfaces[states[i].Account] = states[i].Interfaces
		require.Equal(t, chain.Active, states[i].Status)
		require.NotEmpty(t, states[i].Methods, "its code is analysed in any case")
	}
	require.Empty(t, tablesWith(ctx, t, db, bad), "tables of genuine contracts that name a liar")
	for liar, name := range map[chain.Address]string{bad[0]: "jetton_wallet", bad[1]: "nft_item"} {
		require.Contains(t, interfaces[liar], name, "the methods alone name the interface")
	}

	masters, err := r.JettonMasters(ctx, chain.JettonMasterFilter{Addresses: chainAddresses(places.Malformed...)}, page)
	require.NoError(t, err)
	require.Len(t, masters, len(places.Malformed), "a master with malformed metadata is detected")

	// An account costs a little gas at first, and further gas comes from the budget of the block: the last two executed
	// may exceed it by a complete detection each.
	const little, block, excess = 50_000, 4_000_000, 2
	maxGas := sumOf(t, metrics, "tonql_indexer_detect_total")*little + blocks*float64(block+excess*contract.DefaultBudget().TotalGas)
	require.Less(t, sumOf(t, metrics, "tonql_indexer_detect_gas_total"), maxGas)
}

// sumOf returns the sum of a counter over its labels.
func sumOf(t *testing.T, metrics prometheus.Gatherer, name string) (n float64) {
	t.Helper()
	families, err := metrics.Gather()
	require.NoError(t, err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}

// tablesWith lists the tables of genuine contracts that contain one of the addresses as the contract.
func tablesWith(ctx context.Context, t *testing.T, db *store.DB, who []chain.Address) (tables []string) {
	t.Helper()
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	// Any contract may claim to be a sale; it is recognized only by its code.
	for table, column := range map[string]string{
		"jetton_masters": "address", "jetton_wallets": "address", "jetton_balances": "wallet", "nft_collections": "address",
		"nft_items": "address", "nft_owners": "item", "nft_sales": "known AND address", "dns_records": "item", "multisigs": "address",
		"multisig_orders": "address", "vestings": "address", "nft_transfers": "nft", "nominator_pools": "address",
	} {
		for _, a := range who {
			var n int
			require.NoError(t, sql.QueryRowContext(ctx, `SELECT count(*) FROM `+table+` WHERE `+column+` = $1`, a.Bytes()).Scan(&n), table)
			if n > 0 {
				tables = append(tables, table+" "+a.String())
			}
		}
	}
	return tables
}

// TestIndex_HostileContractsCauseNoLag sends messages to two dozen contracts with endless get-methods in every block.
// The indexer is at the head after each block, and the last blocks take no longer than the first.
func TestIndex_HostileContractsCauseNoLag(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const first, rounds = 12, 8
	net := newNetwork(ctx, t, first)
	bad := deployments{}
	bad.addLoops(24)
	bad.deploy(ctx, t, net)
	db := testdb.New(t)
	metrics := prometheus.NewRegistry()
	x := indexer.New(net.Client, db, indexer.Options{Registerer: metrics})
	start(ctx, t, x)
	waitIndexed(ctx, t, db, 1, net.Chain.Head().ID.SeqNo)

	wallet, err := scenario.Faucet(testSeed())
	require.NoError(t, err)
	state, err := db.Reader().AccountStates(ctx, chain.AccountFilter{Addresses: chainAddresses(wallet.Address), WithBOC: true}, chain.Page{Limit: 1})
	require.NoError(t, err)
	require.Len(t, state, 1)
	data, err := cell.FromBOC(state[0].DataBOC)
	require.NoError(t, err)
	seqno, err := wallet.Seqno(data)
	require.NoError(t, err)

	var took []time.Duration
	for range rounds {
		var orders []contracts.Order
		for _, c := range bad {
			orders = append(orders, contracts.Order{Message: contracts.Transfer(c.Address, oneTON/100, "")})
		}
		for len(orders) > 0 {
			n := min(len(orders), wallet.Version.MaxMessages())
			msg, err := wallet.External(contracts.Ticket{Seqno: seqno, ValidUntil: net.Chain.Now() + 600}, orders[:n]...)
			require.NoError(t, err)
			require.NoError(t, net.Chain.SendExternal(ctx, msg))
			seqno++
			orders = orders[n:]
			began := time.Now()
			net.AdvanceTo(t, net.Head()+1)
			waitIndexed(ctx, t, db, 1, net.Chain.Head().ID.SeqNo)
			took = append(took, time.Since(began))
		}
	}
	waitUntil(ctx, t, "the head", func() bool { return x.Status().LagBlocks == 0 })
	require.Positive(t, undetectedAccounts(t, metrics)+sumOf(t, metrics, "tonql_indexer_detect_gas_total"))
	half := len(took) / 2
	t.Logf("a block with loops took %s at first and %s at last", mean(took[:half]), mean(took[half:]))
	require.Less(t, mean(took[half:]), 3*mean(took[:half])+pacetest.Slow*time.Second, "the lag grows")
}

func mean(list []time.Duration) (sum time.Duration) {
	for _, d := range list {
		sum += d
	}
	return sum / time.Duration(len(list))
}
