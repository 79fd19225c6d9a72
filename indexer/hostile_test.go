package indexer_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/indexer/detect"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/devnet/scenario"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

const loopsForEver = "9100ea"

// deployments are contracts by their addresses.
type deployments map[chain.Address]contracts.Contract

func (d deployments) add(methods map[string]*cell.Cell, number int) chain.Address {
	init := &tlb.StateInit{Code: contracttest.Code(methods), Data: cell.BeginCell().MustStoreUInt(uint64(number), 32).EndCell()}
	c, err := tlb.ToCell(init)
	if err != nil {
		panic(err)
	}
	a := chain.Address{ID: chain.Hash(c.HashKey())}
	d[a] = contracts.Contract{Address: address.NewAddress(0, 0, a.ID[:]), Init: init}
	return a
}

// addLiars adds contracts that claim to belong to a Jetton and to a collection.
func (d deployments) addLiars(master, collection chain.Address) {
	rich := new(big.Int).Lsh(big.NewInt(1), 100)
	d.add(map[string]*cell.Cell{
		"get_wallet_data": contracttest.MethodReturning(0, rich, contracttest.Address("owner"), master, contracttest.Asm("")),
	}, 0)
	d.add(map[string]*cell.Cell{
		"get_nft_data": contracttest.MethodReturning(0, -1, 0, collection, contracttest.Address("owner"), contracttest.Asm("")),
	}, 0)
	d.add(map[string]*cell.Cell{"get_wallet_data": contracttest.Asm("f22a")}, 0)
	d.add(map[string]*cell.Cell{"get_jetton_data": contracttest.Asm(loopsForEver), "get_wallet_address": contracttest.Asm("")}, 0)
}

// addLoops adds contracts that have the get-methods of all interfaces, none of which ends.
func (d deployments) addLoops(n int) {
	methods := map[string]*cell.Cell{}
	for _, i := range contract.AllInterfaces() {
		for _, m := range i.Methods {
			methods[m] = contracttest.Asm(loopsForEver)
		}
	}
	for i := range n {
		d.add(methods, i)
	}
}

// deploy deploys the contracts from the faucet and mines until they are on the chain.
func (d deployments) deploy(ctx context.Context, t *testing.T, net *devnettest.Network) {
	t.Helper()
	wallet, err := scenario.Faucet(testSeed())
	require.NoError(t, err)
	var orders []contracts.Order
	for _, c := range d {
		orders = append(orders, contracts.Order{Message: c.Deploy(oneTON, cell.BeginCell().EndCell())})
	}
	for seqno := uint32(0); len(orders) > 0; seqno++ {
		n := min(len(orders), wallet.Version.MaxMessages())
		msg, err := wallet.External(contracts.Ticket{Seqno: seqno, ValidUntil: net.Chain.Now() + 600}, orders[:n]...)
		require.NoError(t, err)
		require.NoError(t, net.Chain.SendExternal(ctx, msg))
		net.AdvanceTo(t, net.Head()+1)
		orders = orders[n:]
	}
	net.AdvanceTo(t, net.Head()+4)
}

// undetectedAccounts returns the number of undetected accounts in the metrics.
func undetectedAccounts(t *testing.T, metrics prometheus.Gatherer) (n float64) {
	t.Helper()
	families, err := metrics.Gather()
	require.NoError(t, err)
	for _, f := range families {
		if f.GetName() != "tonql_indexer_detect_total" {
			continue
		}
		for _, m := range f.GetMetric() {
			if m.GetLabel()[0].GetValue() == "undetected" {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}

const oneTON = 1_000_000_000 // nanotons

// TestIndex_HostileContractsStayInBudget indexes a chain with contracts that lie, throw and loop. None is detected as
// genuine, the indexer does not wait for any, and the undetected ones do not depend on the order of blocks.
func TestIndex_HostileContractsStayInBudget(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const first = 45
	net := newNetwork(ctx, t, first)
	src := net.Client
	db := testdb.New(t)
	run(ctx, t, src, db, 1, first, indexer.Options{})
	page := chain.Page{Limit: 1000}
	masters, err := db.Reader().JettonMasters(ctx, chain.JettonMasterFilter{}, page)
	require.NoError(t, err)
	collections, err := db.Reader().NFTCollections(ctx, chain.NFTCollectionFilter{}, page)
	require.NoError(t, err)

	bad := deployments{}
	bad.addLiars(masters[0].Address, collections[0].Address)
	bad.addLoops(24)
	bad.deploy(ctx, t, net)
	last := net.Chain.Head().ID.SeqNo
	opts := indexer.Options{Contracts: detect.Options{BlockGas: 1_000_000}}
	forward := testdb.New(t)
	metrics := prometheus.NewRegistry()
	opts.Registerer = metrics
	run(ctx, t, src, forward, 1, last, opts)
	opts.Registerer = nil
	require.Positive(t, undetectedAccounts(t, metrics), "the loops of a block need more than its gas")

	r := forward.Reader()
	var addresses []chain.Address
	for a := range bad {
		addresses = append(addresses, a)
	}
	states, err := r.AccountStates(ctx, chain.AccountFilter{Addresses: addresses}, page)
	require.NoError(t, err)
	require.Len(t, states, len(bad))
	for i := range states {
		require.Equal(t, chain.Active, states[i].Status, "it is on the chain")
		require.NotEmpty(t, states[i].Methods, "its code is analysed in any case")
	}
	wallets, err := r.JettonWallets(ctx, chain.JettonWalletFilter{Addresses: addresses}, page)
	require.NoError(t, err)
	require.Empty(t, wallets)
	items, err := r.NFTItems(ctx, chain.NFTItemFilter{Addresses: addresses}, page)
	require.NoError(t, err)
	require.Empty(t, items)
	fakes, err := r.JettonMasters(ctx, chain.JettonMasterFilter{Addresses: addresses}, page)
	require.NoError(t, err)
	require.Empty(t, fakes)

	backward := testdb.New(t)
	run(ctx, t, src, backward, last, last, indexer.Options{From: from(t, "latest"), Contracts: opts.Contracts})
	opts.Batch, opts.Workers = 7, 3
	run(ctx, t, src, backward, 1, last, opts)
	require.Equal(t, digest(ctx, t, forward), digest(ctx, t, backward))
}
