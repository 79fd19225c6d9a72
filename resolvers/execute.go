package resolvers

import (
	"context"
	"math/big"
	"strconv"
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

// How much the executor remembers. Scenes and accounts are as of a block, so they are never stale.
const (
	keptViews    = 16
	keptScenes   = 64
	keptConfigs  = 8
	keptAccounts = 4096
	keptCells    = 4096
	keptIDs      = 4096
	// keptCellBytes bounds accounts and cells besides, in serialized bytes. Parsed they take some five times as much.
	keptCellBytes = 8 << 20
	// largestKept is the serialized size, in bytes, of code or data that is worth keeping parsed.
	largestKept = 32 << 10
	// maxMethodArguments bounds the stack a caller may give.
	maxMethodArguments = 255
)

// executor runs contracts in this process: what runGetMethod, estimateFee and the check of messages share. States come
// from the index; what it lacks, the node proves.
type executor struct {
	svc      *Service
	machine  *contract.Machine
	tvm      *tvm.TVM
	views    *lru.Cache[uint32, *view]
	scenes   *lru.Cache[sceneKey, *scene]
	configs  *lru.Cache[uint32, *tvm.PreparedBlockchainConfig] // by the key block that put it in force
	accounts *weightedlru.Cache[accountKey, *actor]
	cells    *weightedlru.Cache[chain.Hash, *cell.Cell]
	ids      *lru.Cache[uint32, chain.BlockIDExt]   // of masterchain blocks
	roots    *lru.Cache[chain.Hash, chain.Hash]     // of states, by the root hash of their block
	wholes   *weightedlru.Cache[chain.Hash, *whole] // of the node, by root hash
	shelf    *shelf
	calls    singleflight.Group

	simulations chan struct{} // at work
}

func newExecutor(s *Service) *executor {
	return &executor{
		svc: s, machine: contract.NewMachine(contract.Options{}), tvm: boundedvm.New(), shelf: newShelf(),
		views: kept[uint32, *view](keptViews), scenes: kept[sceneKey, *scene](keptScenes),
		configs:  kept[uint32, *tvm.PreparedBlockchainConfig](keptConfigs),
		accounts: weightedlru.New[accountKey, *actor](keptAccounts, keptCellBytes),
		cells:    weightedlru.New[chain.Hash, *cell.Cell](keptCells, keptCellBytes),
		ids:      kept[uint32, chain.BlockIDExt](keptIDs),
		roots:    kept[chain.Hash, chain.Hash](keptScenes), wholes: weightedlru.New[chain.Hash, *whole](keptWhole, keptWholeBytes),
		simulations: make(chan struct{}, simulateAtOne),
	}
}

func kept[K comparable, V any](size int) *lru.Cache[K, V] {
	c, err := lru.New[K, V](size)
	if err != nil {
		panic(err) //nolint:forbidigo // the sizes are constants above zero
	}
	return c
}

// Close waits for contracts that are still running; the Service must not be used afterwards.
func (s *Service) Close() {
	if s.oracle != nil {
		s.oracle.running.Wait()
	}
	s.exec.machine.Close()
}

// MethodCall asks for a get-method. Stack holds *big.Int, *cell.Cell and *cell.Slice, the deepest first.
type MethodCall struct {
	Account chain.Address
	Method  string  // its name, or its number in decimal or 0x hex
	Stack   []any   // arguments
	Seqno   *uint32 // as of this masterchain block; nil: the newest indexed one
}

// MethodResult is how a get-method ended. Stack holds, the deepest first: *big.Int, *cell.Cell, *cell.Slice,
// *cell.Builder, []any for a tuple, nil for null, [NaN], and [Opaque] for what has no meaning outside the machine.
type MethodResult struct {
	Exit    int32 // 0 and 1 are successes
	Gas     int64
	Stack   []any
	McSeqno uint32 // the masterchain block it ran as of
}

// NaN is the number of a stack that is none.
type NaN = contract.NaN

// Opaque is a value of a stack that cannot be shown.
type Opaque = contract.Opaque

// exitNoCode is how the published interfaces end a method of an account that has no code.
const exitNoCode = -13

// RunGetMethod runs a get-method in the local TVM. That a method fails is an answer, not an error.
func (s *Service) RunGetMethod(ctx context.Context, q MethodCall) (*MethodResult, error) {
	if len(q.Stack) > maxMethodArguments {
		return nil, chain.Invalidf("%d arguments are too many: at most %d are allowed", len(q.Stack), maxMethodArguments)
	}
	x := s.exec
	v, err := x.view(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	acc, err := x.account(ctx, v, q.Account)
	if err != nil {
		return nil, err
	}
	id := methodID(q.Method)
	if !acc.state.Active() {
		stack := append(append([]any(nil), q.Stack...), big.NewInt(int64(id)))
		return &MethodResult{Exit: exitNoCode, Stack: stack, McSeqno: v.master.Seqno}, nil
	}
	sc, err := x.scene(ctx, v, q.Account)
	if err != nil {
		return nil, err
	}
	if err := x.fetchLibraries(ctx, v, acc.state.Code); err != nil {
		return nil, err
	}
	result, err := sc.runner.Execute(ctx, &acc.state, id, q.Stack...)
	if err != nil {
		return nil, err
	}
	return &MethodResult{Exit: result.Exit, Gas: result.Gas, Stack: result.Stack, McSeqno: v.master.Seqno}, nil
}

// methodID reads a number as such and any other text as a name.
func methodID(method string) int32 {
	if id, err := strconv.ParseInt(method, 0, 32); err == nil {
		return int32(id)
	}
	return contract.MethodID(method)
}

// shared does what many requests need at once a single time; the work outlives the request that happened to start it,
// up to a bound.
func shared[T any](ctx context.Context, g *singleflight.Group, key string, f func(context.Context) (T, error)) (T, error) {
	const longest = 10 * time.Second
	wait := g.DoChan(key, func() (any, error) {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
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
