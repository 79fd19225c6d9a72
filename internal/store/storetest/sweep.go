package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/cellsweep"
)

// NoPause is the pause of a sweep without pauses.
func NoPause(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// NoLibraries finds the libraries of states without libraries.
func NoLibraries([]byte, func(chain.Hash)) error { return nil }

// sweptPages is how many pages a transaction of these tests looks at.
const sweptPages = 4

// ListUsed begins a sweep and reads what is in use.
func ListUsed(t testing.TB, db *store.DB) *cellsweep.Sweep {
	t.Helper()
	s, err := db.Writer().BeginSweep(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Use(t.Context(), NoLibraries, NoPause))
	require.NoError(t, s.Parts(t.Context(), NoPause))
	return s
}

// RemoveUnused ends a sweep and returns how many rows it removed.
func RemoveUnused(t testing.TB, db *store.DB, s *cellsweep.Sweep) (removed int) {
	t.Helper()
	for {
		step, err := s.Remove(t.Context(), sweptPages)
		require.NoError(t, err)
		if removed += step.Removed; step.Done {
			require.NoError(t, db.Writer().EndSweep(t.Context()))
			return removed
		}
	}
}

// StateHashes returns the cells that the states of the index refer to.
func StateHashes(t *testing.T, db *store.DB) (hashes []chain.Hash) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	rows, err := handle.QueryContext(t.Context(), `SELECT DISTINCT hash FROM (
		SELECT code_hash AS hash FROM accounts UNION ALL SELECT data_hash FROM accounts
		UNION ALL SELECT code_hash FROM account_states UNION ALL SELECT data_hash FROM account_states
		UNION ALL SELECT substr(states, 2, 32) FROM transactions WHERE get_byte(states, 0) & 1 <> 0
		UNION ALL SELECT substr(states, 34, 32) FROM transactions WHERE get_byte(states, 0) & 3 = 3) h WHERE hash IS NOT NULL`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var raw []byte
		require.NoError(t, rows.Scan(&raw))
		hashes = append(hashes, chain.HashFrom(raw))
	}
	require.NoError(t, rows.Err())
	return hashes
}

// RequireCells fails for a state whose cells are not stored completely.
func RequireCells(t *testing.T, db *store.DB) {
	t.Helper()
	hashes := StateHashes(t, db)
	require.NotEmpty(t, hashes)
	found, err := db.Reader().Cells(t.Context(), hashes)
	require.NoError(t, err)
	for _, h := range hashes {
		require.Contains(t, found, h)
	}
}
