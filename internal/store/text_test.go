package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// Text that PostgreSQL cannot store is an error of the caller, in every statement that it reaches.
func TestText_ThatPostgreSQLRejectsIsInvalid(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for _, text := range []string{"a\x00b", "\xff", "\xed\xa0\x80"} {
		_, err := db.Payments().Payment(t.Context(), text)
		require.ErrorIs(t, err, chain.ErrText)
		require.Equal(t, chain.Invalid, chain.KindOf(err))
		requireNoInternals(t, err)
	}
}
