package contract_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/pacetest"
)

// Detection of any code stays within the budget and confirms nothing about other contracts.
func FuzzDetect_ConfirmsNothingOfOtherContracts(f *testing.F) {
	for _, tc := range hostile {
		f.Add(contracttest.Seed(contracttest.Asm(tc.code)))
	}
	other := contracttest.Address("famous")
	f.Add(contracttest.Seed(contracttest.MethodReturning(0, 5, other, other, contracttest.Asm(""))))
	f.Add(contracttest.Seed(contracttest.MethodReturning(0, -1, 5, other, other, contracttest.Asm("00"))))
	famous := contracttest.Account("famous", map[string]*cell.Cell{
		"get_wallet_address":       contracttest.MethodReturning(1, contracttest.Address("genuine")),
		"get_nft_address_by_index": contracttest.MethodReturning(1, contracttest.Address("genuine")),
		"get_order_address":        contracttest.MethodReturning(1, contracttest.Address("genuine")),
	})
	budget := contract.Budget{Gas: 20_000, TotalGas: 100_000}
	r := contracttest.Runner(f, mainnetBlock(f).env.Config.Root(), contract.Env{}, contract.Options{Budget: budget})
	f.Fuzz(func(t *testing.T, data []byte) {
		body := contracttest.Tree(data)
		methods := map[string]*cell.Cell{}
		for _, m := range []string{
			"get_wallet_data", "get_jetton_data", "get_wallet_address", "get_collection_data", "get_nft_address_by_index",
			"get_nft_data", "get_nft_content", "get_authority_address", "get_sale_data", "get_auction_data_v4", "dnsresolve",
			"get_domain", "get_multisig_data", "get_order_address", "get_order_data", "get_vesting_data", "is_claimed",
		} {
			methods[m] = body
		}
		start := time.Now()
		facts, err := contract.Detect(t.Context(), contracttest.Snapshot{}.Add(famous), r, contracttest.Account("fuzzed", methods))
		require.NoError(t, err)
		require.Empty(t, facts.Failed)
		require.Less(t, time.Since(start), pacetest.Slow*3*time.Second)
		if w := facts.JettonWallet; w != nil {
			require.NotEqual(t, other, w.Jetton)
		}
		if i := facts.NFTItem; i != nil && i.Collection != nil {
			require.NotEqual(t, other, *i.Collection)
		}
		_ = facts.Record(&contract.State{Address: other}, 1)
	})
}

// Code may be any tree of cells.
func FuzzMethods_ReadAnyTreeOfCells(f *testing.F) {
	f.Add(contracttest.Seed(contracttest.Code(map[string]*cell.Cell{"seqno": contracttest.MethodReturning(0, 1)})))
	f.Fuzz(func(t *testing.T, data []byte) {
		code := contracttest.Tree(data)
		for _, id := range contract.Methods(code) {
			require.Positive(t, id)
		}
		require.Empty(t, contract.LibraryRefs(code))
		require.NotNil(t, contract.Interfaces(chain.Hash{}, contract.Methods(code)))
	})
}
