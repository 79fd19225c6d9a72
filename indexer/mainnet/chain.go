package mainnet

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Chain is a recorded chain from its zerostates on. It is a [chain.Source] of which every state was made from the
// zerostates by the updates in the blocks.
type Chain struct {
	Zerostate chain.BlockIDExt

	masters []*chain.RawMasterBlock // by seqno; the first is nil
	states  map[chain.BlockID]*cell.Cell
}

var _ chain.Source = (*Chain)(nil)

// OpenChain builds the states after all blocks from those of the zerostates. Each state's root hash is compared.
func OpenChain(tb testing.TB, zerostates, blocks []chain.RawBlock) *Chain {
	tb.Helper()
	c := &Chain{masters: []*chain.RawMasterBlock{nil}, states: map[chain.BlockID]*cell.Cell{}}
	for _, z := range zerostates {
		c.states[z.ID.BlockID] = z.Root
		if z.ID.IsMaster() {
			c.Zerostate = z.ID
		}
	}
	byID := map[chain.BlockID]chain.RawBlock{}
	for _, b := range blocks {
		byID[b.ID.BlockID] = b
	}
	committed := map[chain.BlockID]bool{}
	for id := c.Zerostate.BlockID; ; {
		id.Seqno++
		b, ok := byID[id]
		if !ok {
			break
		}
		c.masters = append(c.masters, c.master(tb, b, byID, committed))
	}
	require.Len(tb, byID, len(c.masters)-1+len(committed), "a recorded block is committed by none")
	return c
}

// master collects the shard blocks that a masterchain block commits, and applies the updates of all.
func (c *Chain) master(tb testing.TB, b chain.RawBlock, byID map[chain.BlockID]chain.RawBlock, committed map[chain.BlockID]bool) *chain.RawMasterBlock {
	tb.Helper()
	m := &chain.RawMasterBlock{Master: b}
	var block tlb.Block
	require.NoError(tb, tlb.Parse(&block, b.Root))
	tops, err := ton.LoadShardsFromHashes(block.Extra.Custom.ShardHashes, false)
	require.NoError(tb, err)
	for _, t := range tops {
		top := fromTL(t)
		m.Top = append(m.Top, top)
		open := []chain.BlockID{top.BlockID}
		for len(open) > 0 {
			id := open[0]
			open = open[1:]
			if id.Seqno == 0 || committed[id] {
				continue
			}
			shard, ok := byID[id]
			require.True(tb, ok, id)
			committed[id] = true
			m.Shards = append(m.Shards, shard)
			for _, p := range parents(tb, shard) {
				open = append(open, p.BlockID)
			}
		}
	}
	slices.SortFunc(m.Shards, func(a, b chain.RawBlock) int {
		return cmp.Or(cmp.Compare(a.ID.Seqno, b.ID.Seqno), a.ID.Compare(b.ID.BlockID))
	})
	for _, shard := range m.Shards {
		c.apply(tb, shard)
	}
	c.apply(tb, b)
	return m
}

// apply adds the state after a block. The update of a block after a merge starts from both parents' states.
func (c *Chain) apply(tb testing.TB, b chain.RawBlock) {
	tb.Helper()
	from := parents(tb, b)
	before := c.states[from[0].BlockID]
	if len(from) == 2 {
		before = cell.BeginCell().MustStoreUInt(0x5f327da5, 32). // split_state
										MustStoreRef(before).MustStoreRef(c.states[from[1].BlockID]).EndCell()
	}
	update, err := b.Root.PeekRef(2)
	require.NoError(tb, err)
	after, _, err := cell.ApplyMerkleUpdate(before, update)
	require.NoError(tb, err, b.ID)
	c.states[b.ID.BlockID] = after
}

func parents(tb testing.TB, b chain.RawBlock) []chain.BlockIDExt {
	tb.Helper()
	var block tlb.Block
	require.NoError(tb, tlb.Parse(&block, b.Root))
	list, err := ton.GetParentBlocks(&block.BlockInfo)
	require.NoError(tb, err)
	ids := make([]chain.BlockIDExt, len(list))
	for i, id := range list {
		ids[i] = fromTL(id)
	}
	return ids
}

func fromTL(id *ton.BlockIDExt) chain.BlockIDExt {
	return chain.BlockIDExt{
		BlockID:  chain.BlockID{Workchain: id.Workchain, Shard: chain.Shard(id.Shard), Seqno: id.SeqNo},
		RootHash: chain.HashFrom(id.RootHash), FileHash: chain.HashFrom(id.FileHash),
	}
}

// Head is the newest recorded block.
func (c *Chain) Head(context.Context) (chain.BlockIDExt, error) {
	return c.masters[len(c.masters)-1].Master.ID, nil
}

// Wait waits in vain for anything newer than the newest recorded block.
func (c *Chain) Wait(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	if int64(seqno) >= int64(len(c.masters)) {
		<-ctx.Done()
		return chain.BlockIDExt{}, ctx.Err()
	}
	return c.Head(ctx)
}

// MasterBlockID returns the id of a recorded block; 0 is the zerostate.
func (c *Chain) MasterBlockID(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	if seqno == 0 {
		return c.Zerostate, nil
	}
	m, err := c.MasterBlock(ctx, seqno)
	if err != nil {
		return chain.BlockIDExt{}, err
	}
	return m.Master.ID, nil
}

// MasterBlock returns a recorded block with the shard blocks that it commits.
func (c *Chain) MasterBlock(_ context.Context, seqno uint32) (*chain.RawMasterBlock, error) {
	if seqno == 0 || int64(seqno) >= int64(len(c.masters)) {
		return nil, chain.NotFoundf("masterchain block %d is not recorded", seqno)
	}
	return c.masters[seqno], nil
}

// Account reads an account from the state after a block of its workchain.
func (c *Chain) Account(_ context.Context, at chain.BlockIDExt, account chain.Address) (*chain.RawAccount, error) {
	state, err := c.state(c.shardOf(at, account))
	if err != nil {
		return nil, chain.NotFoundf("account %s at block %s is not recorded", account, at.BlockID)
	}
	key := cell.BeginCell().MustStoreSlice(account.ID.Bytes(), 256).EndCell()
	if state.Accounts.ShardAccounts == nil {
		return &chain.RawAccount{}, nil
	}
	value, err := state.Accounts.ShardAccounts.LoadValue(key)
	if err != nil {
		return &chain.RawAccount{}, nil //nolint:nilerr // there is no such account
	}
	var a tlb.ShardAccount
	if err := tlb.LoadFromCell(&a, value); err != nil {
		return nil, err
	}
	return &chain.RawAccount{Root: a.Account, LastTxHash: chain.HashFrom(a.LastTransHash), LastTxLT: a.LastTransLT}, nil
}

// shardOf returns the block whose state has an account: at itself, or the shard block that masterchain block at names.
func (c *Chain) shardOf(at chain.BlockIDExt, account chain.Address) chain.BlockIDExt {
	if at.Workchain == account.Workchain || !at.IsMaster() {
		return at
	}
	if at.Seqno == 0 {
		return chain.BlockIDExt{BlockID: chain.BlockID{Workchain: account.Workchain, Shard: chain.FullShard}}
	}
	if int64(at.Seqno) < int64(len(c.masters)) {
		for _, top := range c.masters[at.Seqno].Top {
			if top.Workchain == account.Workchain && top.Shard.Contains(account.ID) {
				return top
			}
		}
	}
	return at
}

func (c *Chain) state(at chain.BlockIDExt) (*tlb.ShardStateUnsplit, error) {
	root, ok := c.states[at.BlockID]
	if !ok {
		return nil, chain.NotFoundf("the state after block %s is not recorded", at.BlockID)
	}
	var state tlb.ShardStateUnsplit
	return &state, tlb.Parse(&state, root)
}

// Config returns the configuration after a masterchain block.
func (c *Chain) Config(_ context.Context, at chain.BlockIDExt) (*cell.Cell, error) {
	state, err := c.state(at)
	if err != nil {
		return nil, err
	}
	var extra tlb.McStateExtra
	if err := tlb.Parse(&extra, state.McStateExtra); err != nil {
		return nil, err
	}
	return extra.ConfigParams.Config.Params.AsCell(), nil
}

// LibrariesAt returns the public libraries after a masterchain block.
func (c *Chain) LibrariesAt(_ context.Context, at chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	root, ok := c.states[at.BlockID]
	if !ok {
		return nil, chain.NotFoundf("the state after block %s is not recorded", at.BlockID)
	}
	dict, _, err := chain.LibraryDict(root)
	if err != nil || dict == nil {
		return &chain.LibrarySet{}, err
	}
	set := &chain.LibrarySet{Root: chain.LibraryRoot(dict), Found: map[chain.Hash]*cell.Cell{}}
	for _, h := range hashes {
		value, err := dict.AsDict(256).LoadValue(cell.BeginCell().MustStoreSlice(h[:], 256).EndCell())
		if err != nil {
			continue // there is no such library
		}
		if set.Found[h], err = value.LoadRefCell(); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// Libraries returns public libraries of the newest recorded block.
func (c *Chain) Libraries(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	head, err := c.Head(ctx)
	if err != nil {
		return nil, err
	}
	set, err := c.LibrariesAt(ctx, head, hashes)
	if err != nil {
		return nil, err
	}
	return set.Found, nil
}
