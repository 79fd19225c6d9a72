package resolvers

import (
	"context"
	"fmt"
	"math/big"
	"strconv"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// view is the chain as of one indexed masterchain block.
type view struct {
	master chain.Block
	shards []chain.Block // newest of every shard as far as indexed, the masterchain's included
	latest bool          // asked for as the newest, so that the latest states belong to it
	beyond bool          // not in the index: the node told it

	libraries *libraryView
}

// view finds what a request is as of. nil is the newest indexed block.
func (x *executor) view(ctx context.Context, seqno *uint32) (*view, error) {
	latest := seqno == nil
	if latest {
		head, err := x.svc.McSeqno(ctx)
		if err != nil {
			return nil, err
		}
		if head == 0 {
			return nil, &chain.Error{Kind: chain.Behind, Message: "the index is empty, try again when the first block is indexed"}
		}
		seqno = &head
	}
	if v, ok := x.views.Get(*seqno); ok {
		return v.as(latest), nil
	}
	v, err := shared(ctx, &x.calls, "view "+strconv.Itoa(int(*seqno)), func(ctx context.Context) (*view, error) {
		return x.loadView(ctx, *seqno)
	})
	if err != nil {
		return nil, err
	}
	return v.as(latest), nil
}

func (v *view) as(latest bool) *view {
	if v.latest == latest {
		return v
	}
	return &view{master: v.master, shards: v.shards, latest: latest, beyond: v.beyond, libraries: v.libraries}
}

func (x *executor) loadView(ctx context.Context, seqno uint32) (*view, error) {
	blocks, err := x.svc.index.ShardState(ctx, seqno)
	if err != nil {
		return nil, err
	}
	v := &view{shards: blocks}
	for i := range blocks {
		if blocks[i].IsMaster() {
			v.master = blocks[i]
		}
	}
	if len(blocks) == 0 {
		head, err := x.svc.MasterchainInfo(ctx)
		if err != nil {
			return nil, err
		}
		if s := x.svc; s.node == nil || seqno > head.Last.Seqno {
			return nil, chain.NotFoundf("masterchain block %d is not in the index, which holds %d to %d", seqno, head.First.Seqno, head.Last.Seqno)
		}
		if v, err = x.viewOfNode(ctx, seqno); err != nil {
			return nil, err
		}
	}
	v.libraries = newLibraryView(v.master.BlockIDExt)
	x.views.Add(seqno, v)
	return v, nil
}

// blockOf is the newest block of the shard where an account lives, or the masterchain block when that one is older than
// the index.
func (v *view) blockOf(a chain.Address) *chain.Block {
	for i := range v.shards {
		if b := &v.shards[i]; b.Workchain == a.Workchain && b.Shard.Contains(a.ID) {
			return b
		}
	}
	return &v.master
}

// scene is where contracts of one shard run: after its newest block, with the configuration and the previous blocks of
// the masterchain block, as liteservers have it.
type scene struct {
	at     chain.Block
	config *tvm.PreparedBlockchainConfig
	prev   tuple.Tuple
	runner *contract.Runner
}

type sceneKey struct {
	mcSeqno uint32
	block   chain.BlockID
}

// scene prepares runs on an account.
func (x *executor) scene(ctx context.Context, v *view, a chain.Address) (*scene, error) {
	at := v.blockOf(a)
	key := sceneKey{v.master.Seqno, at.BlockID}
	if sc, ok := x.scenes.Get(key); ok {
		return sc, nil
	}
	return shared(ctx, &x.calls, fmt.Sprintf("scene %d %s", key.mcSeqno, at.BlockID), func(ctx context.Context) (*scene, error) {
		return x.newScene(ctx, v, at)
	})
}

func (x *executor) newScene(ctx context.Context, v *view, at *chain.Block) (*scene, error) {
	master := &v.master
	config, err := x.config(ctx, master)
	if err != nil {
		return nil, fmt.Errorf("configuration as of masterchain block %d: %w", master.Seqno, err)
	}
	prev, err := x.prevBlocks(ctx, master, config.GlobalVersion())
	if err != nil {
		return nil, err
	}
	runner, err := x.machine.At(contract.Env{
		Config: config, Now: at.GenUtime, LT: at.EndLT, Seed: at.RootHash, PrevBlocks: prev, Libraries: v.libraries,
	})
	if err != nil {
		return nil, err
	}
	sc := &scene{at: *at, config: config, prev: prev, runner: runner}
	x.scenes.Add(sceneKey{master.Seqno, at.BlockID}, sc)
	return sc, nil
}

func masterID(seqno uint32) chain.BlockID {
	return chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: seqno}
}

// config is the configuration in force after a masterchain block.
func (x *executor) config(ctx context.Context, master *chain.Block) (*tvm.PreparedBlockchainConfig, error) {
	key := keyOf(master)
	if c, ok := x.configs.Get(key); ok {
		return c, nil
	}
	root, err := x.configRoot(ctx, master)
	if err != nil {
		return nil, err
	}
	c, err := tvm.PrepareBlockchainConfig(root)
	if err != nil {
		return nil, err
	}
	x.configs.Add(key, c)
	return c, nil
}

// keyOf is the key block whose configuration is in force after a masterchain block; 0 is the zerostate.
func keyOf(master *chain.Block) uint32 {
	if master.KeyBlock {
		return master.Seqno
	}
	return master.PrevKeyBlockSeqno
}

func (x *executor) configRoot(ctx context.Context, master *chain.Block) (*cell.Cell, error) {
	c, err := x.svc.index.Config(ctx, master.Seqno)
	if err == nil {
		return cell.FromBOC(c.BOC)
	}
	if chain.KindOf(err) != chain.NotFound || x.svc.node == nil {
		return nil, err
	}
	return x.svc.node.Config(ctx, master.BlockIDExt)
}

// Shape of the tuple of previous blocks: how many, and how far apart those of its third list are.
const (
	prevBlocksLen  = 16
	prevBlocksStep = 100
)

// prevBlocks builds PrevBlocksInfo as of a masterchain block: the newest blocks with that one first, the key block in
// force and, since version 9, every hundredth block. It is empty when neither index nor node know all of them.
func (x *executor) prevBlocks(ctx context.Context, master *chain.Block, version uint32) (tuple.Tuple, error) {
	lists := [][]uint32{countDown(master.Seqno, 1), {keyOf(master)}}
	if version >= 9 {
		lists = append(lists, countDown(master.Seqno/prevBlocksStep*prevBlocksStep, prevBlocksStep))
	}
	x.ids.Add(master.Seqno, master.BlockIDExt)
	var all []uint32
	for _, list := range lists {
		all = append(all, list...)
	}
	ids, err := x.masterIDs(ctx, all)
	if err != nil {
		if kind := chain.KindOf(err); kind == chain.NotFound || kind == chain.Unavailable && ctx.Err() == nil {
			return tuple.Tuple{}, nil
		}
		return tuple.Tuple{}, err
	}
	parts := make([]any, 0, len(lists))
	for i, list := range lists {
		items := make([]any, len(list))
		for j, seqno := range list {
			items[j] = blockTuple(ids[seqno])
		}
		if i == 1 {
			parts = append(parts, items[0])
			continue
		}
		parts = append(parts, tuple.NewTupleOwned(items))
	}
	return tuple.NewTupleOwned(parts), nil
}

// countDown lists up to 16 seqnos from seqno down in steps, the zerostate's 0 included.
func countDown(seqno, step uint32) []uint32 {
	list := []uint32{seqno}
	for len(list) < prevBlocksLen && seqno >= step {
		seqno -= step
		list = append(list, seqno)
	}
	return list
}

// masterIDs names masterchain blocks: from memory, the index, the node.
func (x *executor) masterIDs(ctx context.Context, seqnos []uint32) (map[uint32]chain.BlockIDExt, error) {
	known := make(map[uint32]chain.BlockIDExt, len(seqnos))
	var missing []chain.BlockID
	for _, seqno := range seqnos {
		if id, ok := x.ids.Get(seqno); ok {
			known[seqno] = id
		} else {
			missing = append(missing, masterID(seqno))
		}
	}
	found, err := x.svc.index.BlocksByID(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i := range found {
		known[found[i].Seqno] = found[i].BlockIDExt
		x.ids.Add(found[i].Seqno, found[i].BlockIDExt)
	}
	for _, id := range missing {
		if _, ok := known[id.Seqno]; ok {
			continue
		}
		if x.svc.node == nil {
			return nil, chain.NotFoundf("masterchain block %d is not in the index", id.Seqno)
		}
		ext, err := x.svc.node.MasterBlockID(ctx, id.Seqno)
		if err != nil {
			return nil, err
		}
		known[id.Seqno] = ext
		x.ids.Add(id.Seqno, ext)
	}
	return known, nil
}

// blockTuple is BlockId as contracts see it; the shard is unsigned there.
func blockTuple(id chain.BlockIDExt) tuple.Tuple {
	return tuple.NewTupleOwned([]any{
		big.NewInt(int64(id.Workchain)),
		new(big.Int).SetUint64(uint64(id.Shard)),
		new(big.Int).SetUint64(uint64(id.Seqno)),
		new(big.Int).SetBytes(id.RootHash[:]),
		new(big.Int).SetBytes(id.FileHash[:]),
	})
}
