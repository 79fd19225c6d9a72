package ledger

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/devnet/layout"
)

// mineRounds mines rounds with transfers that depend only on the number of the round.
func mineRounds(t *testing.T, c *Chain, wallets []*testWallet, from, to int) {
	t.Helper()
	full := layout.FullShard
	for n := from; n < to; n++ {
		if n == 3 {
			require.NoError(t, c.RequestSplit(0, int64(full)))
		}
		if n == 12 {
			require.NoError(t, c.RequestMerge(0, int64(full)))
		}
		for i, w := range wallets {
			msg := w.transfer(t, uint32(n), pay(wallets[(i+n)%len(wallets)].address, uint64(1000+n)))
			require.NoError(t, c.SendExternal(context.Background(), msg))
		}
		mine(t, c, 1)
	}
}

// fileHashes lists the hashes of all blocks in chain order.
func fileHashes(t *testing.T, c *Chain) (out []string) {
	t.Helper()
	for seqno := uint32(1); seqno <= c.Head().ID.SeqNo; seqno++ {
		blocks, err := c.Committed(seqno)
		require.NoError(t, err)
		head, err := c.Block(masterID(seqno))
		require.NoError(t, err)
		for _, b := range append(blocks, head) {
			out = append(out, string(b.ID.FileHash))
		}
	}
	return out
}

// roundClock is a clock that depends on the chain's progress only.
func roundClock(c **Chain) func() uint32 {
	return func() uint32 {
		if *c == nil || (*c).head == nil {
			return genesisTime
		}
		return genesisTime + (*c).head.ID.SeqNo
	}
}

func openDeterministic(t *testing.T, dir string, wallets []*testWallet) *Chain {
	t.Helper()
	var c *Chain
	opts := Options{Dir: dir, Genesis: accountsOf(wallets...), Clock: roundClock(&c)}
	opts.Seed[0] = 9
	var err error
	c, err = Open(context.Background(), opts)
	require.NoError(t, err)
	return c
}

// TestMine_SameInputsMakeTheSameChain makes the same chain three times: in memory, on disk, and on
// disk with a restart in the middle of a split.
func TestMine_SameInputsMakeTheSameChain(t *testing.T) {
	t.Parallel()
	wallets := testWallets(t, 8, 0)
	const rounds = 18

	memory := openDeterministic(t, "", wallets)
	mineRounds(t, memory, wallets, 0, rounds)
	want := fileHashes(t, memory)
	require.NoError(t, memory.Close())

	disk := openDeterministic(t, t.TempDir(), wallets)
	mineRounds(t, disk, wallets, 0, rounds)
	require.Equal(t, want, fileHashes(t, disk))
	require.NoError(t, disk.Close())

	dir := t.TempDir()
	half := openDeterministic(t, dir, wallets)
	mineRounds(t, half, wallets, 0, 5)
	require.NoError(t, half.Close())
	rest := openDeterministic(t, dir, wallets)
	require.Equal(t, uint32(5), rest.Head().ID.SeqNo)
	mineRounds(t, rest, wallets, 5, rounds)
	require.Equal(t, want, fileHashes(t, rest))
	replayAll(t, rest)
	require.NoError(t, rest.Close())
}

// TestOpen_IncompleteRoundIsMinedAgain cuts the log in the middle of the last round: the chain resumes
// one round earlier and mines it again, to the same hash.
func TestOpen_IncompleteRoundIsMinedAgain(t *testing.T) {
	t.Parallel()
	wallets := testWallets(t, 3, 0)
	dir := t.TempDir()
	c := openDeterministic(t, dir, wallets)
	mineRounds(t, c, wallets, 0, 6)
	want := fileHashes(t, c)
	require.NoError(t, c.Close())

	log := filepath.Join(dir, "rounds.log")
	info, err := os.Stat(log)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(log, info.Size()-100))

	c = openDeterministic(t, dir, wallets)
	require.Equal(t, uint32(5), c.Head().ID.SeqNo)
	mineRounds(t, c, wallets, 5, 6)
	require.Equal(t, want, fileHashes(t, c))
	require.NoError(t, c.Close())
}

// TestOpen_ResumesAfterACrash copies the archive of a chain that is still running, as a killed
// process would leave it, and resumes from the copy.
func TestOpen_ResumesAfterACrash(t *testing.T) {
	t.Parallel()
	wallets := testWallets(t, 3, 0)
	dir, copied := t.TempDir(), t.TempDir()
	c := openDeterministic(t, dir, wallets)
	mineRounds(t, c, wallets, 0, 6)
	require.NoError(t, os.CopyFS(copied, os.DirFS(dir)))
	mineRounds(t, c, wallets, 6, 9)
	want := fileHashes(t, c)
	require.NoError(t, c.Close())

	c = openDeterministic(t, copied, wallets)
	require.Equal(t, uint32(6), c.Head().ID.SeqNo)
	mineRounds(t, c, wallets, 6, 9)
	require.Equal(t, want, fileHashes(t, c))
	require.NoError(t, c.Close())
}

// TestOpen_OtherOptionsAreRefused checks that a stored chain is not continued under other options.
func TestOpen_OtherOptionsAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := openChain(t, Options{Dir: dir})
	mine(t, c, 2)

	_, err := Open(context.Background(), Options{Dir: dir, Seed: c.opts.Seed})
	require.ErrorContains(t, err, "in use")
	require.NoError(t, c.Close())

	var kind *chain.Error
	_, err = Open(context.Background(), Options{Dir: dir})
	require.ErrorAs(t, err, &kind)
	require.Equal(t, chain.Invalid, kind.Kind)
	_, err = Open(context.Background(), Options{Dir: dir, Seed: c.opts.Seed, GlobalID: -3})
	require.ErrorContains(t, err, "global id")

	again, err := Open(context.Background(), Options{Dir: dir, Seed: c.opts.Seed})
	require.NoError(t, err)
	require.Equal(t, uint32(2), again.Head().ID.SeqNo)
	require.Equal(t, c.Zerostate(), again.Zerostate())
	require.NoError(t, again.Close())
	_, err = again.Mine(context.Background())
	require.ErrorIs(t, err, errClosed)
}

// TestState_OldOnesAreRebuilt requests states that are no longer in memory, with and without
// snapshots, also across a split and a merge and after a restart.
func TestState_OldOnesAreRebuilt(t *testing.T) {
	t.Parallel()
	wallets := testWallets(t, 4, 0)
	dir := t.TempDir()
	c := openDeterministic(t, dir, wallets)
	c.states.keepRounds = 2
	mineRounds(t, c, wallets, 0, 18)
	c.due.blocks = snapshotBlocks // the next round writes a snapshot
	mineRounds(t, c, wallets, 18, 24)
	snaps, err := c.arch.Snapshots()
	require.NoError(t, err)
	require.Equal(t, []uint32{19}, snaps)
	requireStates(t, c)
	require.NoError(t, c.Close())

	c = openDeterministic(t, dir, wallets)
	requireStates(t, c)
	require.NoError(t, c.Close())
}

// requireStates compares the state after every block with the hash in the block.
func requireStates(t *testing.T, c *Chain) {
	t.Helper()
	for seqno := c.Head().ID.SeqNo; seqno > 0; seqno-- {
		blocks, err := c.Committed(seqno)
		require.NoError(t, err)
		head, err := c.Block(masterID(seqno))
		require.NoError(t, err)
		for _, b := range append(blocks, head) {
			update, err := b.Root.PeekRef(2)
			require.NoError(t, err)
			after, err := update.PeekRef(1)
			require.NoError(t, err)
			root, err := c.State(b.ID)
			require.NoError(t, err)
			require.Equal(t, after.Hash(0), root.Hash(), blockName(b.ID))
		}
	}
	require.LessOrEqual(t, c.states.rebuilt.Len(), keepRebuilt)
}
