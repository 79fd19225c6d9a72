package emulate

import (
	"context"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// executionContext is the environment of contracts of one shard: it executes them after the shard's newest block, with the
// configuration and the previous blocks of the masterchain block, as liteservers do.
type executionContext struct {
	at     chain.Block
	config *networkConfig
	prev   tuple.Tuple
	runner *contract.Runner // of detection
	reads  *contract.Runner // of get-methods that this program calls
	calls  methodRunners    // of those that clients call
}

type contextKey struct {
	mcSeqno uint32
	block   chain.BlockID
}

// executionContext returns the context in which an account executes.
func (x *Emulator) executionContext(ctx context.Context, v *View, a chain.Address) (*executionContext, error) {
	at := v.BlockOf(a)
	key := contextKey{v.Master.Seqno, at.BlockID}
	if ec, ok := x.contexts.Get(key); ok {
		return ec, nil
	}
	return Shared(ctx, &x.calls, fmt.Sprintf("context %d %s", key.mcSeqno, at.BlockID), func(ctx context.Context) (*executionContext, error) {
		return x.newContext(ctx, v, at)
	})
}

func (x *Emulator) newContext(ctx context.Context, v *View, at *chain.Block) (*executionContext, error) {
	master := &v.Master
	config, err := x.config(ctx, master)
	if err != nil {
		return nil, fmt.Errorf("configuration at masterchain block %d: %w", master.Seqno, err)
	}
	prev, err := x.prevBlocks(ctx, master, config.GlobalVersion())
	if err != nil {
		return nil, err
	}
	runner, err := x.machine.At(contract.Env{
		Config: config.PreparedBlockchainConfig, Now: at.GenUtime, LT: at.EndLT, Seed: at.RootHash, PrevBlocks: prev, Libraries: v.libraries,
	})
	if err != nil {
		return nil, err
	}
	ec := &executionContext{at: *at, config: config, prev: prev, runner: runner, reads: runner.WithNamedLibraries()}
	ec.calls = x.methods.at(ec.reads)
	x.contexts.Add(contextKey{master.Seqno, at.BlockID}, ec)
	return ec, nil
}

// networkConfig is a configuration in the forms that executions need.
type networkConfig struct {
	*tvm.PreparedBlockchainConfig

	actions   *actionphase.Config
	noActions error // why there is none: get-methods need no prices of messages
}

// config returns the configuration in force after a masterchain block.
func (x *Emulator) config(ctx context.Context, master *chain.Block) (*networkConfig, error) {
	key := keyOf(master)
	if c, ok := x.configs.Get(key); ok {
		return c, nil
	}
	root, err := x.ConfigRoot(ctx, master)
	if err != nil {
		return nil, err
	}
	c := &networkConfig{}
	if c.PreparedBlockchainConfig, err = boundedvm.PrepareConfig(root); err != nil {
		return nil, err
	}
	c.actions, c.noActions = actionphase.NewConfig(c.Root())
	x.configs.Add(key, c)
	return c, nil
}

// keyOf returns the seqno of the key block whose configuration is in force after a masterchain block; 0 is the zerostate.
func keyOf(master *chain.Block) uint32 {
	if master.KeyBlock {
		return master.Seqno
	}
	return master.PrevKeyBlockSeqno
}

// ConfigRoot returns the configuration dictionary in force after a masterchain block, from the index or the node.
func (x *Emulator) ConfigRoot(ctx context.Context, master *chain.Block) (*cell.Cell, error) {
	c, err := x.index.Config(ctx, master.Seqno)
	if err == nil && c.McSeqno >= keyOf(master) {
		return cell.FromBOC(c.BOC)
	}
	if err == nil { // a block in a gap of the index, and the key block is in the gap, too
		err = chain.NotFoundf("the index does not hold the configuration of masterchain block %d", keyOf(master))
	}
	if chain.KindOf(err) != chain.NotFound || x.node == nil {
		return nil, err
	}
	return x.node.Config(ctx, master.BlockIDExt)
}

// The length of the lists of previous blocks, and the distance of blocks in the third list.
const (
	prevBlocksLen  = 16
	prevBlocksStep = 100
)

// prevBlocks builds PrevBlocksInfo at a masterchain block: the newest blocks starting with that one, the key block in
// force and, from global version 9 on, every hundredth block. It is empty when neither index nor node have all of them.
func (x *Emulator) prevBlocks(ctx context.Context, master *chain.Block, version uint32) (tuple.Tuple, error) {
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

// countDown lists up to 16 seqnos from seqno down in steps, including 0 for the zerostate.
func countDown(seqno, step uint32) []uint32 {
	list := []uint32{seqno}
	for len(list) < prevBlocksLen && seqno >= step {
		seqno -= step
		list = append(list, seqno)
	}
	return list
}

// masterIDs returns the ids of masterchain blocks from the cache, the index or the node, in this order.
func (x *Emulator) masterIDs(ctx context.Context, seqnos []uint32) (map[uint32]chain.BlockIDExt, error) {
	ids := make(map[uint32]chain.BlockIDExt, len(seqnos))
	var missing []chain.BlockID
	for _, seqno := range seqnos {
		if id, ok := x.ids.Get(seqno); ok {
			ids[seqno] = id
		} else {
			missing = append(missing, chain.MasterBlockID(seqno))
		}
	}
	found, err := x.index.BlocksByID(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i := range found {
		ids[found[i].Seqno] = found[i].BlockIDExt
		x.ids.Add(found[i].Seqno, found[i].BlockIDExt)
	}
	for _, id := range missing {
		if _, ok := ids[id.Seqno]; ok {
			continue
		}
		if x.node == nil {
			return nil, chain.NotFoundf("masterchain block %d is not in the index", id.Seqno)
		}
		ext, err := x.node.MasterBlockID(ctx, id.Seqno)
		if err != nil {
			return nil, err
		}
		ids[id.Seqno] = ext
		x.ids.Add(id.Seqno, ext)
	}
	return ids, nil
}

// blockTuple returns BlockId as contracts see it; the shard is unsigned there.
func blockTuple(id chain.BlockIDExt) tuple.Tuple {
	return tuple.NewTupleOwned([]any{
		big.NewInt(int64(id.Workchain)),
		new(big.Int).SetUint64(uint64(id.Shard)),
		new(big.Int).SetUint64(uint64(id.Seqno)),
		new(big.Int).SetBytes(id.RootHash[:]),
		new(big.Int).SetBytes(id.FileHash[:]),
	})
}
