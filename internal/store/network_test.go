package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

func TestClaim_AnotherChainIsRefused(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	first := chain.BlockIDExt{RootHash: chain.Hash{1}, FileHash: chain.Hash{2}}
	require.NoError(t, db.Writer().Claim(t.Context(), first))
	require.NoError(t, db.Writer().Claim(t.Context(), first), "the same chain again")
	err := db.Writer().Claim(t.Context(), chain.BlockIDExt{RootHash: chain.Hash{3}, FileHash: chain.Hash{2}})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.ErrorContains(t, err, "another database")
}

// A reader compares the chain without claiming the database.
func TestCheckNetwork_RefusesAnotherChainAndClaimsNothing(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	first := chain.BlockIDExt{RootHash: chain.Hash{1}, FileHash: chain.Hash{2}}
	other := chain.BlockIDExt{RootHash: chain.Hash{1}, FileHash: chain.Hash{3}}
	require.NoError(t, db.Reader().CheckNetwork(t.Context(), other), "nothing is claimed")
	require.NoError(t, db.Writer().Claim(t.Context(), first))
	require.NoError(t, db.Reader().CheckNetwork(t.Context(), first))
	err := db.Reader().CheckNetwork(t.Context(), other)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.ErrorContains(t, err, "another database")
}
