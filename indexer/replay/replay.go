package replay

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/xssnick/tonutils-go/tvm"
	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/boundedvm"
	"tonql/internal/chain"
)

// Options size a Replayer. Zero values take the defaults named with them.
type Options struct {
	Workers    int // accounts executed at once: the number of processors
	Fetches    int // accounts fetched at once: 32
	CacheBytes int // bound of the account states kept beside those in use: 64 MiB

	// The budget of one transaction. Time is wall-clock time: 10 s. Memory is what its execution may hold, in bytes: 512 MiB.
	Time   time.Duration
	Memory int64
}

// DefaultTime and DefaultMemory are the budget of a transaction when none is given: many times what any transaction of
// the main network needs.
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
	tvm    *tvm.TVM
	opts   Options
	states *cache
	codes  *codeBook
}

// New makes a Replayer that knows no account yet.
func New(net *Network, opts Options) *Replayer {
	opts = opts.withDefaults()
	return &Replayer{
		net: net, tvm: boundedvm.New(), opts: opts,
		states: newCache(opts.CacheBytes, opts.Workers), codes: newCodeBook(),
	}
}

// Stats count what one block's replay came to.
type Stats struct {
	Replayed   int
	Mismatched int
	Unverified map[string]int // execution exceeded its budget, by resource
	Proven     map[string]int // left unexecuted, by reason
	Fetched    int            // account states asked from the network
}

// Run replays every transaction of m and fills Verification, States, Cells, Libraries and Mismatches. An error means
// that the network could not answer; Run may then be called again with the same block.
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
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(r.opts.Workers)
	for _, l := range lanes {
		group.Go(func() error { return l.run(gctx) })
	}
	if err := group.Wait(); err != nil {
		return Stats{}, err
	}
	if err := r.librariesAfter(ctx, m); err != nil {
		return Stats{}, err
	}
	return r.collect(m, lanes), nil
}

// librariesAfter finds the root of the public libraries after the masterchain block, which most blocks show themselves.
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

// reset clears what an earlier attempt may have left.
func reset(m *decode.Master) {
	for i := range m.Transactions {
		m.Transactions[i].Verification = chain.Proven
	}
	m.States, m.Libraries, m.LibraryRoot, m.LibraryFacts, m.Mismatches, m.Unverified = nil, nil, nil, nil, nil, nil
	m.MasterBlock.Cells = map[chain.Hash]chain.BOC{}
	m.Final = map[chain.Address]*decode.State{}
}

// contexts prepares the blocks that hold transactions; others stay nil.
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

// lanes groups the transactions by account, in order. Lanes are independent: what one account sends to another is in
// the receiver's transaction already.
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

// load gives every lane the state before its first transaction: from the cache, or fetched and proven.
func (r *Replayer) load(ctx context.Context, lanes []*lane) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.opts.Fetches)
	for _, l := range lanes {
		s, cold := r.states.take(l.account)
		group.Go(func() error {
			if l.resume(s, cold) {
				return nil
			}
			return l.fetchBase(ctx)
		})
	}
	return group.Wait()
}

// fetch reads an account as of a block. An account whose cells we cannot prepare is nil, with a sentence.
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
