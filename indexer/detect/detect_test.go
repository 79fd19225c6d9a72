package detect_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer/decode"
	"tonql/indexer/detect"
	"tonql/indexer/mainnet"
	"tonql/indexer/replay"
	"tonql/internal/chain"
)

// replayed decodes and executes the recorded block of the main network.
func replayed(tb testing.TB, fat *mainnet.FatBlock) (*replay.Network, *decode.Master) {
	tb.Helper()
	net := replay.NewNetwork(fat)
	m, err := decode.MasterBlock(tb.Context(), fat.Raw)
	require.NoError(tb, err)
	_, err = replay.New(net, replay.Options{}).Run(tb.Context(), m)
	require.NoError(tb, err)
	return net, m
}

// The number of workers and cached states of an earlier run must not change the rows.
func TestBatch_SameBlockHasSameRows(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	net, m := replayed(t, fat)
	var want chain.MasterBlock
	for i, workers := range []int{1, 2, 5} {
		d := detect.New(fat, net, detect.Options{Workers: workers})
		t.Cleanup(d.Close)
		batch := d.NewBatch()
		for range 2 {
			stats, err := batch.Run(t.Context(), m)
			require.NoError(t, err)
			require.Equal(t, len(fat.Accounts()), stats.Accounts)
			require.Equal(t, 6, stats.Undetected, "the recording lacks six masters")
			require.Zero(t, stats.Failed)
			require.Positive(t, stats.Gas)
		}
		if i == 0 {
			want = *m.MasterBlock
			continue
		}
		require.Equal(t, want.Contracts, m.Contracts)
		require.Equal(t, want.JettonTransfers, m.JettonTransfers)
		require.Equal(t, want.JettonBurns, m.JettonBurns)
		require.Equal(t, want.NFTTransfers, m.NFTTransfers)
	}
	interfaces := map[string]int{}
	for i := range want.Contracts {
		for _, name := range want.Contracts[i].Interfaces {
			interfaces[name]++
		}
	}
	require.Equal(t, 112, interfaces["wallet_v5r1"], "%v", interfaces)
	require.Equal(t, 83, interfaces["wallet_v4r2"], "%v", interfaces)
}

// Accounts that use up the gas of the first run are recorded by their code when the gas of the block is spent.
func TestBatch_WithoutGasOnlyCodeIsRecorded(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	net, m := replayed(t, fat)
	d := detect.New(fat, net, detect.Options{QuickGas: 500, BlockGas: 1})
	t.Cleanup(d.Close)
	stats, err := d.NewBatch().Run(t.Context(), m)
	require.NoError(t, err)
	require.Greater(t, stats.Undetected, 8)
	require.Len(t, m.Contracts, stats.Accounts)
	masters, named := 0, 0
	for i := range m.Contracts {
		if m.Contracts[i].JettonMaster != nil {
			masters++
		}
		if slices.Contains(m.Contracts[i].Interfaces, "jetton_master") {
			named++
		}
	}
	require.Equal(t, 3, named, "detected by the code")
	require.Less(t, masters, 3)
}

// After an error of the network, another Run completes the block.
func TestBatch_RunsAgainAfterNetworkError(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	net, m := replayed(t, fat)
	src := &failingSource{Source: fat, fails: true}
	d := detect.New(src, net, detect.Options{})
	t.Cleanup(d.Close)
	batch := d.NewBatch()
	_, err := batch.Run(t.Context(), m)
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	src.fails = false
	stats, err := batch.Run(t.Context(), m)
	require.NoError(t, err)
	require.Positive(t, stats.Fetched)
	require.Len(t, m.Contracts, stats.Accounts)
}

// failingSource is a source whose accounts are unavailable while fails is set.
type failingSource struct {
	chain.Source
	fails bool
}

func (l *failingSource) Account(ctx context.Context, at chain.BlockIDExt, a chain.Address) (*chain.RawAccount, error) {
	if l.fails {
		return nil, &chain.Error{Kind: chain.Unavailable, Message: "no server responded"}
	}
	return l.Source.Account(ctx, at, a)
}

// BenchmarkFatBlock detects the 234 accounts of a full block of the main network.
func BenchmarkFatBlock(b *testing.B) {
	fat := mainnet.OpenFatBlock(b)
	net, m := replayed(b, fat)
	d := detect.New(fat, net, detect.Options{})
	b.Cleanup(d.Close)
	batch := d.NewBatch()
	b.ReportAllocs()
	for b.Loop() {
		_, err := batch.Run(b.Context(), m)
		require.NoError(b, err)
	}
	b.ReportMetric(float64(fat.TxCount*b.N)/b.Elapsed().Seconds(), "tx/s")
}
