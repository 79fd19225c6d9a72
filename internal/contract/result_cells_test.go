package contract_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
)

// wide returns a tree of some number of different cells.
func wide(cells int) *cell.Cell {
	var list []*cell.Cell
	for i := 0; i < cells*3/4 || len(list) > 1; i++ {
		b := cell.BeginCell().MustStoreSlice(binary.BigEndian.AppendUint64(nil, uint64(i)), 64)
		if i >= cells*3/4 {
			n := min(4, len(list))
			for _, c := range list[:n] {
				b.MustStoreRef(c)
			}
			list = list[n:]
		}
		list = append(list, b.EndCell())
	}
	return list[0]
}

// The cells of a result are paid from the gas of the detection, and limited; a call of the APIs gets all of them.
func TestDetect_CellsOfResultsArePaid(t *testing.T) {
	t.Parallel()
	config := mainnetBlock(t).env.Config.Root()
	full := contracttest.Runner(t, config, contract.Env{}, contract.Options{})
	quick := contract.DefaultBudget()
	quick.Gas, quick.TotalGas = 50_000, 50_000
	first := contracttest.Runner(t, config, contract.Env{}, contract.Options{Budget: quick})
	for _, tc := range []struct {
		cells         int
		quick, atFull int64 // the least gas
	}{{100, 1_000, 1_000}, {4_000, 40_000, 40_000}, {8_000, 50_000, 80_000}, {60_000, 50_000, 80_000}} {
		collection := contracttest.Account("collection", map[string]*cell.Cell{
			"get_nft_address_by_index": contracttest.Asm("c87401cb027001ca07cbffc9d0"), // the address of the index
			"get_nft_content":          contracttest.Asm("3030ed44"),                   // c4
		})
		collection.Data = wide(tc.cells)
		rest := contracttest.MethodReturning(0, collection.Address, contracttest.Address("owner"), contracttest.Asm(""))
		item := contracttest.Account("item", map[string]*cell.Cell{ // its index is its address
			"get_nft_data": cell.BeginCell().MustStoreSlice([]byte{0x7f, 0xf8, 0x28, 0xfa, 0x44, 0x31}, 48).MustStoreRef(rest.MustPeekRef(0)).EndCell(),
		})
		snapshot := contracttest.Snapshot{}.Add(collection, item)
		facts := contracttest.Detect(t, first, snapshot, item)
		require.GreaterOrEqual(t, facts.Gas, tc.quick, "%d cells", tc.cells)
		facts = contracttest.Detect(t, full, snapshot, item)
		require.GreaterOrEqual(t, facts.Gas, tc.atFull, "%d cells", tc.cells)
		require.NotNil(t, facts.NFTItem, "%d cells", tc.cells)

		result, err := full.Run(t.Context(), &collection, "get_nft_content", int64(0), contracttest.Asm(""))
		require.NoError(t, err)
		require.Equal(t, collection.Data.HashKey(), result.Read().Cell().HashKey())
		require.Less(t, result.Gas, int64(1000))
	}
}

// Content whose values share their cells takes as much gas as reading them takes time, not as its few cells.
func TestDetect_ContentIsPaid(t *testing.T) {
	t.Parallel()
	config := mainnetBlock(t).env.Config.Root()
	full := contracttest.Runner(t, config, contract.Env{}, contract.Options{})
	quick := contract.DefaultBudget()
	quick.Gas, quick.TotalGas = 50_000, 50_000
	first := contracttest.Runner(t, config, contract.Env{}, contract.Options{Budget: quick})
	chunks := cell.BeginCell().MustStoreUInt(1, 8).MustStoreMaybeRef(cellgraphtest.Dict(32, cell.BeginCell().MustStoreRef(cellgraphtest.Snake(50, nil))))
	shared := cell.BeginCell().MustStoreUInt(0, 8).MustStoreMaybeRef(cellgraphtest.Dict(256, cell.BeginCell().MustStoreRef(chunks.EndCell()))).EndCell()
	image := contracts.OnchainContent(map[string]string{"name": "N", "image_data": strings.Repeat("i", 20_000)})
	for _, tc := range []struct {
		content       *cell.Cell
		quick, atFull int64 // the least gas
		most          int64 // at full
	}{{image, 6_000, 6_000, 20_000}, {shared, 50_000, 100_000, 400_000}} {
		master := contracttest.Account("token", map[string]*cell.Cell{
			"get_jetton_data":    contracttest.MethodReturning(0, 5, -1, contracttest.Address("admin"), tc.content, contracttest.Asm("")),
			"get_wallet_address": contracttest.Asm(""),
		})
		collection := contracttest.Account("token", map[string]*cell.Cell{
			"get_collection_data":      contracttest.MethodReturning(0, 5, tc.content, contracttest.Address("owner")),
			"get_nft_address_by_index": contracttest.Asm(""),
		})
		item := contracttest.Account("token", map[string]*cell.Cell{
			"get_nft_data": contracttest.MethodReturning(0, -1, 0, nil, contracttest.Address("owner"), tc.content),
		})
		for _, token := range []contract.State{master, collection, item} {
			facts := contracttest.Detect(t, first, contracttest.Snapshot{}, token)
			require.GreaterOrEqual(t, facts.Gas, tc.quick)
			facts = contracttest.Detect(t, full, contracttest.Snapshot{}, token)
			require.GreaterOrEqual(t, facts.Gas, tc.atFull)
			require.LessOrEqual(t, facts.Gas, tc.most)
			require.Equal(t, content.Read(tc.content), contentOf(&facts))
		}
	}
}

// contentOf returns the content of the only token in facts.
func contentOf(f *contract.Facts) chain.Content {
	switch {
	case f.JettonMaster != nil:
		return f.JettonMaster.Content
	case f.NFTCollection != nil:
		return f.NFTCollection.Content
	case f.NFTItem != nil:
		return f.NFTItem.Content
	default:
		return nil
	}
}
