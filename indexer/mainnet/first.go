package mainnet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

//go:embed testdata
var recordings embed.FS

func recorded(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := recordings.ReadFile("testdata/" + name)
	require.NoError(tb, err)
	return data
}

// FirstBlocks are the masterchain blocks 1 to 99 of the main network, of November 2019, with the shard blocks that they
// commit and the states after all of them. It is a [chain.Source] of which every state was made from the zerostates by
// the updates in the blocks.
type FirstBlocks struct {
	Zerostate chain.BlockIDExt

	masters []*chain.RawMasterBlock // by seqno; the first is nil
	states  map[chain.BlockID]*cell.Cell
}

var _ chain.Source = (*FirstBlocks)(nil)

// firstBlocks are read once for all tests of a process: nothing changes them.
var firstBlocks struct {
	once   sync.Once
	blocks *FirstBlocks
}

// OpenFirstBlocks reads the recording and builds the states. Each block's file hash and each state's root hash is
// compared.
func OpenFirstBlocks(tb testing.TB) *FirstBlocks {
	tb.Helper()
	firstBlocks.once.Do(func() { firstBlocks.blocks = openFirstBlocks(tb) })
	require.NotNil(tb, firstBlocks.blocks, "the first test that opened the recording failed")
	return firstBlocks.blocks
}

func openFirstBlocks(tb testing.TB) *FirstBlocks {
	tb.Helper()
	f := &FirstBlocks{masters: []*chain.RawMasterBlock{nil}, states: map[chain.BlockID]*cell.Cell{}}
	f.addZerostates(tb)
	byID := map[chain.BlockID]chain.RawBlock{}
	for _, entry := range Packs(tb) {
		if !strings.HasPrefix(entry.Name, "block_") {
			continue
		}
		b := parse(tb, entry.Data)
		require.True(tb, strings.HasSuffix(strings.ToLower(entry.Name), ":"+b.ID.FileHash.Hex()), entry.Name)
		byID[b.ID.BlockID] = b
	}
	committed := map[chain.BlockID]bool{}
	for id := f.Zerostate.BlockID; ; {
		id.Seqno++
		b, ok := byID[id]
		if !ok {
			break
		}
		f.masters = append(f.masters, f.master(tb, b, byID, committed))
	}
	require.Len(tb, byID, len(f.masters)-1+len(committed), "a recorded block is committed by none")
	return f
}

func (f *FirstBlocks) addZerostates(tb testing.TB) {
	tb.Helper()
	for wc, name := range map[int32]string{chain.MasterchainID: "masterchain", 0: "basechain"} {
		file := recorded(tb, "zerostate-"+name+".boc")
		root, err := cell.FromBOC(file)
		require.NoError(tb, err)
		id := chain.BlockID{Workchain: wc, Shard: chain.FullShard}
		f.states[id] = root
		if wc == chain.MasterchainID {
			f.Zerostate = chain.BlockIDExt{BlockID: id, RootHash: chain.Hash(root.HashKey()), FileHash: sha256.Sum256(file)}
		}
	}
}

// master collects the shard blocks that a masterchain block commits, and applies the updates of all.
func (f *FirstBlocks) master(tb testing.TB, b chain.RawBlock, byID map[chain.BlockID]chain.RawBlock, committed map[chain.BlockID]bool) *chain.RawMasterBlock {
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
		f.apply(tb, shard)
	}
	f.apply(tb, b)
	return m
}

// apply adds the state after a block. The update of a block after a merge starts from both parents' states.
func (f *FirstBlocks) apply(tb testing.TB, b chain.RawBlock) {
	tb.Helper()
	from := parents(tb, b)
	before := f.states[from[0].BlockID]
	if len(from) == 2 {
		before = cell.BeginCell().MustStoreUInt(0x5f327da5, 32). // split_state
										MustStoreRef(before).MustStoreRef(f.states[from[1].BlockID]).EndCell()
	}
	update, err := b.Root.PeekRef(2)
	require.NoError(tb, err)
	after, _, err := cell.ApplyMerkleUpdate(before, update)
	require.NoError(tb, err, b.ID)
	f.states[b.ID.BlockID] = after
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
func (f *FirstBlocks) Head(context.Context) (chain.BlockIDExt, error) {
	return f.masters[len(f.masters)-1].Master.ID, nil
}

// Wait waits in vain for anything newer than the newest recorded block.
func (f *FirstBlocks) Wait(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	if int64(seqno) >= int64(len(f.masters)) {
		<-ctx.Done()
		return chain.BlockIDExt{}, ctx.Err()
	}
	return f.Head(ctx)
}

// MasterBlockID returns the id of a recorded block; 0 is the zerostate.
func (f *FirstBlocks) MasterBlockID(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	if seqno == 0 {
		return f.Zerostate, nil
	}
	m, err := f.MasterBlock(ctx, seqno)
	if err != nil {
		return chain.BlockIDExt{}, err
	}
	return m.Master.ID, nil
}

// MasterBlock returns a recorded block with the shard blocks that it commits.
func (f *FirstBlocks) MasterBlock(_ context.Context, seqno uint32) (*chain.RawMasterBlock, error) {
	if seqno == 0 || int64(seqno) >= int64(len(f.masters)) {
		return nil, chain.NotFoundf("masterchain block %d is not recorded", seqno)
	}
	return f.masters[seqno], nil
}

// Account reads an account from the state after a block of its workchain.
func (f *FirstBlocks) Account(_ context.Context, at chain.BlockIDExt, account chain.Address) (*chain.RawAccount, error) {
	state, err := f.state(at)
	if err != nil || at.Workchain != account.Workchain {
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

func (f *FirstBlocks) state(at chain.BlockIDExt) (*tlb.ShardStateUnsplit, error) {
	root, ok := f.states[at.BlockID]
	if !ok {
		return nil, chain.NotFoundf("the state after block %s is not recorded", at.BlockID)
	}
	var state tlb.ShardStateUnsplit
	return &state, tlb.Parse(&state, root)
}

// Config returns the configuration after a masterchain block.
func (f *FirstBlocks) Config(_ context.Context, at chain.BlockIDExt) (*cell.Cell, error) {
	state, err := f.state(at)
	if err != nil {
		return nil, err
	}
	var extra tlb.McStateExtra
	if err := tlb.Parse(&extra, state.McStateExtra); err != nil {
		return nil, err
	}
	return extra.ConfigParams.Config.Params.AsCell(), nil
}

// LibrariesAt returns the set of public libraries after a masterchain block, which is empty.
func (f *FirstBlocks) LibrariesAt(context.Context, chain.BlockIDExt, []chain.Hash) (*chain.LibrarySet, error) {
	return &chain.LibrarySet{}, nil
}

// Libraries finds none: nobody had published a library.
func (f *FirstBlocks) Libraries(context.Context, []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	return map[chain.Hash]*cell.Cell{}, nil
}
