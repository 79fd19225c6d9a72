package emulate

import (
	"context"
	"log/slog"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/singleflight"

	"tonql/internal/boundedvm"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/weightedlru"
)

// Sizes of the caches, in entries unless a name says bytes. Every entry belongs to one masterchain block or is named by
// its hash, so no entry becomes stale.
const (
	maxViews    = 16
	maxContexts = 64
	maxConfigs  = 8
	maxAccounts = 4096
	maxCells    = 4096
	maxIDs      = 4096
	// maxCellBytes also bounds the caches of accounts and cells, and maxLibraryBytes that of libraries, in bytes of memory, see
	// [cellgraph.Memory]: five times as much as serialized, and more of cells with few bits.
	maxCellBytes    = 40 << 20
	maxLibraryBytes = 64 << 20
	// maxCachedBytes is the largest size in memory of an account, of code and of data that are cached parsed.
	maxCachedBytes = 160 << 10
)

// Options configure an [Emulator].
type Options struct {
	// Head returns the lowest and highest indexed masterchain block; NotFound while the index is empty. Required.
	Head func(context.Context) (*chain.MasterchainInfo, error)
	// Node proves what the index lacks; nil without a connection to the network.
	Node chain.Node
	// Classifier classifies emulated traces; nil leaves them without actions.
	Classifier chain.TraceClassifier
	Logger     *slog.Logger // required
	// Client identifies the client of a request, which waits for its own simulations and long get-methods; nil: all clients are one.
	Client func(context.Context) string
	// Spent is called with the time that a simulation or a long get-method of a request took; nil: it is not measured.
	Spent func(context.Context, time.Duration)
}

// Emulator executes contracts in the local TVM: get-methods, fee estimates, checks of messages and simulations. It reads
// account states from the index; the node proves the states that the index lacks. It is safe for concurrent use.
type Emulator struct {
	index      Index
	node       chain.Node // nil without a connection to the network
	head       func(context.Context) (*chain.MasterchainInfo, error)
	classifier chain.TraceClassifier
	log        *slog.Logger

	machine      *contract.Machine
	methods      *methodMachines
	tvm          *tvm.TVM
	views        *lru.Cache[uint32, *View]
	contexts     *lru.Cache[contextKey, *executionContext]
	configs      *lru.Cache[uint32, *networkConfig] // by the key block that put it in force
	accounts     *weightedlru.Cache[accountKey, *Account]
	cells        *weightedlru.Cache[chain.Hash, *cell.Cell]
	ids          *lru.Cache[uint32, chain.BlockIDExt]       // of masterchain blocks
	roots        *lru.Cache[chain.Hash, chain.Hash]         // of states, by the root hash of their block
	fullBlocks   *weightedlru.Cache[chain.Hash, *FullBlock] // read from the node, by root hash
	libraryCache *libraryCache
	calls        singleflight.Group

	simulations *share // of what simulates at a time
}

// New returns an Emulator that reads the index. Close must be called after use.
func New(index Index, opts Options) *Emulator {
	return &Emulator{
		index: index, node: opts.Node, head: opts.Head, classifier: opts.Classifier, log: opts.Logger,
		machine: contract.NewMachine(contract.Options{}), methods: newMethodMachines(opts), tvm: boundedvm.New(), libraryCache: newLibraryCache(),
		views: newLRU[uint32, *View](maxViews), contexts: newLRU[contextKey, *executionContext](maxContexts),
		configs:     newLRU[uint32, *networkConfig](maxConfigs),
		accounts:    weightedlru.New[accountKey, *Account](maxAccounts, maxCellBytes),
		cells:       weightedlru.New[chain.Hash, *cell.Cell](maxCells, maxCellBytes),
		ids:         newLRU[uint32, chain.BlockIDExt](maxIDs),
		roots:       newLRU[chain.Hash, chain.Hash](maxContexts),
		fullBlocks:  weightedlru.New[chain.Hash, *FullBlock](maxFullBlocks, maxFullBlockBytes),
		simulations: newShare(maxSimulations, 1, opts),
	}
}

// Close waits for running executions. The Emulator must not be used afterwards.
func (x *Emulator) Close() {
	x.machine.Close()
	x.methods.close()
}

// headSeqno returns the highest indexed masterchain seqno, 0 while the index is empty.
func (x *Emulator) headSeqno(ctx context.Context) (uint32, error) {
	info, err := x.head(ctx)
	switch {
	case err == nil:
		return info.Last.Seqno, nil
	case chain.KindOf(err) == chain.NotFound:
		return 0, nil
	default:
		return 0, err
	}
}

func newLRU[K comparable, V any](size int) *lru.Cache[K, V] {
	c, err := lru.New[K, V](size)
	if err != nil {
		panic(err) //nolint:forbidigo // every size is a positive constant
	}
	return c
}

// Shared runs f once for all concurrent callers with the same key. f continues after the caller that started it is
// cancelled, up to a bound. A panic of f is an error.
func Shared[T any](ctx context.Context, g *singleflight.Group, key string, f func(context.Context) (T, error)) (T, error) {
	const timeout = 10 * time.Second
	wait := g.DoChan(key, func() (v any, err error) {
		defer chain.Recover(&err)
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
		defer cancel()
		return f(bounded)
	})
	var none T
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case r := <-wait:
		if r.Err != nil {
			return none, r.Err
		}
		v, _ := r.Val.(T)
		return v, nil
	}
}
