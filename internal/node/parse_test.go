package node_test

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
	"tonql/internal/node"
)

// manyCells is a bag of cells without content: two bytes of it take a hundred in memory.
func manyCells(count int) []byte {
	b := []byte{0xb5, 0xee, 0x9c, 0x72, 3, 4}
	b = append(b, byte(count>>16), byte(count>>8), byte(count), 0, 0, 1, 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(2*count))
	return append(append(b, 0, 0, 0), make([]byte, 2*count)...)
}

// Bags of cells that have no proven hash are refused before their cells are made.
func TestResponses_BagsOfTooManyCellsAreRefused(t *testing.T) {
	t.Parallel()
	at := chain.BlockIDExt{BlockID: chain.MasterBlockID(9), RootHash: chain.Hash{1}, FileHash: chain.Hash{2}}
	to := chain.BlockIDExt{BlockID: chain.MasterBlockID(5), RootHash: chain.Hash{3}, FileHash: chain.Hash{4}}
	check := func(response tl.Serializable) error {
		raw, err := tl.Serialize(response, true)
		require.NoError(t, err)
		_, err = node.CheckResponse(raw, node.Expectation{States: node.NewStateHashes(), Master: at, From: at, To: to})
		return err
	}
	link := func(proof []byte) tl.Serializable {
		return ton.PartialBlockProof{From: toTL(at), To: toTL(to), Steps: []any{
			ton.BlockLinkBackward{From: toTL(at), To: toTL(to), Proof: proof, StateProof: proof, DestProof: proof},
		}}
	}
	for name, send := range map[string]func(cells int) error{
		"configuration": func(n int) error {
			return check(ton.ConfigAll{ID: toTL(at), StateProof: manyCells(n), ConfigProof: manyCells(1)})
		},
		"link":       func(n int) error { return check(link(manyCells(n))) },
		"shard link": func(n int) error { return node.CheckShardLink(at, to, manyCells(n)) },
		"library": func(n int) error {
			return node.CheckLibrary(&ton.LibraryEntry{Hash: make([]byte, 32), Data: manyCells(n)})
		},
	} {
		require.ErrorContains(t, send(node.MaxProofCells+1), "too many cells", name)
		err := send(node.MaxProofCells)
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "too many cells", name)
	}
	err := node.CheckHistory(chain.Address{}, chain.TransactionRef{LT: 1}, ton.TransactionList{Transactions: manyCells(node.MaxHistoryCells + 1)})
	require.ErrorContains(t, err, "too many cells")
}

// Large responses wait for each other, so that many at once do not take the memory of all. Others do not wait.
func TestResponses_LargeOnesAreParsedSomeAtATime(t *testing.T) {
	t.Parallel()
	response := func(size int) []byte {
		id := chain.BlockIDExt{BlockID: chain.MasterBlockID(1)}
		raw, err := tl.Serialize(ton.BlockData{ID: toTL(id), Payload: make([]byte, size)}, true)
		require.NoError(t, err)
		return raw
	}
	require.NoError(t, node.ParseWhileBusy(t.Context(), response(1000)))
	require.NoError(t, node.ParseAlone(t.Context(), response(300<<10)))
	require.NoError(t, node.ParseAlone(t.Context(), response(12<<20)), "one above the bound")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, node.ParseWhileBusy(ctx, response(300<<10)), context.DeadlineExceeded)
}
