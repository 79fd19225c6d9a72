package sqlbuild

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// The operator reacts differently to each, so the messages differ.
func TestServerFault_ResourcesAreNamed(t *testing.T) {
	t.Parallel()
	for code, message := range map[string]string{
		"53100": "the disk of the database is full; nothing can be written until space is freed",
		"53200": "the database is short of memory",
		"53300": "the database accepts no more connections",
		"53400": "the database cannot be reached now",
		"57P03": "the database cannot be reached now",
		"58030": "the database cannot read or write its disk",
	} {
		err := ServerFault("transactions", &pgconn.PgError{Code: code, Message: "could not extend file \"base/1/2\""})
		require.Equal(t, chain.Unavailable, chain.KindOf(err), code)
		require.Contains(t, chain.PublicMessage(err), message, code)
		require.Equal(t, code == "57P03", IsConnectionLost(err), code)
		require.NotContains(t, chain.PublicMessage(err), "base/1/2", code)
	}
}
