package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// Constructors on the way from a masterchain block or state to its shard hashes.
const (
	tagBlockExtra   = 0x4a33f6fd
	tagMcBlockExtra = 0xcca5
	tagMcStateExtra = 0xcc26
)

// topsOfBlock lists the newest block of every shard from the shard hashes of a masterchain block.
func topsOfBlock(root *cell.Cell) ([]chain.BlockIDExt, error) {
	dict, err := shardHashesOfBlock(root)
	if err != nil {
		return nil, fmt.Errorf("shard hashes: %w", err)
	}
	return listTops(dict)
}

// shardHashesOfBlock finds the root of the dictionary of shards in a masterchain block, or in a proof of one; nil when
// there are no shards.
func shardHashesOfBlock(root *cell.Cell) (*cell.Cell, error) {
	extra, extraCell, err := blockPart(root, 3)
	if err != nil {
		return nil, fmt.Errorf("block extra: %w", err)
	}
	if tag, err := extra.LoadUInt(32); err != nil || tag != tagBlockExtra {
		return nil, errors.New("block extra of an unknown form")
	}
	if extraCell.RefsNum() < 4 {
		return nil, errors.New("a masterchain block without masterchain part")
	}
	custom, _, err := blockPart(extraCell, 3)
	if err != nil {
		return nil, fmt.Errorf("masterchain part: %w", err)
	}
	if tag, err := custom.LoadUInt(16); err != nil || tag != tagMcBlockExtra {
		return nil, errors.New("masterchain part of an unknown form")
	}
	if _, err := custom.LoadBoolBit(); err != nil { // key_block
		return nil, err
	}
	return maybeRef(custom)
}

// maybeRef reads Maybe ^Cell; nil when absent. The cell may be cut off: its hash is enough to compare.
func maybeRef(loader *cell.Slice) (*cell.Cell, error) {
	there, err := loader.LoadBoolBit()
	if err != nil || !there {
		return nil, err
	}
	return loader.LoadRefCell()
}

// listTops reads a complete dictionary of shards, ordered by workchain and shard.
func listTops(root *cell.Cell) ([]chain.BlockIDExt, error) {
	if root == nil {
		return nil, nil
	}
	list, err := ton.LoadShardsFromHashes(root.AsDict(32), false)
	if err != nil {
		return nil, fmt.Errorf("shard hashes: %w", err)
	}
	tops := make([]chain.BlockIDExt, len(list))
	for i, id := range list {
		tops[i] = fromTL(id)
	}
	sortIDs(tops)
	return tops, nil
}

// sortIDs orders blocks of different shards by workchain and shard.
func sortIDs(ids []chain.BlockIDExt) {
	slices.SortFunc(ids, func(a, b chain.BlockIDExt) int { return a.Compare(b.BlockID) })
}

// sortParentsFirst orders blocks of any shards so that parents come before children: a child's seqno is the highest of
// its parents' plus one.
func sortParentsFirst(blocks []chain.RawBlock) {
	slices.SortFunc(blocks, func(a, b chain.RawBlock) int {
		return cmp.Or(cmp.Compare(a.ID.Seqno, b.ID.Seqno), a.ID.Compare(b.ID.BlockID))
	})
}

// topsAfter lists the newest block of every shard after a proven masterchain block, without fetching the block itself.
func (c *Client) topsAfter(ctx context.Context, id chain.BlockIDExt) ([]chain.BlockIDExt, error) {
	if tops, ok := c.tops.Get(id.RootHash); ok {
		return tops, nil
	}
	if id.Seqno == 0 {
		return nil, nil // whatever the zerostate lists are zerostates, where every walk ends anyway
	}
	w := want{what: fmt.Sprintf("shards of masterchain block %d", id.Seqno), seqno: id.Seqno}
	tops, err := query(ctx, c.pool, w, func(ctx context.Context, s *server) ([]chain.BlockIDExt, error) {
		info, err := call[ton.AllShardsInfo](ctx, s, ton.GetAllShardsInfo{ID: toTL(id)})
		if err != nil {
			return nil, err
		}
		var tops []chain.BlockIDExt
		err = believable("a list of shards", func() error {
			tops, err = checkShards(id, info)
			return err
		})
		return tops, err
	})
	if err == nil {
		c.tops.Add(id.RootHash, tops)
	}
	return tops, err
}

// checkShards compares a list of shards with the proof that comes with it: of the block, or of the state after it.
func checkShards(id chain.BlockIDExt, info ton.AllShardsInfo) ([]chain.BlockIDExt, error) {
	if fromTL(info.ID) != id {
		return nil, lie(nil, "returned the shards of another block than %s", id)
	}
	if info.Data == nil {
		return nil, errors.New("it is empty")
	}
	if err := cellgraph.CheckLevels(append(slices.Clone(info.Proof), info.Data)...); err != nil {
		return nil, err
	}
	var proven *cell.Cell
	switch len(info.Proof) {
	case 1:
		body, err := cell.UnwrapProof(info.Proof[0], id.RootHash[:])
		if err != nil {
			return nil, err
		}
		if proven, err = shardHashesOfBlock(body); err != nil {
			return nil, err
		}
	case 2:
		state, err := ton.CheckBlockShardStateProof(info.Proof, id.RootHash[:])
		if err != nil {
			return nil, err
		}
		if proven, err = shardHashesOfState(state); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("its proof has %d roots", len(info.Proof))
	}
	loader, err := info.Data.BeginParse()
	if err != nil {
		return nil, err
	}
	given, err := maybeRef(loader)
	if err != nil {
		return nil, err
	}
	if (proven == nil) != (given == nil) || (given != nil && proven.HashKey(0) != given.HashKey()) {
		return nil, lie(nil, "returned a list of shards that is not that of masterchain block %d", id.Seqno)
	}
	return listTops(given)
}

func shardHashesOfState(state *tlb.ShardStateUnsplit) (*cell.Cell, error) {
	if state.McStateExtra == nil {
		return nil, errors.New("the proof is not of a masterchain state")
	}
	loader, err := state.McStateExtra.BeginParse()
	if err != nil {
		return nil, err
	}
	if tag, err := loader.LoadUInt(16); err != nil || tag != tagMcStateExtra {
		return nil, errors.New("masterchain state of an unknown form")
	}
	return maybeRef(loader)
}
