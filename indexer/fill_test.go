package indexer_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// countedBlocks counts the masterchain blocks that are fetched.
type countedBlocks struct {
	chain.Source

	mu      sync.Mutex
	fetched map[uint32]int
}

func (c *countedBlocks) MasterBlock(ctx context.Context, seqno uint32) (*chain.RawMasterBlock, error) {
	c.mu.Lock()
	c.fetched[seqno]++
	c.mu.Unlock()
	return c.Source.MasterBlock(ctx, seqno)
}

// Three indexers fill one range beside one that follows the head. Each block of the range is fetched once, and the tables equal those
// of one run.
func TestFill_SeveralIndexersShareARange(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 90)
	url := testdb.URL(t)
	src := &countedBlocks{Source: d.Client, fetched: map[uint32]int{}}
	const last = 80
	done := make(chan error, 3)
	for range 3 {
		x := indexer.New(src, testdb.Open(t, url), indexer.Options{Batch: 8, Logger: logger(t)})
		go func() { done <- x.Fill(ctx, last) }()
	}
	head := testdb.Open(t, url)
	stop := start(ctx, t, indexer.New(d.Client, head, indexer.Options{From: from(t, "-3"), Recheck: time.Hour, Logger: logger(t)}))
	for range 3 {
		require.NoError(t, <-done)
	}
	for seqno := uint32(1); seqno <= last; seqno++ {
		require.Equal(t, 1, src.fetched[seqno], "block %d", seqno)
	}
	// The gap between the range and the head is left to the process that follows.
	stop()
	stop = start(ctx, t, indexer.New(d.Client, head, indexer.Options{Logger: logger(t)}))
	waitIndexed(ctx, t, head, 1, 90)
	stop()
	requireEqualsOneRun(ctx, t, d, head, 90)
}

// Of two processes that fill a range, one is killed at a random moment, five times. The other one completes the range.
func TestFill_SurvivesKills(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 60)
	url := testdb.URL(t)
	binary, err := os.Executable()
	require.NoError(t, err)
	child := func() (*exec.Cmd, *bytes.Buffer) {
		var out bytes.Buffer
		cmd := exec.CommandContext(ctx, binary, "-test.run=^$")
		cmd.Env = append(os.Environ(), childDatabase+"="+url, childConfig+"="+d.GlobalConfigPath(), childFill+"="+strconv.Itoa(60))
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		return cmd, &out
	}
	survivor, out := child()
	for range 5 {
		cmd, _ := child()
		<-time.After(time.Duration(rand.IntN(400)) * pacetest.Slow * time.Millisecond)
		_ = cmd.Process.Kill() // it may have ended: the range may be complete
		_ = cmd.Wait()
	}
	require.NoError(t, survivor.Wait(), out)
	db := testdb.Open(t, url)
	waitIndexed(ctx, t, db, 1, 60)
	requireEqualsOneRun(ctx, t, d, db, 60)
}

func TestFill_RangeOutsideTheChainIsRefused(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 5)
	db := testdb.New(t)
	err := indexer.New(d.Client, db, indexer.Options{}).Fill(ctx, 6)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.ErrorContains(t, err, "1 to 6")
	err = indexer.New(d.Client, db, indexer.Options{From: from(t, "4")}).Fill(ctx, 3)
	require.ErrorContains(t, err, "4 to 3")
}
