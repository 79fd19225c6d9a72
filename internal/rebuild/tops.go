package rebuild

import (
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// maxWorkchains and maxShards bound the shards of a masterchain block, whose cells may be damaged.
const (
	maxWorkchains = 256
	maxShards     = 1 << 16
)

// ShardTops lists the latest block of every shard after a masterchain block, by workchain and shard. It reads them from the cell
// of the block, of which other parts may be cut off.
func ShardTops(root *cell.Cell) (tops []chain.BlockIDExt, err error) {
	defer recovered(&err)
	extra, err := extraOf(root)
	if err != nil {
		return nil, err
	}
	if extra.RefsNum() <= extraCustom {
		return nil, nil // a block for tests
	}
	custom, err := extra.PeekRef(extraCustom)
	if err != nil {
		return nil, err
	}
	at, err := shardHashes(custom)
	if err != nil || at < 0 {
		return nil, err
	}
	hashes, err := custom.PeekRef(at)
	if err != nil {
		return nil, err
	}
	dict, err := cellgraph.Dict(hashes, 32, maxWorkchains)
	if err != nil {
		return nil, fmt.Errorf("shard hashes: %w", err)
	}
	workchains, err := dict.LoadAll()
	if err != nil {
		return nil, fmt.Errorf("shard hashes: %w", err)
	}
	for _, w := range workchains {
		workchain, err := w.Key.LoadInt(32)
		if err != nil {
			return nil, err
		}
		tree, err := w.Value.LoadRefCell()
		if err != nil {
			return nil, fmt.Errorf("shard hashes of workchain %d: %w", workchain, err)
		}
		if tops, err = appendTops(tops, tree, int32(workchain), chain.FullShard); err != nil {
			return nil, fmt.Errorf("shard hashes of workchain %d: %w", workchain, err)
		}
	}
	slices.SortFunc(tops, func(a, b chain.BlockIDExt) int { return a.Compare(b.BlockID) })
	return tops, nil
}

// appendTops reads BinTree ShardDescr.
func appendTops(tops []chain.BlockIDExt, c *cell.Cell, workchain int32, shard chain.Shard) ([]chain.BlockIDExt, error) {
	r := open(c)
	if r.uint(1) == 1 { // bt_fork$1
		half := (shard & -shard) >> 1
		left, right := r.ref(), r.ref()
		if r.err != nil || half == 0 || len(tops) > maxShards {
			return nil, errFrame
		}
		tops, err := appendTops(tops, left, workchain, shard-half)
		if err != nil {
			return nil, err
		}
		return appendTops(tops, right, workchain, shard+half)
	}
	if tag := r.uint(4); tag != 0xa && tag != 0xb { // shard_descr_new#a, shard_descr#b
		r.fail(errFrame)
	}
	id := chain.BlockIDExt{BlockID: chain.BlockID{Workchain: workchain, Shard: shard, Seqno: uint32(r.uint(32))}}
	r.skip(32 + 2*64) // reg_mc_seqno, start_lt, end_lt
	id.RootHash, id.FileHash = r.hash(), r.hash()
	return append(tops, id), r.err
}
