package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/chain"
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

func TestDiagnose_NamesThePoolsOfKeysThatAreValid(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	keys := testdb.Open(t, url).Access()
	for i, o := range []access.Order{
		{Owner: "a", Network: "mainnet", Liteservers: "alice"}, {Owner: "b", Network: "mainnet", Liteservers: "alice"},
		{Owner: "a", Network: "testnet", Liteservers: "bob"}, {Owner: "c", Network: "mainnet", Liteservers: "ended"}, {Owner: "d", Network: "mainnet"},
	} {
		k, err := keys.CreateKey(t.Context(), o, chain.Hash{byte(i)}, "hint")
		require.NoError(t, err)
		if o.Liteservers == "ended" {
			require.NoError(t, keys.ExpireKey(t.Context(), k.ID, 0))
		}
	}
	d, err := store.Diagnose(t.Context(), url)
	require.NoError(t, err)
	require.Equal(t, []store.KeyPool{{Network: "mainnet", Name: "alice", Keys: 2}, {Network: "testnet", Name: "bob", Keys: 1}}, d.Pools)
}

func TestDiagnose_PasswordIsInNoError(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"postgres://user:hunter2@127.0.0.1:1/tonql?connect_timeout=2", "postgres://user:hunter2@host:port/"} {
		_, err := store.Diagnose(t.Context(), url)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "hunter2")
	}
}
