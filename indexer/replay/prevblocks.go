package replay

import (
	"context"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/internal/chain"
)

// lastBlocks is the maximum number of ids in the first and the third list of the tuple.
const lastBlocks = 16

// prevBlocks returns the tuple of previous blocks in c7 at masterchain block at: the newest 16 blocks, beginning with at; the
// key block in force; and, from global version 9 on, 16 blocks whose seqnos are multiples of 100. The zero state counts as
// block 0. The tuple is empty, and complete false, when no server has the ids any more.
func (n *Network) prevBlocks(ctx context.Context, at chain.BlockIDExt, keySeqno, version uint32) (t tuple.Tuple, complete bool, err error) {
	t, err = n.prevBlocksTuple(ctx, at, keySeqno, version)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		return tuple.Tuple{}, false, nil
	}
	return t, true, err
}

func (n *Network) prevBlocksTuple(ctx context.Context, at chain.BlockIDExt, keySeqno, version uint32) (tuple.Tuple, error) {
	n.learn(at)
	var recent []uint32
	for s := int64(at.Seqno); s >= 0 && len(recent) < lastBlocks; s-- {
		recent = append(recent, uint32(s))
	}
	last, err := n.idTuple(ctx, recent)
	if err != nil {
		return tuple.Tuple{}, err
	}
	key, err := n.masterID(ctx, keySeqno)
	if err != nil {
		return tuple.Tuple{}, err
	}
	parts := []any{last, blockTuple(key)}
	if version >= 9 {
		var hundreds []uint32
		for s := int64(at.Seqno / 100 * 100); s >= 0 && len(hundreds) < lastBlocks; s -= 100 {
			hundreds = append(hundreds, uint32(s))
		}
		every, err := n.idTuple(ctx, hundreds)
		if err != nil {
			return tuple.Tuple{}, err
		}
		parts = append(parts, every)
	}
	return tuple.NewTupleValue(parts...), nil
}

func (n *Network) idTuple(ctx context.Context, seqnos []uint32) (tuple.Tuple, error) {
	items := make([]any, len(seqnos))
	for i, s := range seqnos {
		id, err := n.masterID(ctx, s)
		if err != nil {
			return tuple.Tuple{}, err
		}
		items[i] = blockTuple(id)
	}
	return tuple.NewTupleValue(items...), nil
}

// blockTuple is [workchain, shard, seqno, root hash, file hash], the shard as an unsigned number.
func blockTuple(id chain.BlockIDExt) tuple.Tuple {
	return tuple.NewTupleValue(
		big.NewInt(int64(id.Workchain)),
		new(big.Int).SetUint64(uint64(id.Shard)),
		new(big.Int).SetUint64(uint64(id.Seqno)),
		new(big.Int).SetBytes(id.RootHash[:]),
		new(big.Int).SetBytes(id.FileHash[:]),
	)
}
