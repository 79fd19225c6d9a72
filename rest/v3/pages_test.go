package v3_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/testdb"
)

// The same question at the same moment is read once; a new head, another form of the question or time ask again.
func TestRememberedPages(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write := func(k uint32) { require.NoError(t, db.Writer().Apply(t.Context(), masterBlock(k))) }
	write(12)
	d := open(t, db)
	const path = "/transactions?limit=100"
	require.Equal(t, "T12 J12 W12", names(d.get(path)["transactions"]))
	require.Equal(t, "T12 J12 W12", names(d.get(path)["transactions"]))
	require.Empty(t, d.get(path, "X-No-Address-Book", "1")["address_book"])
	require.NotEmpty(t, d.get(path)["address_book"])

	// Whoever has seen a head sees its rows: the page is never older than the head told before it.
	for k := uint32(13); k <= 20; k++ {
		write(k)
		require.Eventually(t, func() bool {
			return d.get("/masterchainInfo")["last"].(map[string]any)["seqno"] == float64(k)
		}, 5*time.Second, time.Millisecond)
		require.Equal(t, nameOf(map[string]any{"hash": id(hTx, 'T', k).String()}),
			names(d.get("/transactions?limit=1")["transactions"]))
	}
	// Older rows that come in later show after a moment, although the head stays.
	require.Equal(t, "W12", names(d.get("/transactions?limit=1&sort=asc")["transactions"]))
	write(11)
	require.Eventually(t, func() bool {
		return names(d.get("/transactions?limit=1&sort=asc")["transactions"]) == "W11"
	}, 5*time.Second, 10*time.Millisecond)

	// Refusals are not remembered.
	require.Equal(t, "masterchain block 21 not found", d.refuse("/transactions?mc_seqno=21", http.StatusNotFound))
	write(21)
	require.Equal(t, "T21 J21 W21", names(d.get("/transactions?mc_seqno=21")["transactions"]))
}
