package ledger

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/layout"
)

// stateCache caches the states of the newest rounds, and older ones that were rebuilt on
// demand. States share unchanged cells, so each costs about the size of its changes. The
// caller guards it.
type stateCache struct {
	keepRounds uint32
	recent     map[blockKey]*cell.Cell
	byRound    map[uint32][]blockKey
	oldest     uint32 // rounds before it have been dropped
	rebuilt    *simplelru.LRU[blockKey, *cell.Cell]
}

// keepRebuilt limits the older states. All blocks between two snapshots fit, so that a client
// walking back rebuilds each range once.
const keepRebuilt = snapshotBlocks + 64

func newStateCache(rounds int) (*stateCache, error) {
	rebuilt, err := simplelru.NewLRU[blockKey, *cell.Cell](keepRebuilt, nil)
	return &stateCache{
		keepRounds: uint32(rounds), recent: map[blockKey]*cell.Cell{}, byRound: map[uint32][]blockKey{}, rebuilt: rebuilt,
	}, err
}

func (s *stateCache) keep(id ton.BlockIDExt, root *cell.Cell, mcSeqno uint32) {
	k := keyOf(id)
	s.recent[k] = root
	s.byRound[mcSeqno] = append(s.byRound[mcSeqno], k)
}

// trim drops the rounds that are too old now.
func (s *stateCache) trim(head uint32) {
	for ; s.oldest+s.keepRounds <= head; s.oldest++ {
		for _, k := range s.byRound[s.oldest] {
			delete(s.recent, k)
		}
		delete(s.byRound, s.oldest)
	}
}

func (s *stateCache) get(k blockKey) *cell.Cell {
	if root := s.recent[k]; root != nil {
		return root
	}
	// Peek leaves the order alone: readers share the lock.
	root, _ := s.rebuilt.Peek(k)
	return root
}

// State returns the full state after a block, or a zerostate for seqno 0. It rebuilds
// states that are no longer in memory from the nearest earlier one.
func (c *Chain) State(id ton.BlockIDExt) (*cell.Cell, error) {
	if id.SeqNo == 0 {
		return c.zerostateOf(id)
	}
	if root := c.cachedState(keyOf(id)); root != nil && len(id.RootHash) == 0 {
		return root, nil
	}
	b, err := c.Block(id)
	if err != nil {
		return nil, err
	}
	if root := c.cachedState(keyOf(id)); root != nil {
		return root, nil
	}
	root, err := c.rebuild(b)
	if err != nil {
		return nil, fmt.Errorf("state of %s: %w", blockName(id), err)
	}
	return root, nil
}

func (c *Chain) cachedState(k blockKey) *cell.Cell {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.states.get(k)
}

func (c *Chain) zerostateOf(id ton.BlockIDExt) (*cell.Cell, error) {
	root, err := c.ZerostateCell(id.Workchain)
	if err != nil {
		return nil, err
	}
	if uint64(id.Shard) != layout.FullShard || len(id.RootHash) > 0 && !bytes.Equal(id.RootHash, root.Hash()) {
		return nil, notFound("zerostate %s", blockName(id))
	}
	return root, nil
}

// rebuild walks back along the parents to cached states, then applies the updates forward
// and caches the states on the way. A snapshot at most snapshotBlocks blocks back limits
// the walk. Rebuilds run one at a time, so that requests for neighboring states share the
// work.
func (c *Chain) rebuild(target *Block) (*cell.Cell, error) {
	c.rebuilding.Lock()
	defer c.rebuilding.Unlock()
	states := map[blockKey]*cell.Cell{}
	if !c.parentsCached(target) {
		states = c.snapshotFor(target)
	}
	var path []*Block
	need := []ton.BlockIDExt{target.ID}
	planned := map[blockKey]bool{}
	for len(need) > 0 {
		id := need[len(need)-1]
		need = need[:len(need)-1]
		k := keyOf(id)
		if planned[k] || states[k] != nil {
			continue
		}
		if root := c.cachedState(k); root != nil { // another rebuild may have added it
			states[k] = root
			continue
		}
		if id.SeqNo == 0 {
			root, err := c.zerostateOf(id)
			if err != nil {
				return nil, err
			}
			states[k] = root
			continue
		}
		b, err := c.Block(id)
		if err != nil {
			return nil, err
		}
		planned[k] = true
		path = append(path, b)
		need = append(need, b.Prev...)
	}
	// Parents always have the smaller LT, so this is a valid order.
	sortByLT(path)
	for _, b := range path {
		root, err := applyBlock(b, func(id ton.BlockIDExt) *cell.Cell { return states[keyOf(id)] })
		if err != nil {
			return nil, err
		}
		states[keyOf(b.ID)] = root
		c.mu.Lock()
		c.states.rebuilt.Add(keyOf(b.ID), root)
		c.mu.Unlock()
	}
	if root := states[keyOf(target.ID)]; root != nil {
		return root, nil
	}
	return nil, &chain.Error{Kind: chain.Internal, Message: "the state could not be rebuilt"}
}

func (c *Chain) parentsCached(b *Block) bool {
	return !slices.ContainsFunc(b.Prev, func(id ton.BlockIDExt) bool { return c.cachedState(keyOf(id)) == nil })
}

// applyBlock returns the state after a block from its parents' states and checks
// that they are the ones the block started from.
func applyBlock(b *Block, parent func(ton.BlockIDExt) *cell.Cell) (*cell.Cell, error) {
	update, err := b.Root.PeekRef(2)
	if err != nil {
		return nil, fmt.Errorf("update of %s: %w", blockName(b.ID), err)
	}
	roots := make([]*cell.Cell, len(b.Prev))
	for i, id := range b.Prev {
		if roots[i] = parent(id); roots[i] == nil {
			return nil, fmt.Errorf("state before %s is missing", blockName(b.ID))
		}
	}
	old := roots[0]
	if len(roots) == 2 {
		old = layout.SplitState(roots[0], roots[1])
	}
	// The state must not keep its block in memory.
	if update, err = detach(update, map[cell.Hash]*cell.Cell{}); err != nil {
		return nil, fmt.Errorf("update of %s: %w", blockName(b.ID), err)
	}
	next, _, err := cell.ApplyMerkleUpdate(old, update)
	if err != nil {
		return nil, fmt.Errorf("update of %s: %w", blockName(b.ID), err)
	}
	return next, nil
}
