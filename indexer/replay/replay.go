package replay

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// Options configure a Replayer. The zero value of a field means the default in its comment.
type Options struct {
	Workers    int // accounts executed in parallel; default: the number of processors
	Fetches    int // accounts fetched in parallel; default: 32
	CacheBytes int // maximum bytes of cached account states, without those in use; default: 64 MiB

	// The budget of one transaction: wall-clock time, default [DefaultTime], and bytes of memory, default [DefaultMemory].
	Time   time.Duration
	Memory int64
	// StateCells is how many cells of large accounts the transactions of a masterchain block may walk, default [defaultStateCells].
	StateCells int
	// LoadedCells is how many cells the large accounts of a masterchain block may have together, default [defaultLoadedCells].
	LoadedCells int
}

// DefaultTime and DefaultMemory are the default budget of a transaction: many times what any transaction of mainnet needs.
const (
	DefaultTime   = 10 * time.Second
	DefaultMemory = 512 << 20
)

func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Fetches <= 0 {
		o.Fetches = 32
	}
	if o.CacheBytes <= 0 {
		o.CacheBytes = 64 << 20
	}
	if o.StateCells <= 0 {
		o.StateCells = defaultStateCells
	}
	if o.LoadedCells <= 0 {
		o.LoadedCells = defaultLoadedCells
	}
	if o.Time <= 0 {
		o.Time = DefaultTime
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	return o
}

// Replayer executes masterchain blocks in ascending order. It is owned by one goroutine.
type Replayer struct {
	net    *Network
	opts   Options
	states *cache
	codes  *codeRegistry

	secondLeft atomic.Int64 // libraries that may be fetched for transactions of the block that did not replay
}

// New returns a Replayer without account states.
func New(net *Network, opts Options) *Replayer {
	opts = opts.withDefaults()
	return &Replayer{
		net: net, opts: opts,
		states: newCache(opts.CacheBytes, opts.Workers), codes: newCodeRegistry(),
	}
}

// Stats count the results of replaying one block.
type Stats struct {
	Replayed   int
	Mismatched int
	Unverified map[string]int // execution exceeded its budget, by resource
	OldRules   map[string]int // made by rules that are not executed, by the rule
	Proven     map[string]int // left unexecuted, by reason
	Fetched    int            // account states fetched from the network
}

// Run replays every transaction of m and sets Verification, States, Cells, Libraries and Mismatches. An error means that a
// request to the network failed; Run may then be called again with the same block.
func (r *Replayer) Run(ctx context.Context, m *decode.Master) (Stats, error) {
	reset(m)
	contexts, err := r.contexts(ctx, m)
	if err != nil {
		return Stats{}, err
	}
	lanes := r.lanes(m, contexts)
	if err := r.load(ctx, lanes); err != nil {
		return Stats{}, err
	}
	r.allot(lanes)
	if err := r.prepareLibraries(ctx, lanes); err != nil {
		return Stats{}, err
	}
	for _, bc := range contexts {
		if bc != nil && bc.why == "" {
			if err := bc.build(ctx, r.net); err != nil {
				return Stats{}, err
			}
		}
	}
	if err := r.execute(ctx, lanes); err != nil {
		return Stats{}, err
	}
	if err := r.librariesAfter(ctx, m); err != nil {
		return Stats{}, err
	}
	return r.collect(m, lanes), nil
}

// execute executes the lanes in Workers goroutines.
func (r *Replayer) execute(ctx context.Context, lanes []*lane) error {
	return each(ctx, r.opts.Workers, lanes, (*lane).run)
}

// each calls do for every lane, in at most workers goroutines. A goroutine processes many lanes, because cells are read with a deep
// stack, which grows by copying.
func each(ctx context.Context, workers int, lanes []*lane, do func(*lane, context.Context) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(workers, len(lanes)) {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(lanes) {
					return nil
				}
				if err := do(lanes[i], ctx); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// librariesAfter sets the root of the public libraries after the masterchain block, which most blocks contain.
func (r *Replayer) librariesAfter(ctx context.Context, m *decode.Master) error {
	update, id := m.Headers[0].Libraries, m.Block.BlockIDExt
	if update.Same {
		if root, ok := r.net.libraryRoots.Get(id.Seqno - 1); ok {
			update.Root = &root
		}
	}
	if update.Root != nil {
		r.net.learnLibraries(id.Seqno, *update.Root)
	}
	root, ok, err := r.net.LibrariesAt(id).Root(ctx)
	if err == nil && ok {
		m.LibraryRoot = &root
	}
	return err
}

// reset clears the results of an earlier attempt.
func reset(m *decode.Master) {
	for i := range m.Transactions {
		m.Transactions[i].Verification = chain.Proven
	}
	m.States, m.Libraries, m.LibraryRoot, m.LibraryFacts, m.Mismatches, m.Unverified = nil, nil, nil, nil, nil, nil
	m.MasterBlock.Cells = make(map[chain.Hash]chain.BOC, len(m.Transactions))
	m.Final = make(map[chain.Address]*decode.State, len(m.Transactions))
}

// contexts returns the contexts of the blocks; it is nil for a block without transactions.
func (r *Replayer) contexts(ctx context.Context, m *decode.Master) ([]*blockContext, error) {
	contexts := make([]*blockContext, len(m.Headers))
	for i := range m.Headers {
		h := &m.Headers[i]
		r.net.learn(m.Headers[0].Parents[0])
		if h.Block.TxCount == 0 {
			continue
		}
		var err error
		if contexts[i], err = r.newContext(ctx, h); err != nil {
			return nil, err
		}
	}
	r.net.learn(m.Block.BlockIDExt)
	return contexts, nil
}

// lanes groups the transactions by account, in order. Lanes are independent: the transaction of the receiver contains the
// message.
func (r *Replayer) lanes(m *decode.Master, contexts []*blockContext) []*lane {
	var lanes []*lane
	byAccount := make(map[chain.Address]*lane, len(m.Transactions))
	for i := range m.Transactions {
		account := m.Transactions[i].Account
		l := byAccount[account]
		if l == nil {
			l = &lane{r: r, m: m, contexts: contexts, account: account}
			byAccount[account] = l
			lanes = append(lanes, l)
		}
		l.steps = append(l.steps, step{index: i})
	}
	return lanes
}

// fetch returns the state of an account at a block. It returns nil and the reason when the state is not available or the
// TVM cannot use it.
func (r *Replayer) fetch(ctx context.Context, at chain.BlockIDExt, a chain.Address) (*state, string, error) {
	raw, err := r.net.src.Account(ctx, at, a)
	if chain.KindOf(err) == chain.NotFound && err != nil {
		return nil, "the network no longer holds the account's state", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("account %s at block %s: %w", a, at.BlockID, err)
	}
	s, err := newState(a, raw.Root, chain.TransactionRef{LT: raw.LastTxLT, Hash: raw.LastTxHash})
	if err != nil {
		return nil, "the account's state cannot be prepared for execution: " + err.Error(), nil
	}
	return s, "", nil
}
