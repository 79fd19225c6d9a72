package main

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/store/moves"
	"tonql/internal/store/storetest"
)

// digestOf runs tonql verify and returns the digest that it prints. All rows must match the chain: with the network, and without.
func digestOf(t *testing.T, c indexedChain) string {
	t.Helper()
	status, out, _ := exits(t, c.verify("--data", t.TempDir())...)
	require.Zero(t, status, out)
	require.Contains(t, out, "the rows match the hashes of their blocks")
	status, out, _ = exits(t, "verify", "--digest", "--database-url", c.url, "--global-config", c.config, "--proofs", "fast", "--data", t.TempDir())
	require.Zero(t, status, out)
	found := regexp.MustCompile(`(?s)\n(\w+ +\d+ rows .*digest [0-9a-f]{64})`).FindStringSubmatch(out)
	require.NotNil(t, found, out)
	return found[1]
}

// The command is killed again and again. It continues where it was, and the database verifies, with and without the network, and has
// the same digest before, between and after.
func TestMigrateBackground_KilledAtAnyMoment(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := newIndexedChain(t, 25)
	storetest.AsBefore(t, c.db)
	want := digestOf(t, c)
	moved := func() int64 {
		list, err := c.db.Writer().MoveStatuses(t.Context())
		require.NoError(t, err)
		require.Equal(t, moves.OfTransactions, list[1].Name)
		return list[1].Moved
	}
	background := []string{"migrate", "--background", "--database-url", c.url, "--data", t.TempDir(), "--move-rate", "80"}
	for kill := range 4 {
		before := moved()
		p := start(t, background...)
		eventually(t, time.Minute, "rows are moved", func() bool { return moved() > before })
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond) // any moment
		require.NoError(t, p.cmd.Process.Kill())
		<-p.ended
		if kill == 1 {
			require.Equal(t, want, digestOf(t, c))
		}
	}
	_, out, _ := exits(t, "doctor", "--database-url", c.url, "--data", t.TempDir(), "--global-config", c.config, "--check-timeout", "20s")
	require.Regexp(t, `warn +moves of rows: transactions: about \d+ % of the rows`, out)
	c.exec(`UPDATE transaction_bocs SET boc = substr(boc, 2) WHERE (account, lt) = (SELECT account, lt FROM transaction_bocs ORDER BY account, lt LIMIT 1)`)
	status, out, log := exits(t, background[:len(background)-2]...)
	require.Zero(t, status, log)
	require.Regexp(t, `transactions: all rows are examined, \d+ were moved\n`, out)
	require.Contains(t, out, "transactions: 1 rows stay as they are: they are damaged, or the raw transaction contradicts the columns")
	require.Equal(t, 1, strings.Count(log, "rows stay in the form of an earlier version"))
	c.exec(`UPDATE transaction_bocs SET boc = '\xb5'::bytea || boc`)
	require.Equal(t, want, digestOf(t, c))

	// Another run does nothing.
	last := moved()
	status, out, log = exits(t, background...)
	require.Zero(t, status, log)
	require.NotContains(t, log, "moving rows")
	require.Contains(t, out, "transactions: all rows are examined")
	require.Equal(t, last, moved())
	require.Equal(t, want, digestOf(t, c))
}
