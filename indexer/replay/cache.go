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
	stat     *cell.Cell // the storage statistics execution handed on; nil when it has to count again
	hash     chain.Hash // of the account cell
	last     chain.TransactionRef
	code     *chain.Hash // of the row written for this state: what has already been given to the store
	data     *chain.Hash
	uses     int
}

// newState prepares an account; a nil root does not exist.
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

// startsAt says whether the state is the one tx began with.
func (s *state) startsAt(tx *chain.Transaction) bool {
	return s.hash == tx.StateHashBefore && s.last.LT == tx.PrevLT && s.last.Hash == tx.PrevHash
}

// cells is the account cell.
func (s *state) root() *cell.Cell { return s.prepared.ShardAccount().Account }

// cache keeps account states between blocks, in two tiers. States used lately stay prepared. Older ones are kept as
// bytes: a prepared state holds on to the cells of the block that last touched it, and those to all cells parsed with
// them, so a megabyte may hang on a few bytes of balance. The bytes are bounded; the least recently used go first.
type cache struct {
	hot   map[chain.Address]*hotState
	turn  uint64
	touch [hotTurns][]chain.Address // accounts used in each of the last turns

	cold      map[chain.Address]*list.Element
	order     *list.List // of *coldState, most recently used first
	coldBytes int
	maxBytes  int
	workers   int
}

const (
	hotTurns   = 4  // masterchain blocks a state stays prepared
	repackUses = 64 // turns after which a state in constant use is rebuilt, to let go of old blocks
)

type hotState struct {
	*state
	used uint64
}

type coldState struct {
	account    chain.Address
	boc        []byte
	hash       chain.Hash
	last       chain.TransactionRef
	code, data *chain.Hash
}

// overhead is roughly what a cold entry weighs beside its bytes.
const overhead = 300

func newCache(maxBytes, workers int) *cache {
	return &cache{
		hot: map[chain.Address]*hotState{}, cold: map[chain.Address]*list.Element{},
		order: list.New(), maxBytes: maxBytes, workers: workers,
	}
}

// take finds the state of an account: prepared, or packed and then taken out of the cache, or neither.
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

// put makes s the state of the account, or forgets the account when s is nil.
func (c *cache) put(a chain.Address, s *state) {
	if e, ok := c.cold[a]; ok {
		c.drop(e)
	}
	if s == nil {
		delete(c.hot, a)
		return
	}
	s.uses++
	c.hot[a] = &hotState{state: s, used: c.turn}
	i := c.turn % hotTurns
	c.touch[i] = append(c.touch[i], a)
}

// endTurn closes a masterchain block: what has not been used for hotTurns turns cold.
func (c *cache) endTurn() {
	c.turn++
	i := c.turn % hotTurns
	var resting []*coldState
	var pool errgroup.Group
	pool.SetLimit(c.workers)
	for _, a := range c.touch[i] {
		h, ok := c.hot[a]
		if !ok || h.used+hotTurns > c.turn {
			continue
		}
		delete(c.hot, a)
		cold := &coldState{account: a}
		resting = append(resting, cold)
		pool.Go(func() error {
			cold.fill(h.state)
			return nil
		})
	}
	_ = pool.Wait() // packing has no error
	for _, cold := range resting {
		c.coldBytes += len(cold.boc) + overhead
		c.cold[cold.account] = c.order.PushFront(cold)
	}
	c.touch[i] = c.touch[i][:0]
	for c.coldBytes > c.maxBytes {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	cold := c.order.Remove(e).(*coldState) //nolint:errcheck // the only type that is ever put there
	c.coldBytes -= len(cold.boc) + overhead
	delete(c.cold, cold.account)
}

// fill packs a state.
func (f *coldState) fill(s *state) {
	f.boc = s.root().ToBOCWithOptions(cell.BOCSerializeOptions{})
	f.hash, f.last, f.code, f.data = s.hash, s.last, s.code, s.data
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

// repack rebuilds a state that has been in use for long, so that cells of old blocks are let go.
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
