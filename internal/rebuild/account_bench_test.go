package rebuild_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/rebuild"
)

// BenchmarkEncode measures what indexing does besides decoding: the rest of an account, and the frame of a block.
func BenchmarkEncode(b *testing.B) {
	fat := mainnet.OpenFatBlock(b)
	at := fat.Raw.Shards[0].ID
	at.BlockID = fat.Parent
	var states []decode.State
	var roots []*chain.RawAccount
	for _, a := range fat.Accounts() {
		raw, err := fat.Account(b.Context(), at, a)
		require.NoError(b, err)
		if raw.Root == nil {
			continue
		}
		s, err := decode.Account(a, chain.TransactionRef{LT: raw.LastTxLT, Hash: raw.LastTxHash}, raw.Root)
		require.NoError(b, err)
		states, roots = append(states, s), append(roots, raw)
	}
	b.Run("account", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			s := &states[i%len(states)]
			rest, err := rebuild.ParseAccountRest(s.Row.Rest, s.Row.LT)
			require.NoError(b, err)
			cells := rebuild.AccountCells{Code: s.Code, Data: s.Data, Libraries: s.Libraries}
			_, err = rebuild.EncodeAccount(&s.Row, &rest, cells, true, roots[i%len(roots)].Root)
			require.NoError(b, err)
		}
	})
	b.Run("frame", func(b *testing.B) {
		header, _, err := decode.Block(&fat.Raw.Shards[0])
		require.NoError(b, err)
		b.ReportAllocs()
		for b.Loop() {
			_, err := rebuild.EncodeFrame(&header.Block, fat.Raw.Shards[0].Root)
			require.NoError(b, err)
		}
	})
}
