package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/store"
	"tonql/internal/testdb"
)

func TestDiagnose_ReadsTheServerWithAndWithoutSchema(t *testing.T) {
	t.Parallel()
	for _, url := range []string{testdb.URL(t), testdb.EmptyURL(t)} {
		d, err := store.Diagnose(t.Context(), url)
		require.NoError(t, err)
		require.GreaterOrEqual(t, d.Version, 150000)
		require.WithinDuration(t, time.Now(), d.Clock, time.Minute)
		require.False(t, d.Standby)
		require.NotZero(t, d.System)
		require.Positive(t, d.Bytes)
		require.Positive(t, d.Connections)
		require.Zero(t, d.Delay)
		require.Zero(t, d.Endpoints)
		require.Contains(t, []string{"on", "off"}, d.Settings["fsync"])
		require.Equal(t, "UTF8", d.Settings["server_encoding"])
		require.NotEmpty(t, d.Settings["shared_buffers"])
	}
	require.NoError(t, store.CheckSchema(t.Context(), testdb.URL(t)))
	require.ErrorContains(t, store.CheckSchema(t.Context(), testdb.EmptyURL(t)), "run 'tonql migrate'")
}

func TestDiagnose_PasswordIsInNoError(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"postgres://user:hunter2@127.0.0.1:1/tonql?connect_timeout=2", "postgres://user:hunter2@host:port/"} {
		_, err := store.Diagnose(t.Context(), url)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "hunter2")
	}
}
