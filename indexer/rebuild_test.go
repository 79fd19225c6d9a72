package indexer_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/rebuild"
	"tonql/internal/store"
)

// TestIndex_EveryAccountIsRebuilt builds the cell of every account state of a local chain from the database alone.
func TestIndex_EveryAccountIsRebuilt(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 120
	_, db := newIndex(ctx, t, blocks)

	keys := stateKeys(ctx, t, db)
	require.Greater(t, len(keys), 500)
	states, err := db.Reader().StoredStates(ctx, keys)
	require.NoError(t, err)
	require.Len(t, states, len(keys))
	bytes := 0
	for i := range states {
		s := &states[i]
		built, err := rebuild.Account(s, s.Rest, cellsOf(ctx, t, db.Reader(), s))
		require.NoError(t, err)
		require.Equal(t, s.Hash, chain.Hash(built.HashKey(0)))
		bytes += len(s.Rest)
	}
	t.Logf("%d states: %.2f bytes of rest on average", len(states), float64(bytes)/float64(len(states)))
}

// stateKeys lists the states of accounts in the database.
func stateKeys(ctx context.Context, t *testing.T, db *store.DB) []chain.TransactionKey {
	t.Helper()
	sql := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, sql.Close()) })
	rows, err := sql.QueryContext(ctx, `SELECT account, lt FROM account_states
		UNION SELECT account, lt FROM transactions WHERE states IS NOT NULL ORDER BY account, lt`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var keys []chain.TransactionKey
	for rows.Next() {
		var account []byte
		var lt int64
		require.NoError(t, rows.Scan(&account, &lt))
		key := chain.TransactionKey{LT: uint64(lt)}
		key.Account = chain.Address{Workchain: int32(account[0]) - 128, ID: chain.Hash(account[1:])}
		keys = append(keys, key)
	}
	require.NoError(t, rows.Err())
	return keys
}

// cellsOf reads the cells of a state.
func cellsOf(ctx context.Context, t *testing.T, r *store.Reader, s *chain.AccountState) rebuild.AccountCells {
	t.Helper()
	var cells rebuild.AccountCells
	if s.Status != chain.Active {
		return cells
	}
	rest, err := rebuild.ParseAccountRest(s.Rest, s.LT)
	require.NoError(t, err)
	for _, part := range []struct {
		hash *chain.Hash
		into **cell.Cell
	}{{s.CodeHash, &cells.Code}, {s.DataHash, &cells.Data}, {rest.Libraries, &cells.Libraries}} {
		if part.hash == nil {
			continue
		}
		found, err := r.Cells(ctx, []chain.Hash{*part.hash})
		require.NoError(t, err)
		if boc, ok := found[*part.hash]; ok {
			*part.into, err = cell.FromBOC(boc)
			require.NoError(t, err)
		}
	}
	return cells
}
