package node_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"

	"tonql/internal/chain"
	"tonql/internal/node"
)

func TestParseAnchor_ReadsNamesAndBlockIDs(t *testing.T) {
	t.Parallel()
	block := chain.BlockIDExt{BlockID: chain.MasterBlockID(46894135), RootHash: chain.Hash{1, 2}, FileHash: chain.Hash{3}}
	hashes := ":" + block.RootHash.Hex() + ":" + strings.ToUpper(block.FileHash.Hex())
	for text, want := range map[string]node.Anchor{
		"":                      {},
		"init-block":            {},
		"zerostate":             {Zerostate: true},
		block.String() + hashes: {Block: block},
		"46894135" + hashes:     {Block: block},
		"46894135:" + block.RootHash.String() + ":" + block.FileHash.String(): {Block: block},
	} {
		got, err := node.ParseAnchor(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"init", "46894135", "46894135:" + block.RootHash.Hex(), "(0,8000000000000000,5)" + hashes, "(-1,4000000000000000,5)" + hashes,
		"4294967296" + hashes, "-1" + hashes, "(-1,8000000000000000,5" + hashes, "5)" + hashes, "5" + hashes + ":",
		"5:" + (chain.Hash{}).Hex() + ":" + block.FileHash.Hex(), "5:" + block.RootHash.Hex() + ":" + (chain.Hash{}).Hex(), "5:zz:" + block.FileHash.Hex(),
	} {
		_, err := node.ParseAnchor(text)
		require.Equal(t, chain.Invalid, chain.KindOf(err), text)
		require.Contains(t, chain.PublicMessage(err), "(-1,8000000000000000,SEQNO):ROOTHASH:FILEHASH", text)
	}
}

func TestOpen_TrustBeginsAtTheAnchor(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	d.keyBlocks(t, 0, 2)
	d.mine(t, 2)
	middle, err := d.chain.BySeqno(-1, -1<<63, 2)
	require.NoError(t, err)
	zero := idOf(d.chain.ZerostateID(-1))
	fork := idOf(middle.ID)
	fork.RootHash[0] ^= 1
	another := zero
	another.RootHash[0] ^= 1
	ctx := within(t, time.Minute)

	for name, anchor := range map[string]node.Anchor{
		"init block": {}, "zerostate": {Zerostate: true}, "a block that is no key block": {Block: idOf(middle.ID)},
		"the head": {Block: d.head()}, "the zerostate by its id": {Block: zero},
	} {
		c := open(t, d.config, func(o *node.Options) { o.Anchor = anchor })
		head, err := c.Wait(ctx, d.head().Seqno)
		require.NoError(t, err, name)
		require.Equal(t, d.head(), head, name)
		got, err := c.MasterBlockID(ctx, 1)
		require.NoError(t, err, name)
		first, err := d.chain.BySeqno(-1, -1<<63, 1)
		require.NoError(t, err)
		require.Equal(t, idOf(first.ID), got, name)
	}
	c := open(t, d.config, func(o *node.Options) { o.Anchor = node.Anchor{Block: fork} })
	_, err = c.Head(ctx)
	require.Equal(t, chain.Unavailable, chain.KindOf(err), "a block of another chain proves nothing")

	_, err = node.Open(ctx, node.Options{Config: d.config, Anchor: node.Anchor{Block: another}})
	require.ErrorContains(t, err, "not the one of the global config")
	none := *d.config
	none.Validator.ZeroState.RootHash, none.Validator.InitBlock.RootHash = nil, nil
	_, err = node.Open(ctx, node.Options{Config: &none, Anchor: node.Anchor{Zerostate: true}})
	require.ErrorContains(t, err, "names no zerostate")
	_, err = node.Open(ctx, node.Options{Config: &none})
	require.ErrorContains(t, err, "neither an init block nor a zerostate")
	c = open(t, &none, func(o *node.Options) { o.Anchor = node.Anchor{Block: zero} })
	head, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	require.Equal(t, d.head(), head)
	require.Equal(t, zero, c.Zerostate())
}

// A hard fork is a block that no validator has signed: operators name it in the global config. Proofs begin at the last one.
func TestOpen_TrustBeginsAtTheLastHardFork(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	d.mine(t, 5)
	listed := func(seqnos ...uint32) *liteclient.GlobalConfig {
		config := *d.config
		config.Validator.Hardforks = nil
		for _, seqno := range seqnos {
			b, err := d.chain.BySeqno(-1, -1<<63, seqno)
			require.NoError(t, err)
			config.Validator.Hardforks = append(config.Validator.Hardforks,
				liteclient.ConfigBlock{Workchain: -1, Shard: -1 << 63, SeqNo: seqno, RootHash: b.ID.RootHash, FileHash: b.ID.FileHash})
		}
		return &config
	}
	ctx := within(t, time.Minute)
	for _, anchor := range []node.Anchor{{}, {Zerostate: true}} {
		file := filepath.Join(t.TempDir(), "trust.json")
		c := open(t, listed(2, 4), func(o *node.Options) { o.Anchor, o.TrustFile = anchor, file })
		head, err := c.Wait(ctx, d.head().Seqno)
		require.NoError(t, err)
		require.Equal(t, d.head(), head)
		first, err := c.MasterBlockID(ctx, 1)
		require.NoError(t, err, "blocks before it are proven by its state")
		require.Equal(t, uint32(1), first.Seqno)
		c.Close()
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(data), "\"seqno\": 4", "the anchor")
	}
	block := func(seqno uint32) node.Anchor {
		b, err := d.chain.BySeqno(-1, -1<<63, seqno)
		require.NoError(t, err)
		return node.Anchor{Block: idOf(b.ID)}
	}
	c := open(t, listed(2, 4), func(o *node.Options) { o.Anchor = block(4) })
	_, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	_, err = node.Open(ctx, node.Options{Config: listed(2, 4), Anchor: block(3)})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.ErrorContains(t, err, "older than hard fork 4")
	_, err = node.Open(ctx, node.Options{Config: listed(4, 2)})
	require.ErrorContains(t, err, "ascending order")
	unnamed := listed(2)
	unnamed.Validator.Hardforks[0].RootHash = nil
	_, err = node.Open(ctx, node.Options{Config: unnamed})
	require.ErrorContains(t, err, "with their hashes")

	forged := listed(2, 4)
	forged.Validator.Hardforks[1].RootHash = slices.Clone(forged.Validator.Hardforks[1].RootHash)
	forged.Validator.Hardforks[1].RootHash[0] ^= 1
	c = open(t, forged)
	_, err = c.Head(ctx)
	require.Equal(t, chain.Unavailable, chain.KindOf(err), "a block of another chain proves nothing")
}

func TestTrustFile_AnotherAnchorProvesTheChainAgain(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 1)
	d.keyBlocks(t, 0, 3)
	newest, err := d.chain.BySeqno(-1, -1<<63, d.head().Seqno)
	require.NoError(t, err)
	require.True(t, newest.KeyBlock)
	d.mine(t, 1)
	file := filepath.Join(t.TempDir(), "trust.json")
	start := func(a node.Anchor) (proofs int) {
		p := d.proxy(t)
		c := open(t, d.through(p), func(o *node.Options) { o.TrustFile, o.Anchor = file, a })
		head, err := c.Wait(within(t, time.Minute), d.head().Seqno)
		require.NoError(t, err)
		require.Equal(t, d.head(), head)
		c.Close()
		return p.QueryCount("GetBlockProof")
	}
	fromBlock, fromZerostate := node.Anchor{Block: idOf(newest.ID)}, node.Anchor{Zerostate: true}
	require.NotZero(t, start(fromBlock))
	require.Zero(t, start(fromBlock), "the head is in the file")
	require.NotZero(t, start(fromZerostate), "what follows from another anchor is not believed")
	require.Zero(t, start(fromZerostate))
	require.NotZero(t, start(fromBlock))
}
