package main

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
)

// Two processes of 'index --to' share a range beside the one that follows; they end with status 0 when it is complete, and the database
// matches the chain.
func TestIndex_RangeIsFilledBesideOthers(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{})
	db, url, data := pgclustertest.Open(t, c), c.Primary().DSN("tonql"), t.TempDir()
	chain := start(t, "devnet", "--data", data, "--block-interval", "100ms")
	config := chain.expect(`(\S*global\.config\.json)`, time.Minute)
	common := []string{"--database-url", url, "--global-config", config, "--data", t.TempDir()}
	head := start(t, append([]string{"index", "--from", "20", "--admin-listen", "127.0.0.1:0"}, common...)...)
	eventually(t, time.Minute, "the index follows", func() bool {
		ranges, err := db.Reader().Ranges(t.Context())
		return err == nil && len(ranges) == 1 && ranges[0].Last > 25
	})
	var fillers []*process
	for range 2 {
		fillers = append(fillers, start(t, append([]string{"index", "--from", "1", "--to", "19", "--commit-blocks", "4"}, common...)...))
	}
	for _, p := range fillers {
		select {
		case <-p.ended:
		case <-time.After(2 * time.Minute):
			require.Fail(t, "the range is not complete", p.stderr.String())
		}
		require.NoError(t, p.err, p.stderr.String())
		require.Contains(t, p.stderr.String(), "range indexed")
	}
	ranges, err := db.Reader().Ranges(t.Context())
	require.NoError(t, err)
	require.Len(t, ranges, 1)
	require.EqualValues(t, 1, ranges[0].First)
	head.interrupt(20 * time.Second)
	check := start(t, append([]string{"verify"}, common...)...)
	check.expect(`the database matches the chain`, time.Minute)

	outside := start(t, append([]string{"index", "--from", "1", "--to", strconv.Itoa(1 << 30)}, common...)...)
	<-outside.ended
	require.Error(t, outside.err)
	require.Contains(t, outside.stderr.String(), fmt.Sprintf("the blocks 1 to %d cannot be indexed", 1<<30))
}
