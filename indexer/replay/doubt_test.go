package replay

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
)

// prunedSource is a network that no longer has a part of the context of old blocks.
type prunedSource struct {
	*mainnet.FatBlock

	noIDs, noStates bool
}

func (s *prunedSource) MasterBlockID(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	if s.noIDs {
		return chain.BlockIDExt{}, chain.NotFoundf("no server has block %d", seqno)
	}
	return s.FatBlock.MasterBlockID(ctx, seqno)
}

func (s *prunedSource) LibrariesAt(ctx context.Context, at chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	if s.noStates {
		return nil, chain.NotFoundf("no server has the state of block %d", at.Seqno)
	}
	return s.FatBlock.LibrariesAt(ctx, at, hashes)
}

// A transaction that may depend on what the network no longer has is no mismatch; one that depends on nothing of it replays.
func TestReplay_WithoutContextOfTheBlockThereIsNoMismatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		noIDs, noStates bool
		libraries       bool // the transaction can depend on libraries
		reason          string
	}{{noIDs: true, reason: noPrevBlocks}, {noStates: true, libraries: true, reason: noLibraries}, {noStates: true}} {
		fat := mainnet.OpenFatBlock(t)
		m := newMaster(t, fat)
		changed := slices.IndexFunc(loneTransactions(m), func(i int) bool { return namesLibraries(t, fat, m, i) == tc.libraries })
		require.GreaterOrEqual(t, changed, 0)
		changed = loneTransactions(m)[changed]
		m.Transactions[changed].Hash[5] ^= 1
		stats, err := New(NewNetwork(&prunedSource{FatBlock: fat, noIDs: tc.noIDs, noStates: tc.noStates}), Options{}).Run(t.Context(), m)
		require.NoError(t, err)
		require.Equal(t, fat.TxCount-1, stats.Replayed, tc.reason)
		if tc.reason == "" {
			require.Equal(t, chain.Mismatch, m.Transactions[changed].Verification)
			continue
		}
		require.Zero(t, stats.Mismatched, tc.reason)
		require.Equal(t, map[string]int{tc.reason: 1}, stats.Proven)
		require.Equal(t, chain.Proven, m.Transactions[changed].Verification)
	}
}

// namesLibraries reports whether the state before a transaction, or its message, names a library.
func namesLibraries(t *testing.T, fat *mainnet.FatBlock, m *decode.Master, i int) bool {
	t.Helper()
	raw, err := fat.Account(t.Context(), m.Headers[m.BlockOf[i]].Parents[0], m.Transactions[i].Account)
	require.NoError(t, err)
	found := raw.Root != nil && len(libraryRefs(raw.Root, 1)) > 0
	return found || m.Cells[i].InMsg != nil && len(libraryRefs(m.Cells[i].InMsg, 1)) > 0
}
