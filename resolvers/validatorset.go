package resolvers

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/elector"
	"tonql/internal/store/cells"
	"tonql/internal/validator"
)

// Numbers of configuration parameters.
const (
	paramElector       = 1
	paramElectionTimes = 15
	paramSetSizes      = 16
	paramStakes        = 17
	paramPreviousSet   = 32
	paramNextSet       = 36
)

// keyBlock is a key block with the configuration that it put in force.
type keyBlock struct {
	seqno  uint32
	config *cell.Dictionary
}

func openConfig(c *chain.Config) (*keyBlock, error) {
	root, err := cellgraph.FromBOC(c.BOC)
	if err != nil {
		return nil, err //nolint:wrapcheck // a damaged row
	}
	return &keyBlock{c.McSeqno, root.AsDict(32)}, nil
}

// newestConfig is the configuration at the newest indexed block; nil when the index lacks it.
func (s *Service) newestConfig(ctx context.Context) (*keyBlock, error) {
	head, err := s.McSeqno(ctx)
	if err != nil || head == 0 {
		return nil, err
	}
	config, err := s.index.Config(ctx, head)
	if chain.KindOf(err) == chain.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return openConfig(&config)
}

// param is the value of a parameter; nil when the configuration lacks it.
func (k *keyBlock) param(number uint64) *cell.Cell {
	value, err := k.config.LoadValueByUintKey(number)
	if err != nil {
		return nil
	}
	return contract.LoadSlice(value).Ref()
}

// since is the time at which a validator set begins; 0 when there is none.
func since(set *cell.Cell) uint32 {
	l := contract.Load(set)
	l.Uint(8) // constructor
	return uint32(l.Uint(32))
}

// elector is the address of the elector; nil when the configuration names none.
func (k *keyBlock) elector() *chain.Address {
	l := contract.Load(k.param(paramElector))
	a := chain.Address{Workchain: chain.MasterchainID, ID: l.Hash()}
	if l.Err() != nil {
		return nil
	}
	return &a
}

// cycleSet is a validator set with key blocks around its time.
type cycleSet struct {
	hash    chain.Hash
	root    *cell.Cell
	since   uint32
	first   *keyBlock // the first one that names it, as the next, the current or the previous one
	current *keyBlock // the first one that names it as the current one; nil if none does
	ended   *keyBlock // the one that replaced it; nil while it is current, or if it never was
}

// setWalk lists the validator sets that key blocks of the index name, newest first.
type setWalk struct {
	s     *Service
	meter *meter
	seek  *uint32 // sets that begin later are left out, but for the first of them; nil lists all
	named map[chain.Hash]*cycleSet
	newer *keyBlock
	head  uint32
	read  int // bytes of configurations
	// recent are sets that were seen last, which may vote about complaints.
	recent []*cycleSet
}

const (
	// configsAtOnce is the number of configurations that are read together. One of the main network has 100 KB.
	configsAtOnce = 8
	// maxLater is the number of key blocks after the time of a walk among which two sets are replaced. There are some four in a validation cycle
	// of the main network.
	maxLater = 64
	// recentSets is how many sets are cached: complaints are voted about until stakes are returned, by the validators of that time.
	recentSets = 4
)

// each calls visit for the sets, until that returns false.
func (w *setWalk) each(ctx context.Context, visit func(*cycleSet) (bool, error)) error {
	var err error
	if w.head, err = w.s.McSeqno(ctx); err != nil || w.head == 0 {
		return err
	}
	last, err := w.start(ctx)
	if err != nil {
		return err
	}
	w.named = map[chain.Hash]*cycleSet{}
	var before *uint32 // sets of one time are one cycle
	emit := func(sets []*cycleSet) (bool, error) {
		for _, set := range sets {
			if before != nil && *before == set.since {
				continue
			}
			before = &set.since
			if more, err := visit(set); err != nil || !more {
				return false, err
			}
		}
		return true, nil
	}
	for {
		list, err := w.configs(ctx, chain.SeqnoRange{Last: last}, chain.Descending)
		if err != nil {
			return err
		}
		for _, k := range list {
			if more, err := emit(w.add(k)); err != nil || !more {
				return err
			}
		}
		if len(list) < configsAtOnce || list[len(list)-1].seqno == 0 {
			break
		}
		last = list[len(list)-1].seqno - 1
	}
	_, err = emit(w.without(nil))
	return err
}

// configs reads the next configurations of a range.
func (w *setWalk) configs(ctx context.Context, within chain.SeqnoRange, order chain.Sort) ([]*keyBlock, error) {
	rows, err := w.s.index.Configs(ctx, within, order, configsAtOnce)
	if err != nil {
		return nil, err
	}
	list := make([]*keyBlock, len(rows))
	for i := range rows {
		w.meter.add(ctx, len(rows[i].BOC), 0)
		if w.read += len(rows[i].BOC); w.read > w.s.opts.Limits.Elections {
			return nil, w.s.tooManyElections()
		}
		if list[i], err = openConfig(&rows[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (s *Service) tooManyElections() error {
	return chain.Invalidf("the validators of this time have more than %d bytes: give a shorter time (start_utime, end_utime) or a smaller limit",
		s.opts.Limits.Elections)
}

// start is the masterchain block from which the walk goes back: after the time of the walk, the key block that replaced the first current set that
// begins later.
func (w *setWalk) start(ctx context.Context) (uint32, error) {
	if w.seek == nil {
		return w.head, nil
	}
	then, err := w.s.masterAt(ctx, *w.seek)
	if err != nil {
		return 0, err
	}
	within := chain.SeqnoRange{Last: w.head}
	if then != nil {
		within.First = then.Seqno + 1
	}
	var later *cell.Cell
	for n := 0; n < maxLater; n += configsAtOnce {
		list, err := w.configs(ctx, within, chain.Ascending)
		if err != nil {
			return 0, err
		}
		for _, k := range list {
			current := k.param(validator.ParamCurrent)
			if current == nil {
				continue
			}
			if later != nil && current.HashKey() != later.HashKey() {
				return k.seqno, nil
			}
			if since(current) > *w.seek {
				later = current
			}
		}
		if len(list) < configsAtOnce {
			return w.head, nil
		}
		within.First = list[len(list)-1].seqno + 1
	}
	return within.First - 1, nil
}

// masterAt is the last masterchain block up to a time; nil when the index has none.
func (s *Service) masterAt(ctx context.Context, at uint32) (*chain.Block, error) {
	workchain, shard := chain.MasterchainID, chain.FullShard
	blocks, err := s.index.Blocks(ctx, chain.BlockFilter{Workchain: &workchain, Shard: &shard, EndUtime: &at}, chain.Page{Limit: 1})
	if err != nil || len(blocks) == 0 {
		return nil, err
	}
	return &blocks[0], nil
}

// add adds the next older key block. It returns the sets that it does not name.
func (w *setWalk) add(k *keyBlock) []*cycleSet {
	newer := w.newer
	w.newer = k
	names := map[chain.Hash]bool{}
	for _, number := range []uint64{paramNextSet, validator.ParamCurrent, paramPreviousSet} {
		root := k.param(number)
		if root == nil {
			continue
		}
		h := chain.Hash(root.HashKey())
		set := w.named[h]
		if set == nil {
			set = &cycleSet{hash: h, root: root, since: since(root)}
			w.named[h] = set
			w.recent = append(w.recent[max(0, len(w.recent)+1-recentSets):], set)
		}
		set.first = k
		if number == validator.ParamCurrent {
			if set.current == nil {
				set.ended = newer
			}
			set.current = k
		}
		names[h] = true
	}
	return w.without(names)
}

// without removes the sets that are not named, and returns them, newest first.
func (w *setWalk) without(names map[chain.Hash]bool) (sets []*cycleSet) {
	for h, set := range w.named {
		if !names[h] {
			delete(w.named, h)
			sets = append(sets, set)
		}
	}
	slices.SortFunc(sets, func(a, b *cycleSet) int {
		return cmp.Or(cmp.Compare(b.since, a.since), bytes.Compare(b.hash[:], a.hash[:]))
	})
	return sets
}

// byHash is a set that was seen lately; nil when it was not.
func (w *setWalk) byHash(h chain.Hash) *cycleSet {
	for _, set := range w.recent {
		if set.hash == h {
			return set
		}
	}
	return nil
}

// maxElectorCells is the number of cells up to which a state of the elector is read. One of the main network has some 2,500.
const maxElectorCells = 1 << 16

// electorReader reads states of the elector at masterchain blocks.
type electorReader struct {
	s      *Service
	meter  *meter
	limit  *cells.Limit
	read   int                       // bytes of data
	states map[uint32]*elector.State // the last ones by seqno; nil where there is none
	order  []uint32
	ranges []chain.SeqnoRange // that are indexed; nil before they are read
}

func (s *Service) newElectorReader(m *meter) *electorReader {
	return &electorReader{s: s, meter: m, limit: cells.NewLimit(s.opts.Limits.Elections), states: map[uint32]*elector.State{}}
}

// electorStates is how many states are cached.
const electorStates = 4

// at reads the state of the elector after a masterchain block; nil when the index lacks it, or the contract is none that is read.
func (r *electorReader) at(ctx context.Context, seqno uint32, address *chain.Address) (*elector.State, error) {
	if state, ok := r.states[seqno]; ok || address == nil {
		return state, nil
	}
	state, err := r.load(ctx, seqno, *address)
	if err != nil {
		return nil, err
	}
	if len(r.order) == electorStates {
		delete(r.states, r.order[0])
		r.order = r.order[1:]
	}
	r.states[seqno], r.order = state, append(r.order, seqno)
	return state, nil
}

// load reads the state that the last transaction up to a block left. Queries go to the index of the service alone: one that is a snapshot holds a
// connection.
func (r *electorReader) load(ctx context.Context, seqno uint32, address chain.Address) (*elector.State, error) {
	index := r.s.index
	if r.ranges == nil {
		ranges, err := index.Ranges(ctx)
		if err != nil {
			return nil, err
		}
		r.ranges = ranges
	}
	within := slices.IndexFunc(r.ranges, func(run chain.SeqnoRange) bool { return run.First <= seqno && seqno <= run.Last })
	if within < 0 {
		return nil, nil
	}
	blocks, err := index.BlocksByID(ctx, []chain.BlockID{chain.MasterBlockID(seqno)})
	if err != nil || len(blocks) == 0 {
		return nil, err
	}
	txs, err := index.Transactions(ctx, chain.TransactionFilter{Accounts: []chain.Address{address}, EndLT: &blocks[0].EndLT}, chain.Page{Limit: 1})
	if err != nil || len(txs) == 0 || txs[0].McSeqno < r.ranges[within].First { // the index may lack a later one
		return nil, err
	}
	states, err := index.AccountStatesAt(ctx, []chain.TransactionKey{txs[0].Key()})
	if err != nil || len(states) == 0 {
		return nil, err
	}
	a := &states[0]
	if a.Status != chain.Active || a.DataHash == nil || a.UsedCells > maxElectorCells {
		return nil, nil
	}
	bags, err := r.s.index.CellsWithin(ctx, []chain.Hash{*a.DataHash}, r.limit)
	if err != nil {
		return nil, err
	}
	data := bags[*a.DataHash]
	r.meter.add(ctx, len(data), 0)
	if r.read += len(data); r.read > r.s.opts.Limits.Elections {
		return nil, r.s.tooManyElections()
	}
	root, err := cellgraph.FromBOC(data)
	if err != nil {
		return nil, nil //nolint:nilerr // the cells are not stored
	}
	state, err := elector.Parse(root)
	if err != nil {
		return nil, nil //nolint:nilerr // another contract
	}
	return state, nil
}

// recentRows is the default length of lists about validators.
const recentRows = 10

// recent reads a list about validators, whose filter may be nil.
func recent[T, F any](where *F, first *int, read func(F, int) ([]T, error)) ([]*T, error) {
	var f F
	if where != nil {
		f = *where
	}
	limit := recentRows
	if first != nil {
		limit = *first
	}
	rows, err := read(f, limit)
	if err != nil {
		return nil, err
	}
	list := make([]*T, len(rows))
	for i := range rows {
		list[i] = &rows[i]
	}
	return list, nil
}
