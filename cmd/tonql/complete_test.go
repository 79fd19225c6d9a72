package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
	"tonql/internal/store"
)

// indexedChain is a database with the first blocks of a local chain, which commands reach through a proxy.
type indexedChain struct {
	url, config string
	db          *store.DB
	proxy       *nodetest.Proxy
	exec        func(statement string)
}

func newIndexedChain(t *testing.T, blocks uint32) indexedChain {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	c := indexedChain{url: emptyDatabase(t), config: filepath.Join(t.TempDir(), "config.json")}
	runCommand(t, "migrate", "--database-url", c.url)
	var err error
	c.db, err = store.Open(ctx, store.Config{WriteURL: c.url})
	require.NoError(t, err)
	t.Cleanup(c.db.Close)
	net := devnettest.Start(ctx, t, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{4}, Scenario: true, ActionsPerMinute: 60}, Blocks: blocks,
	})
	stop := net.Index(t, c.db, indexer.Options{})
	net.WaitIndexed(t, c.db)
	stop()
	global, err := net.GlobalConfig()
	require.NoError(t, err)
	c.proxy = nodetest.NewProxy(t, global.Liteservers[0])
	text, err := json.Marshal(nodetest.Config(global, c.proxy.Liteserver()))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(c.config, text, 0o600))
	handle := c.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	c.exec = func(statement string) {
		_, err := handle.ExecContext(ctx, statement)
		require.NoError(t, err)
	}
	return c
}

func (c indexedChain) verify(args ...string) []string {
	return append([]string{"verify", "--offline", "--database-url", c.url}, args...)
}

// exits runs a command and returns its exit status and its output.
func exits(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	p := start(t, args...)
	select {
	case <-p.ended:
	case <-time.After(busy * time.Minute):
		require.Fail(t, "the command does not end", args)
	}
	return p.cmd.ProcessState.ExitCode(), p.stdout.String(), p.stderr.String()
}

func TestVerifyOffline_ReportsAndExits(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := newIndexedChain(t, 25)
	status, out, _ := exits(t, c.verify("--data", t.TempDir())...)
	require.Zero(t, status)
	require.Contains(t, out, "masterchain blocks 1 to 25: compared")
	require.Contains(t, out, "the rows match the hashes of their blocks")
	require.NotContains(t, out, "\ndigest ")
	require.Zero(t, c.proxy.QueryCount("GetMasterchainInf"), "it needs no network")

	status, out, _ = exits(t, c.verify("--from", "10", "--to", "12")...)
	require.Zero(t, status)
	require.Contains(t, out, "masterchain blocks 10 to 12: compared")
	status, out, _ = exits(t, c.verify("--to", "40")...)
	require.Equal(t, 1, status, "what is missing is no success")
	require.Contains(t, out, "not indexed: 26 to 40")
	status, _, log := exits(t, c.verify("--from", "12", "--to", "10")...)
	require.NotZero(t, status)
	require.Contains(t, log, "the range 12 to 10 is empty")

	c.exec(`UPDATE blocks SET gen_utime = gen_utime + 1 WHERE workchain = -1 AND seqno = 11`)
	status, out, log = exits(t, c.verify()...)
	require.Equal(t, 1, status)
	require.Contains(t, out, "blocks (-1,8000000000000000,11)")
	require.NotContains(t, out, "the rows match")
	require.Contains(t, log, "the database differs from the chain")
	status, _, _ = exits(t, c.verify("--from", "13")...)
	require.Zero(t, status)
	c.exec(`UPDATE blocks SET gen_utime = gen_utime - 1 WHERE workchain = -1 AND seqno = 11`)

	// It waits for a table that somebody has locked.
	handle := c.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	tx, err := handle.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), `LOCK TABLE frames`)
	require.NoError(t, err)
	p := start(t, c.verify()...)
	eventually(t, time.Minute, "the command waits for the table", func() bool {
		var waits bool
		err := tx.QueryRowContext(t.Context(), `SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'frames'::regclass AND NOT granted)`).Scan(&waits)
		return err == nil && waits
	})
	require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		require.Fail(t, "it does not end")
	}
	require.Equal(t, 130, p.cmd.ProcessState.ExitCode())
	require.NotContains(t, p.stdout.String(), "the rows match")
	require.NoError(t, tx.Rollback())
}

func TestComplete_ContinuesWhereItWasInterrupted(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const blocks, stalledAt = 40, 25
	c := newIndexedChain(t, blocks)
	args := func(more ...string) []string {
		return append([]string{"index", "complete", "--database-url", c.url, "--data", t.TempDir(), "--global-config", c.config}, more...)
	}
	status, out, _ := exits(t, args()...)
	require.Zero(t, status)
	require.Contains(t, out, "completed 0 blocks and 0 account states")

	want, err := c.db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	c.exec(`DELETE FROM frames WHERE seqno % 2 = 0`)
	c.exec(`UPDATE account_states SET rest = NULL`)
	status, out, _ = exits(t, c.verify()...)
	require.Equal(t, 1, status)
	require.Contains(t, out, "tonql index complete adds both")

	c.proxy.Break(nodetest.Only[ton.GetBlockData](func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
		if q, ok := query.(ton.GetBlockData); ok && q.ID.Workchain == chain.MasterchainID && q.ID.SeqNo == stalledAt {
			<-ctx.Done()
			return ton.LSError{Code: 652, Text: "timeout"}
		}
		return next(ctx, query)
	}))
	p := start(t, args()...)
	eventually(t, time.Minute, "blocks before the one that stalls are completed", func() bool {
		frames, err := c.db.Reader().Frames(t.Context(), []chain.BlockID{chain.MasterBlockID(8)})
		return err == nil && len(frames) == 1
	})
	require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		require.Fail(t, "it does not end")
	}
	require.Equal(t, 130, p.cmd.ProcessState.ExitCode(), "an interrupted run is no success")
	require.NotContains(t, p.stdout.String(), "completed")
	found := regexp.MustCompile(`continue_with="?--from (\d+)`).FindStringSubmatch(p.stderr.String())
	require.Len(t, found, 2, p.stderr.String())
	reached, err := strconv.Atoi(found[1])
	require.NoError(t, err)
	require.GreaterOrEqual(t, reached, 8)
	require.Less(t, reached, stalledAt)
	status, _, _ = exits(t, c.verify("--to", found[1])...)
	require.Zero(t, status, "what was done is complete")

	c.proxy.Heal()
	status, out, _ = exits(t, args("--from", found[1])...)
	require.Zero(t, status)
	require.Regexp(t, `completed [1-9]\d* blocks and \d+ account states`, out) // the run before may have reached the last state
	status, _, _ = exits(t, c.verify()...)
	require.Zero(t, status)
	got, err := c.db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)

	status, _, log := exits(t, args("--verify", "often")...)
	require.NotZero(t, status)
	require.Contains(t, log, "often")
}
