package replay

import (
	"container/list"
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// state is an account between two transactions.
type state struct {
	prepared *tvm.PreparedAccount
	stat     *cell.Cell // the storage statistics of the last execution; nil: the next execution counts again
	hash     chain.Hash // of the account cell
	last     chain.TransactionRef
	code     *chain.Hash // of the row written for this state; the store has these cells already
	data     *chain.Hash
	uses     int
}

// newState prepares an account. A nil root is an account that does not exist.
func newState(a chain.Address, root *cell.Cell, last chain.TransactionRef) (*state, error) {
	if root == nil {
		root = decode.NoAccount
	}
	shard := &tlb.ShardAccount{Account: root, LastTransHash: last.Hash.Bytes(), LastTransLT: last.LT}
	prepared, err := tvm.PrepareAccount(shard, stdAddress(a))
	if err != nil {
		return nil, fmt.Errorf("state of account %s: %w", a, err)
	}
	return &state{prepared: prepared, hash: chain.Hash(root.HashKey()), last: last}, nil
}

func stdAddress(a chain.Address) *address.Address {
	return address.NewAddress(0, byte(a.Workchain), a.ID.Bytes())
}

// startsAt reports whether tx started from the state.
func (s *state) startsAt(tx *chain.Transaction) bool {
	return s.hash == tx.StateHashBefore && s.last.LT == tx.PrevLT && s.last.Hash == tx.PrevHash
}

// root returns the account cell.
func (s *state) root() *cell.Cell { return s.prepared.ShardAccount().Account }

// cache stores account states between blocks, in two tiers. Recently used states stay prepared. Older ones are serialized,
// because a prepared state references the cells of the block that last changed it, and these all cells parsed with them:
// a few bytes of balance may retain a megabyte. The size of the serialized states is bounded, and so is the number of cells of large
// accounts that stay prepared; the least recently used ones are dropped, or serialized, first.
type cache struct {
	hot      map[chain.Address]*hotState
	hotCells int // of large accounts in hot
	maxCells int

	round uint64                     // number of masterchain blocks so far
	used  [hotRounds][]chain.Address // accounts used in each of the last rounds

	cold      map[chain.Address]*list.Element
	order     *list.List // of *coldState, most recently used first
	coldBytes int
	maxBytes  int
	workers   int
}

const (
	hotRounds  = 4  // masterchain blocks a state stays prepared
	repackUses = 64 // uses after which a state is rebuilt, to release the cells of old blocks
	// maxHotCells is the number of cells of large accounts that stay prepared. A cell takes 110 to 300 bytes: at most some 600 MB.
	maxHotCells = 2 << 20
)

type hotState struct {
	*state
	used  uint64
	cells int // 0 unless the account is large
}

type coldState struct {
	account    chain.Address
	boc        []byte
	hash       chain.Hash
	last       chain.TransactionRef
	code, data *chain.Hash
	cells      int // 0 unless the account is large
}

// overhead is the approximate size of a cold entry without its bytes.
const overhead = 300

func newCache(maxBytes, workers int) *cache {
	return &cache{
		hot: map[chain.Address]*hotState{}, cold: map[chain.Address]*list.Element{},
		order: list.New(), maxBytes: maxBytes, workers: workers, maxCells: maxHotCells,
	}
}

// take returns the prepared state of an account, or removes and returns the serialized one, or returns nil twice.
func (c *cache) take(a chain.Address) (*state, *coldState) {
	if h, ok := c.hot[a]; ok {
		return h.state, nil
	}
	e, ok := c.cold[a]
	if !ok {
		return nil, nil
	}
	cold := e.Value.(*coldState) //nolint:errcheck // the only type that is ever put there
	c.drop(e)
	return nil, cold
}

// put stores s as the state of the account. A nil s removes the account.
func (c *cache) put(a chain.Address, s *state) {
	if e, ok := c.cold[a]; ok {
		c.drop(e)
	}
	c.cool(a)
	if s == nil {
		return
	}
	s.uses++
	h := &hotState{state: s, used: c.round, cells: s.largeCells()}
	c.hot[a], c.hotCells = h, c.hotCells+h.cells
	i := c.round % hotRounds
	c.used[i] = append(c.used[i], a)
}

// cool removes the prepared state of an account.
func (c *cache) cool(a chain.Address) {
	if h := c.hot[a]; h != nil {
		c.hotCells -= h.cells
		delete(c.hot, a)
	}
}

// endRound ends a masterchain block. It serializes the states that were not used for hotRounds blocks, and large ones while all large
// ones have more than maxCells.
func (c *cache) endRound() {
	c.round++
	oldest := c.round % hotRounds
	var resting []*coldState
	var pool errgroup.Group
	pool.SetLimit(c.workers)
	rest := func(a chain.Address, s *state) {
		c.cool(a)
		cold := &coldState{account: a}
		resting = append(resting, cold)
		pool.Go(func() error {
			cold.fill(s)
			return nil
		})
	}
	for n := range uint64(hotRounds) { // the oldest round first
		slot := (oldest + n) % hotRounds
		for _, a := range c.used[slot] {
			h := c.hot[a]
			if h == nil || h.used%hotRounds != slot {
				continue
			}
			if n == 0 || h.cells > 0 && c.hotCells > c.maxCells {
				rest(a, h.state)
			}
		}
	}
	_ = pool.Wait() // packing has no error
	for _, cold := range resting {
		c.coldBytes += len(cold.boc) + overhead
		c.cold[cold.account] = c.order.PushFront(cold)
	}
	c.used[oldest] = c.used[oldest][:0]
	for c.coldBytes > c.maxBytes {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	cold := c.order.Remove(e).(*coldState) //nolint:errcheck // the only type that is ever put there
	c.coldBytes -= len(cold.boc) + overhead
	delete(c.cold, cold.account)
}

// fill serializes a state.
func (f *coldState) fill(s *state) {
	f.boc = s.root().ToBOCWithOptions(cell.BOCSerializeOptions{})
	f.hash, f.last, f.code, f.data, f.cells = s.hash, s.last, s.code, s.data, s.largeCells()
}

// startsAt reports whether tx started from the state.
func (f *coldState) startsAt(tx *chain.Transaction) bool {
	return f.hash == tx.StateHashBefore && f.last.LT == tx.PrevLT && f.last.Hash == tx.PrevHash
}

func (f *coldState) thaw() (*state, error) {
	root, err := cell.FromBOC(f.boc)
	if err != nil {
		return nil, err
	}
	s, err := newState(f.account, root, f.last)
	if err != nil {
		return nil, err
	}
	s.code, s.data = f.code, f.data
	return s, nil
}

// repack rebuilds a state after repackUses uses, to release the cells of old blocks.
func repack(a chain.Address, s *state) *state {
	if s.uses < repackUses {
		return s
	}
	packed := &coldState{account: a}
	packed.fill(s)
	fresh, err := packed.thaw()
	if err != nil {
		return nil
	}
	return fresh
}
