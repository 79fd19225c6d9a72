package lite

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
)

// shardLeaf is one entry of ShardHashes.
type shardLeaf struct {
	id   ton.BlockIDExt // newest block of the shard
	cell *cell.Cell     // the tree's leaf: a zero bit and the ShardDescr
}

// findShard descends from the root of ShardHashes to the shard that covers the requested
// one. It returns nil when there is none: an unknown workchain, a shard that is split
// further, or, with exact, one that is not split that far.
func findShard(shards *cell.Cell, wc int32, shard int64, exact bool) (*shardLeaf, error) {
	entry, err := lookup(shards, intKey(wc), 32)
	if err != nil || entry == nil {
		return nil, err
	}
	node, err := entry.LoadRefCell()
	if err != nil {
		return nil, fmt.Errorf("shards of workchain %d: %w", wc, err)
	}
	at := rootShard
	for {
		s, err := node.BeginParse()
		if err != nil {
			return nil, fmt.Errorf("shard %016x: %w", uint64(at), err)
		}
		fork, err := s.LoadBoolBit()
		if err != nil {
			return nil, fmt.Errorf("shard %016x: %w", uint64(at), err)
		}
		if !fork {
			if exact && at != shard {
				return nil, nil
			}
			return readLeaf(wc, at, node, s)
		}
		if at == shard {
			return nil, nil
		}
		left, right := children(at)
		i := 0
		if at = left; !contains(left, uint64(shard)) {
			i, at = 1, right
		}
		if node, err = s.PeekRefCellAt(i); err != nil {
			return nil, fmt.Errorf("shard %016x: %w", uint64(at), err)
		}
	}
}

// readLeaf reads the block id out of a ShardDescr.
func readLeaf(wc int32, shard int64, node *cell.Cell, s *cell.Slice) (*shardLeaf, error) {
	leaf := &shardLeaf{id: ton.BlockIDExt{Workchain: wc, Shard: shard}, cell: node}
	tag, err := s.LoadUInt(4)
	if err != nil || (tag != 0xa && tag != 0xb) {
		return nil, fmt.Errorf("shard %016x: description tag %#x: %w", uint64(shard), tag, err)
	}
	seqno, err := s.LoadUInt(32)
	if err != nil {
		return nil, fmt.Errorf("shard %016x: %w", uint64(shard), err)
	}
	leaf.id.SeqNo = uint32(seqno)
	if err := s.SkipBits(32 + 64 + 64); err != nil { // reg_mc_seqno, start_lt, end_lt
		return nil, fmt.Errorf("shard %016x: %w", uint64(shard), err)
	}
	if leaf.id.RootHash, err = s.LoadSlice(256); err != nil {
		return nil, fmt.Errorf("shard %016x: %w", uint64(shard), err)
	}
	if leaf.id.FileHash, err = s.LoadSlice(256); err != nil {
		return nil, fmt.Errorf("shard %016x: %w", uint64(shard), err)
	}
	return leaf, nil
}

// children returns the two halves of a shard.
func children(shard int64) (left, right int64) {
	half := (uint64(shard) & -uint64(shard)) >> 1
	return int64(uint64(shard) - half), int64(uint64(shard) + half)
}

// leftmost returns the narrowest shard at the left edge of shard, as a target to descend to.
func leftmost(shard int64) int64 {
	low := uint64(shard) & -uint64(shard)
	return int64(uint64(shard) - low | 1)
}

func (a *api) getAllShardsInfo(q ton.GetAllShardsInfo) (tl.Serializable, error) {
	b, err := a.masterOf(q.ID)
	if err != nil {
		return nil, err
	}
	var shards *cell.Cell
	proof, err := prove(b.Root, func(root *cell.Cell) error {
		master, err := openBlockMaster(root)
		shards = master.shards
		return err
	})
	if err != nil {
		return nil, err
	}
	data := cell.BeginCell()
	if err := data.StoreMaybeRef(untraced(shards)); err != nil {
		return nil, fmt.Errorf("shard hashes: %w", err)
	}
	return ton.AllShardsInfo{ID: b.ID.Copy(), Proof: []*cell.Cell{proof}, Data: data.EndCell()}, nil
}

// untraced detaches a cell from the proof builder that watched it being found.
func untraced(c *cell.Cell) *cell.Cell {
	if c == nil {
		return nil
	}
	return c.WithoutTrace()
}

func (a *api) getShardInfo(q ton.GetShardInfo) (tl.Serializable, error) {
	if q.Shard == 0 {
		return nil, fail(codeBadRequest, "requested shard is invalid")
	}
	b, err := a.masterOf(q.ID)
	if err != nil {
		return nil, err
	}
	state, err := a.stateOf(b)
	if err != nil {
		return nil, err
	}
	var leaf *shardLeaf
	proof, err := a.stateProof(b, state, func(root *cell.Cell) error {
		leaf, err = findShardInState(root, q.Workchain, q.Shard, q.Exact)
		return err
	})
	if err != nil {
		return nil, err
	}
	response := ton.ShardInfo{ID: b.ID.Copy(), ShardBlock: unknownID(), ShardProof: proof}
	if leaf != nil {
		response.ShardBlock = leaf.id.Copy()
		response.ShardDescription = untraced(leaf.cell)
	}
	return response, nil
}

// findShardInState is findShard from the root of a masterchain state.
func findShardInState(root *cell.Cell, wc int32, shard int64, exact bool) (*shardLeaf, error) {
	master, err := openStateMaster(root)
	if err != nil {
		return nil, err
	}
	return findShard(master.shards, wc, shard, exact)
}

// shardKey names a shard in a masterchain block.
type shardKey struct {
	master [32]byte // root hash
	wc     int32
	shard  int64
}

// shardTop finds the newest block of the shard that covers a prefix, in a masterchain
// block, with the proof. It also proves absence, with a nil leaf.
func (a *api) shardTop(master *ledger.Block, wc int32, prefix uint64) (*shardLeaf, []*cell.Cell, error) {
	state, err := a.stateOf(master)
	if err != nil {
		return nil, nil, err
	}
	leaf, err := findShardInState(state, wc, int64(prefix|1), false)
	if err != nil {
		return nil, nil, err
	}
	key := shardKey{master: [32]byte(master.ID.RootHash), wc: wc}
	if leaf != nil {
		key.shard = leaf.id.Shard
	}
	if proof, ok := a.tops.Get(key); ok {
		return leaf, proof, nil
	}
	proof, err := a.stateProof(master, state, func(root *cell.Cell) error {
		_, err := findShardInState(root, wc, int64(prefix|1), false)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	a.tops.Add(key, proof)
	return leaf, proof, nil
}
