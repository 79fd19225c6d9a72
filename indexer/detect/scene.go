package detect

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Scene is what detection as of one masterchain block needs beside the accounts. It is safe for concurrent use.
type Scene struct {
	block    chain.Block
	snapshot contract.Snapshot
	quick    *contract.Runner
	full     *contract.Runner
}

// scene prepares a block. It is nil when the network holds no configuration for it that get-methods can run with.
func (d *Detector) scene(ctx context.Context, block *chain.Block, snapshot contract.Snapshot, z *zones) (*Scene, error) {
	env, err := d.env(ctx, block)
	if err != nil || env.Config == nil {
		return nil, err
	}
	if env.Zones, err = z.find(ctx, d, snapshot, env); err != nil {
		return nil, err
	}
	s := &Scene{block: *block, snapshot: snapshot}
	if s.quick, err = d.quick.At(env); err != nil {
		return nil, err
	}
	s.full, err = d.full.At(env)
	return s, err
}

// env is what get-methods see of a block: everything follows from the block.
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
		Config: config, Now: block.GenUtime, LT: block.EndLT, Seed: block.RootHash, PrevBlocks: prev, Libraries: d.net,
	}, nil
}

// zones remembers which collections the network's DNS root names, as long as the root does not change.
type zones struct {
	root  [2]chain.Hash // its code and data
	found map[chain.Address]string
}

// topLevel are the zones whose second-level names are items of a collection that the root itself names.
var topLevel = []string{"ton"}

// find asks the root. A root that is not there, or does not answer, names nothing.
func (z *zones) find(ctx context.Context, d *Detector, snapshot contract.Snapshot, env contract.Env) (map[chain.Address]string, error) {
	address, ok := dnsRoot(env.Config)
	if !ok {
		return nil, nil
	}
	root, ok, err := snapshot.State(ctx, address)
	if chain.KindOf(err) == chain.NotFound && err != nil {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("root of names: %w", err)
	}
	if !ok || !root.Active() {
		return nil, nil
	}
	if state := [2]chain.Hash{root.CodeHash(), root.DataHash()}; z.found == nil || z.root != state {
		found, err := askRoot(ctx, d, env, root)
		if err != nil {
			return nil, err
		}
		z.root, z.found = state, found
	}
	return z.found, nil
}

// dnsRoot reads configuration parameter 4: the account of the masterchain that resolves the first label.
func dnsRoot(config *tvm.PreparedBlockchainConfig) (chain.Address, bool) {
	const param, bits = 4, 32
	s, err := config.Root().AsDict(bits).LoadValue(cell.BeginCell().MustStoreUInt(param, bits).EndCell())
	if err != nil {
		return chain.Address{}, false
	}
	c, err := s.LoadRefCell()
	if err != nil {
		return chain.Address{}, false
	}
	l := contract.Load(c)
	a := chain.Address{Workchain: chain.MasterchainID, ID: l.Hash()}
	return a, l.Err() == nil
}

// askRoot resolves a name below each zone halfway: the root answers with the contract that goes on, as TEP-81 has it.
func askRoot(ctx context.Context, d *Detector, env contract.Env, root contract.State) (map[chain.Address]string, error) {
	const tagNextResolver = 0xba93
	runner, err := d.quick.At(env)
	if err != nil {
		return nil, err
	}
	found := map[chain.Address]string{}
	for _, zone := range topLevel {
		name := []byte(zone + "\x00x\x00")
		arg := cell.BeginCell().MustStoreSlice(name, uint(len(name))*8).ToSlice()
		result, err := runner.Run(ctx, &root, "dnsresolve", arg, int64(0))
		if err != nil {
			if contract.IsFault(err) {
				continue
			}
			return nil, fmt.Errorf("root of names: %w", err)
		}
		r := result.Read()
		r.Skip(1)
		next := r.CellOrNull()
		if r.Err() != nil || next == nil {
			continue
		}
		l := contract.Load(next)
		if tag := l.Uint(16); tag != tagNextResolver {
			continue
		}
		if a := l.Address(); l.Err() == nil && a != nil {
			found[*a] = "." + zone
		}
	}
	return found, nil
}
