package devnet

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/ton/wallet"
	"go.uber.org/goleak"

	"tonql/internal/chain"
	"tonql/internal/devnet/genesis"
	"tonql/internal/pacetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// seedOf returns the seed of a test.
func seedOf(b byte) (seed [32]byte) {
	seed[0] = b
	return seed
}

func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func start(ctx context.Context, t *testing.T, opts Options) *Devnet {
	t.Helper()
	d, err := Start(ctx, opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// run makes blocks in the background until the test ends.
func run(ctx context.Context, t *testing.T, d *Devnet) {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
}

// connect opens a client from the global config file.
func connect(t *testing.T, d *Devnet) *ton.APIClient {
	t.Helper()
	pool := liteclient.NewConnectionPool()
	pool.SetOnDisconnect(nil) // its reconnection would continue after Stop
	t.Cleanup(pool.Stop)
	require.NoError(t, pool.AddConnectionsFromConfigFile(d.GlobalConfigPath()))
	cfg, err := d.GlobalConfig()
	require.NoError(t, err)
	c := ton.NewAPIClient(pool, ton.ProofCheckPolicySecure)
	c.SetTrustedBlockFromConfig(cfg)
	return c
}

// TestDevnet_WalletPaysWhileBlocksFollowTheClock sends a transfer with a client library, which waits for the
// transaction on a network whose blocks follow the clock.
func TestDevnet_WalletPaysWhileBlocksFollowTheClock(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := start(ctx, t, Options{Seed: seedOf(1)})
	run(ctx, t, d)
	api := connect(t, d)
	key := genesis.DeriveKey(seedOf(1), "test wallet")
	w, err := wallet.FromPrivateKey(api, key, wallet.ConfigV5R1Final{NetworkGlobalID: d.Chain.GlobalID()})
	require.NoError(t, err)
	require.NoError(t, d.Faucet.Send(ctx, w.WalletAddress(), 5_000_000_000, "welcome"))
	require.NoError(t, d.Faucet.Send(ctx, w.WalletAddress(), 5_000_000_000, "and more"), "after the block with the first")

	require.Eventually(t, func() bool {
		head, err := api.GetMasterchainInfo(ctx)
		if err != nil {
			return false
		}
		acc, err := api.GetAccount(ctx, head, w.WalletAddress())
		return err == nil && acc.State != nil && acc.State.Balance.Nano().Uint64() > 9_000_000_000
	}, time.Minute, 100*time.Millisecond)

	to := address.NewAddress(0, 0, bytes.Repeat([]byte{0x77}, 32))
	transfer, err := w.BuildTransfer(to, tlb.MustFromTON("2"), false, "paid")
	require.NoError(t, err)
	tx, block, err := w.SendWaitTransaction(ctx, transfer)
	require.NoError(t, err)
	require.NotNil(t, block)
	outs, err := tx.IO.Out.ToSlice()
	require.NoError(t, err)
	require.Len(t, outs, 1)
	require.Equal(t, "paid", outs[0].AsInternal().Comment())
}

func TestInstant_BlocksAppearOnlyWithMessages(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := start(ctx, t, Options{Seed: seedOf(2), Interval: time.Hour, Instant: true})
	run(ctx, t, d)
	require.EqualValues(t, 1, d.Chain.Head().ID.SeqNo)
	to := address.NewAddress(0, 0, bytes.Repeat([]byte{0x55}, 32))
	for range 3 {
		require.NoError(t, d.Faucet.Send(ctx, to, 1_000_000_000, "at once"))
	}
	require.NoError(t, d.Chain.WaitSeqno(ctx, 4))
}

// TestStart_ResumesFromItsFolder stops a network and starts it again from its folder.
func TestStart_ResumesFromItsFolder(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	dir := t.TempDir()
	d, err := Start(ctx, Options{Dir: dir, Interval: ByHand})
	require.NoError(t, err)
	for range 4 {
		_, err := d.Advance(ctx)
		require.NoError(t, err)
	}
	seed, head, key := d.Seed(), d.Chain.Head().ID, d.Lite.PublicKey()
	require.NotZero(t, seed, "a random seed")
	_, err = Start(ctx, Options{Dir: dir, Interval: ByHand})
	require.Error(t, err, "the folder is in use")
	require.NoError(t, d.Close())
	require.NoError(t, d.Close())

	_, err = Start(ctx, Options{Dir: dir, Seed: seedOf(9)})
	require.Equal(t, chain.Invalid, chain.KindOf(err), "%v", err)

	d = start(ctx, t, Options{Dir: dir, Interval: ByHand})
	require.Equal(t, seed, d.Seed())
	require.Equal(t, key, d.Lite.PublicKey(), "clients keep recognizing the server")
	require.True(t, head.Equals(&d.Chain.Head().ID))
	got, err := connect(t, d).GetMasterchainInfo(ctx)
	require.NoError(t, err)
	require.True(t, head.Equals(got))
	require.Equal(t, filepath.Join(dir, configName), d.GlobalConfigPath())
}

func TestStart_StoresTheSeed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, seedName), []byte("nonsense"), 0o600))
	_, err := Start(testContext(t), Options{Dir: dir})
	require.Equal(t, chain.Invalid, chain.KindOf(err), "%v", err)
}

// TestDeterministic_RestartMakesTheSameChain compares two networks, one of which is stopped and resumed.
func TestDeterministic_RestartMakesTheSameChain(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	opts := Options{Seed: seedOf(3), Deterministic: true, Scenario: true, ActionsPerMinute: 240, ShardPeriod: 12}
	const blocks = 30

	full := start(ctx, t, opts)
	for range blocks {
		_, err := full.Advance(ctx)
		require.NoError(t, err)
	}

	opts.Dir = t.TempDir()
	broken, err := Start(ctx, opts)
	require.NoError(t, err)
	for range blocks / 2 {
		_, err := broken.Advance(ctx)
		require.NoError(t, err)
	}
	require.NoError(t, broken.Close())
	resumed := start(ctx, t, opts)
	for resumed.Chain.Head().ID.SeqNo < full.Chain.Head().ID.SeqNo {
		_, err := resumed.Advance(ctx)
		require.NoError(t, err)
	}
	require.Equal(t, full.Chain.Head().ID, resumed.Chain.Head().ID)
	require.NotZero(t, full.Scenario.Stats().Externals, "something happened on it")
}

func TestClose_TemporaryFolderIsRemoved(t *testing.T) {
	t.Parallel()
	d, err := Start(testContext(t), Options{Seed: seedOf(4), Interval: ByHand})
	require.NoError(t, err)
	require.FileExists(t, d.GlobalConfigPath())
	require.NoError(t, d.Close())
	require.NoFileExists(t, d.GlobalConfigPath())
}

// The clock of the machine is set an hour forward and then two hours back: blocks continue, and their times never
// decrease.
func TestClockJumps_ChainContinues(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	var clock atomic.Uint32
	clock.Store(uint32(time.Now().Unix()))
	d := start(ctx, t, Options{Interval: 20 * time.Millisecond, Clock: clock.Load, Scenario: true, ActionsPerMinute: 600})
	run(ctx, t, d)
	newest := func() (seqno, at uint32) { return d.Chain.Head().ID.SeqNo, d.Chain.Now() }
	last := uint32(0)
	for _, jump := range []int32{0, 3600, -7200, 1, 3600} {
		clock.Add(uint32(jump)) // subtracts by overflow
		from, _ := newest()
		require.Eventually(t, func() bool {
			seqno, at := newest()
			require.GreaterOrEqual(t, at, last)
			last = at
			return seqno >= from+10
		}, time.Minute, 5*time.Millisecond, "after a jump of %d s", jump)
	}
}
