package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/traces"
	"tonql/internal/testdb"
)

// The keys are stored and never change.
func TestAccountKey_IsTheBeginningOfSHA256(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, -3597147775307562999, traces.AccountKey(chain.Address{}))
	db := testdb.New(t).SQLDB()
	defer func() { require.NoError(t, db.Close()) }()
	for _, a := range []chain.Address{{}, testdb.Address(), {Workchain: -1, ID: testdb.Hash()}} {
		var key int64
		require.NoError(t, db.QueryRowContext(t.Context(),
			`SELECT ('x' || encode(substr(sha256($1), 1, 8), 'hex'))::bit(64)::bigint`, a.Bytes()).Scan(&key))
		require.Equal(t, key, traces.AccountKey(a))
	}
}
