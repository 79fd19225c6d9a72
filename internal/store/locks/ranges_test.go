package locks_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// One command at a time moves blocks to or from cold servers, in whatever process, and none while others rely on that they stay.
func TestRanges_OneCommandMovesBlocks(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url := testdb.URL(t)
	a, b := testdb.Open(t, url).Writer(), testdb.Open(t, url).Writer()
	refused := func(err error) {
		t.Helper()
		require.Equal(t, chain.Invalid, chain.KindOf(err), "%v", err)
		require.Regexp(t, `another command moves blocks .* \(its PostgreSQL process is [1-9]\d*\): wait until it ends`, chain.PublicMessage(err))
	}
	moving, err := a.LockRanges(t.Context())
	require.NoError(t, err)
	require.NoError(t, moving.Check(t.Context()))
	_, err = b.LockRanges(t.Context())
	refused(err)
	_, err = b.ShareRanges(t.Context())
	refused(err)
	moving.Release()

	require.Eventually(t, func() bool {
		one, err := b.ShareRanges(t.Context())
		if err == nil {
			t.Cleanup(one.Release)
		}
		return err == nil
	}, time.Minute, 5*time.Millisecond, "the lock ends with its connection")
	two, err := a.ShareRanges(t.Context())
	require.NoError(t, err)
	defer two.Release()
	_, err = a.LockRanges(t.Context())
	refused(err)
}
