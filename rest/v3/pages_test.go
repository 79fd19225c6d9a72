package v3_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chaintest"
	"tonql/internal/testdb"
)

// Equal requests are read once. A new head, another form of the request, or time causes a new read.
func TestPages_AreCachedPerHead(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write := func(k uint32) { require.NoError(t, db.Writer().Apply(t.Context(), chaintest.Master(k))) }
	write(12)
	d := open(t, db)
	const path = "/transactions?limit=100"
	require.Equal(t, "T12 J12 W12", names(d.get(path)["transactions"]))
	require.Equal(t, "T12 J12 W12", names(d.get(path)["transactions"]))
	require.Empty(t, d.get(path, "X-No-Address-Book", "1")["address_book"])
	require.NotEmpty(t, d.get(path)["address_book"])

	// A page is never older than a head that was returned before it.
	for k := uint32(13); k <= 20; k++ {
		write(k)
		require.Eventually(t, func() bool {
			return d.get("/masterchainInfo")["last"].(map[string]any)["seqno"] == float64(k)
		}, time.Minute, time.Millisecond)
		require.Equal(t, nameOf(map[string]any{"hash": chaintest.Tx.Hash('T', k).String()}),
			names(d.get("/transactions?limit=1")["transactions"]))
	}
	// Backfilled rows appear after the TTL, although the head is unchanged.
	require.Equal(t, "W12", names(d.get("/transactions?limit=1&sort=asc")["transactions"]))
	write(11)
	require.Eventually(t, func() bool {
		return names(d.get("/transactions?limit=1&sort=asc")["transactions"]) == "W11"
	}, time.Minute, 10*time.Millisecond)

	// Errors are not cached.
	require.Equal(t, "masterchain block 21 not found", d.refuse("/transactions?mc_seqno=21", http.StatusNotFound))
	write(21)
	require.Equal(t, "T21 J21 W21", names(d.get("/transactions?mc_seqno=21")["transactions"]))
}
