package detect

import (
	"context"

	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// BlockContext is the execution context of get-methods at one masterchain block. It is safe for concurrent use.
type BlockContext struct {
	block    chain.Block
	snapshot contract.Snapshot
	others   *others // the snapshot, when its requests are limited; else nil
	libs     *replay.LibraryView
	quick    *contract.Runner
	full     *contract.Runner
}

// blockContext returns the execution context at a block; nil when the network has no configuration for it that get-methods
// can run with.
func (d *Detector) blockContext(ctx context.Context, block *chain.Block, snapshot contract.Snapshot, z *zones) (*BlockContext, error) {
	env, err := d.env(ctx, block)
	if err != nil || env.Config == nil {
		return nil, err
	}
	if env.Zones, err = z.find(ctx, d, snapshot, env); err != nil {
		return nil, err
	}
	s := &BlockContext{block: *block, snapshot: snapshot, libs: d.net.LibrariesAt(block.BlockIDExt)}
	s.others, _ = snapshot.(*others)
	if s.quick, err = d.quick.At(env); err != nil {
		return nil, err
	}
	s.full, err = d.full.At(env)
	return s, err
}

// env returns the environment of get-methods at a block. It depends only on the block.
func (d *Detector) env(ctx context.Context, block *chain.Block) (contract.Env, error) {
	config, err := d.net.ConfigAfter(ctx, block)
	if err != nil || config == nil {
		return contract.Env{}, err
	}
	prev, err := d.net.BlocksUpTo(ctx, block, config)
	if err != nil {
		return contract.Env{}, err
	}
	return contract.Env{
		Config: config, Now: block.GenUtime, LT: block.EndLT, Seed: block.RootHash, PrevBlocks: prev,
		Libraries: d.net.LibrariesAt(block.BlockIDExt),
	}, nil
}
