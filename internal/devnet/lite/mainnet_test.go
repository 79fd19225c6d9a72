package lite

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
	"tonql/internal/modtest"
)

// mainnetBlock reads a block of the main network from the test data of a module.
func mainnetBlock(t *testing.T, module, path string) *ledger.Block {
	t.Helper()
	data, err := modtest.Read(module, path)
	require.NoError(t, err)
	root, err := cell.FromBOC(data)
	require.NoError(t, err)

	var b tlb.Block
	require.NoError(t, tlb.Parse(&b, root))
	wc, shard := tlb.ConvertShardIdentToShard(b.BlockInfo.Shard)
	return &ledger.Block{
		ID: ton.BlockIDExt{
			Workchain: wc, Shard: int64(shard), SeqNo: b.BlockInfo.SeqNo,
			RootHash: root.Hash(), FileHash: make([]byte, 32),
		},
		Root: root, Data: data, KeyBlock: b.BlockInfo.KeyBlock,
	}
}

func basechainBlock(t *testing.T) *ledger.Block {
	t.Helper()
	return mainnetBlock(t, modtest.Tonutils, "tlb/testdata/block_0_8000000000000000_71398501.boc")
}

func masterchainBlock(t *testing.T) *ledger.Block {
	t.Helper()
	return mainnetBlock(t, modtest.Tongo, "tlb/testdata/block-5/block.bin")
}

// listAll pages through a block's transactions and checks each page's proof.
func listAll(t *testing.T, b *ledger.Block, page int, reverse bool) []txRef {
	t.Helper()
	var mode uint32
	if reverse {
		mode = listReverse
	}
	l := newListing(mode, uint32(page), nil)
	var all []txRef
	for {
		var refs []txRef
		var done bool
		proof, err := prove(b.Root, func(root *cell.Cell) error {
			blocks, _, err := openBlockAccounts(root)
			if err != nil {
				return err
			}
			refs, done, err = blocks.list(l)
			return err
		})
		require.NoError(t, err)
		requireTransactionsProven(t, b.ID.RootHash, reread(t, proof), refs)
		all = append(all, refs...)
		if done {
			return all
		}
		last := refs[len(refs)-1]
		l.account, l.lt = last.account, last.lt
	}
}

// reread serializes and parses a cell, as a client receives it.
func reread(t *testing.T, c *cell.Cell) *cell.Cell {
	t.Helper()
	data, err := boc(c)
	require.NoError(t, err)
	c, err = cell.FromBOC(data)
	require.NoError(t, err)
	return c
}

func requireTransactionsProven(t *testing.T, blockHash []byte, proof *cell.Cell, refs []txRef) {
	t.Helper()
	block, err := ton.CheckBlockProof(proof, blockHash)
	require.NoError(t, err)
	s, err := block.Extra.ShardAccountBlocks.BeginParse()
	require.NoError(t, err)
	var accounts tlb.ShardAccountBlocks
	require.NoError(t, tlb.LoadFromCellAsProof(&accounts, s))
	for _, ref := range refs {
		require.NoError(t, ton.CheckTransactionProof(ref.cell.Hash(), ref.lt, ref.account, &accounts))
	}
}

func TestListBlockTransactions_PagesOfMainnetAreComplete(t *testing.T) {
	t.Parallel()
	b := basechainBlock(t)
	var parsed tlb.Block
	require.NoError(t, tlb.Parse(&parsed, b.Root))
	want, err := parsed.ListTransactions()
	require.NoError(t, err)
	require.Len(t, want, 269)

	for _, page := range []int{1, 7, 256, 300} {
		got := listAll(t, b, page, false)
		require.Len(t, got, len(want))
		for i := range want {
			require.Equal(t, want[i].Hash, got[i].cell.Hash())
			require.Equal(t, want[i].LT, got[i].lt)
		}
	}
	backwards := listAll(t, b, 50, true)
	slices.Reverse(backwards)
	require.Len(t, backwards, len(want))
	for i := range want {
		require.Equal(t, want[i].Hash, backwards[i].cell.Hash())
	}
}

func TestListBlockTransactions_ProofContainsOnlyItsPage(t *testing.T) {
	t.Parallel()
	b := basechainBlock(t)
	size := func(limit int) int {
		proof, err := prove(b.Root, func(root *cell.Cell) error {
			blocks, _, err := openBlockAccounts(root)
			if err != nil {
				return err
			}
			_, _, err = blocks.list(newListing(0, uint32(limit), nil))
			return err
		})
		require.NoError(t, err)
		data, err := boc(proof)
		require.NoError(t, err)
		return len(data)
	}
	one, all := size(1), size(256)
	require.Less(t, one*10, all, "a page of one transaction proves only its own path")
	require.Less(t, all, len(b.Data)/2, "transactions themselves are pruned")
}

func TestGetOneTransaction_OfMainnetIsProven(t *testing.T) {
	t.Parallel()
	b := basechainBlock(t)
	blocks, _, err := openBlockAccounts(b.Root)
	require.NoError(t, err)
	refs, _, err := blocks.list(newListing(0, 10, nil))
	require.NoError(t, err)

	for _, ref := range refs {
		proof, err := prove(b.Root, func(root *cell.Cell) error {
			watched, _, err := openBlockAccounts(root)
			if err != nil {
				return err
			}
			tx, err := watched.find(ref.account, ref.lt)
			require.NoError(t, err)
			require.Equal(t, ref.cell.Hash(), tx.Hash())
			return nil
		})
		require.NoError(t, err)
		requireTransactionsProven(t, b.ID.RootHash, reread(t, proof), []txRef{ref})
	}
	missing, err := blocks.find(refs[0].account, refs[0].lt+1)
	require.NoError(t, err)
	require.Nil(t, missing)
	missing, err = blocks.find(bytes.Repeat([]byte{0x11}, 32), refs[0].lt)
	require.NoError(t, err)
	require.Nil(t, missing)
}

func TestMessageMetadata_OfMainnetNamesTheInitiator(t *testing.T) {
	t.Parallel()
	b := basechainBlock(t)
	blocks, extra, err := openBlockAccounts(b.Root)
	require.NoError(t, err)
	refs, _, err := blocks.list(newListing(0, 256, nil))
	require.NoError(t, err)
	var with, without int
	for _, ref := range refs {
		m, err := messageMetadata(extra.inMsgs, ref.cell)
		require.NoError(t, err)
		if m == nil {
			without++
			continue
		}
		with++
		require.Len(t, m.Initiator.ID, 32)
		require.NotZero(t, m.InitiatorLT)
	}
	require.NotZero(t, with, "messages between accounts record who started them")
	require.NotZero(t, without, "external messages do not")
}

func TestHeaderProof_HasTheRequestedParts(t *testing.T) {
	t.Parallel()
	for _, b := range []*ledger.Block{basechainBlock(t), masterchainBlock(t)} {
		var last int
		for _, mode := range []uint32{0, headerUpdate, headerUpdate | headerValueFlow, 0xffff} {
			response, err := headerResponse(b, mode)
			require.NoError(t, err)
			h := response.(ton.BlockHeader)
			proof, err := cell.FromBOC(h.HeaderProof)
			require.NoError(t, err)
			block, err := ton.CheckBlockProof(proof, b.ID.RootHash)
			require.NoError(t, err)
			require.Equal(t, b.ID.SeqNo, block.BlockInfo.SeqNo)
			require.False(t, block.BlockInfo.PrevRef.Pruned)
			require.Greater(t, len(h.HeaderProof), last, "each requested part adds to the proof")
			last = len(h.HeaderProof)
		}
	}
}

func TestShardHashes_OfMainnetFindEachShard(t *testing.T) {
	t.Parallel()
	b := masterchainBlock(t)
	master, err := openBlockMaster(b.Root)
	require.NoError(t, err)
	want, err := ton.LoadShardsFromHashes(master.shards.AsDict(32), false)
	require.NoError(t, err)
	require.NotEmpty(t, want)

	for _, id := range want {
		for _, requested := range []int64{id.Shard, leftmost(id.Shard)} {
			leaf, err := findShard(master.shards, id.Workchain, requested, requested == id.Shard)
			require.NoError(t, err)
			require.NotNil(t, leaf)
			require.True(t, leaf.id.Equals(id))
		}
		leaf, err := findShard(master.shards, id.Workchain, leftmost(id.Shard), true)
		require.NoError(t, err)
		require.Nil(t, leaf, "an exact shard that is not split that far")

		link, proof, err := linkTowards(b, &ledger.Block{ID: *id})
		require.NoError(t, err)
		require.True(t, link.Equals(id))
		root, err := cell.FromBOC(proof)
		require.NoError(t, err)
		_, err = ton.CheckBlockProof(root, b.ID.RootHash)
		require.NoError(t, err)
	}
	if len(want) > 1 {
		leaf, err := findShard(master.shards, 0, rootShard, false)
		require.NoError(t, err)
		require.Nil(t, leaf, "a shard that is split further")
	}
	leaf, err := findShard(master.shards, 7, rootShard, false)
	require.NoError(t, err)
	require.Nil(t, leaf, "an unknown workchain")
}
