package ledger

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
	"tonql/internal/devnet/layout"
)

// reference is the masterchain state that blocks build on: shard blocks name it
// as their master_ref, a masterchain block has it as parent. Config, libraries
// and the list of previous blocks that contracts see come from here, so the referenced
// masterchain block is enough to replay a transaction.
type reference struct {
	block  tlb.ExtBlkRef
	state  *layout.State
	extra  *layout.McExtra
	shards []*layout.ShardDescr

	config     *tvm.PreparedBlockchainConfig
	actions    *actionphase.Config
	params     tlb.BlockchainConfig
	prevBlocks tuple.Tuple
	keyBlock   tlb.ExtBlkRef // newest key block at or before block
}

// newReference reads a masterchain state. The prepared config of the previous
// reference is taken over while the parameters are the same.
func newReference(block tlb.ExtBlkRef, root *cell.Cell, last *reference) (*reference, error) {
	st, err := layout.ParseState(root)
	if err != nil {
		return nil, err
	}
	extra, err := layout.ParseMcExtra(st.Extra)
	if err != nil {
		return nil, err
	}
	ref := &reference{block: block, state: st, extra: extra, params: tlb.BlockchainConfig{Root: extra.Config}}
	if ref.shards, err = layout.ParseShardHashes(extra.Shards); err != nil {
		return nil, err
	}
	if last != nil && last.extra.Config.HashKey() == extra.Config.HashKey() {
		ref.config, ref.actions = last.config, last.actions
	} else if ref.config, ref.actions, err = prepare(extra.Config); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	switch {
	case extra.AfterKeyBlock:
		ref.keyBlock = block
	case extra.LastKeyBlock != nil:
		ref.keyBlock = *extra.LastKeyBlock
	default:
		return nil, fmt.Errorf("masterchain state %d lists no key block", block.SeqNo)
	}
	ref.prevBlocks, err = ref.prevBlocksTuple()
	return ref, err
}

// prepare derives what executions need from the dictionary of configuration parameters.
func prepare(root *cell.Cell) (*tvm.PreparedBlockchainConfig, *actionphase.Config, error) {
	config, err := boundedvm.PrepareConfig(root)
	if err != nil {
		return nil, nil, err
	}
	actions, err := actionphase.NewConfig(config.Root())
	return config, actions, err
}

// libraries are the collections contracts may load from.
func (r *reference) libraries() []*cell.Cell {
	if r.state.Libraries == nil {
		return nil
	}
	return []*cell.Cell{r.state.Libraries}
}

const prevBlocksLen = 16

// prevBlocksTuple is element 13 of c7: the last 16 masterchain blocks newest
// first, the last key block, and the last 16 blocks whose seqno is a multiple of
// 100. Each is [workchain shard seqno root_hash file_hash].
func (r *reference) prevBlocksTuple() (tuple.Tuple, error) {
	last, err := r.oldBlocks(r.block.SeqNo, 1)
	if err != nil {
		return tuple.Tuple{}, err
	}
	hundreds, err := r.oldBlocks(r.block.SeqNo/100*100, 100)
	if err != nil {
		return tuple.Tuple{}, err
	}
	return tuple.NewTupleValue(last, blockTuple(r.keyBlock), hundreds), nil
}

func (r *reference) oldBlocks(seqno, step uint32) (tuple.Tuple, error) {
	var list []any
	for len(list) < prevBlocksLen {
		ref := r.block
		if seqno != r.block.SeqNo {
			var err error
			if ref, _, err = layout.OldMcBlock(r.extra.PrevBlocks, seqno); err != nil {
				return tuple.Tuple{}, err
			}
		}
		list = append(list, blockTuple(ref))
		if seqno < step {
			break
		}
		seqno -= step
	}
	return tuple.NewTupleOwned(list), nil
}

func blockTuple(ref tlb.ExtBlkRef) tuple.Tuple {
	return tuple.NewTupleValue(
		big.NewInt(int64(layout.Masterchain)),
		new(big.Int).SetUint64(layout.FullShard),
		new(big.Int).SetUint64(uint64(ref.SeqNo)),
		new(big.Int).SetBytes(ref.RootHash),
		new(big.Int).SetBytes(ref.FileHash),
	)
}
