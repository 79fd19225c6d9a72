package pending

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
	"tonql/internal/emulate"
	"tonql/internal/weightedlru"
)

// Limits of the emulation of pending traces, and the size of the cache.
const (
	maxTransactions = 256             // of one trace
	emulationTime   = 2 * time.Second // for executing and classifying one trace
	maxEmulations   = 2               // at the same time
	maxWaiting      = 64              // sent messages that wait for emulation; others are emulated on request
	maxCached       = 256             // traces
	// maxCachedBytes bounds the cached results in memory. One of more than a quarter is emulated by each list that contains it.
	maxCachedBytes = 64 << 20
)

// Options configure a [Tracker]. All fields are required.
type Options struct {
	Store chain.PendingStore
	// Reach waits until the index has a masterchain block.
	Reach  func(ctx context.Context, mcSeqno uint32) error
	Logger *slog.Logger
}

// Tracker emulates pending traces: those of messages that no block holds yet, and the rest of traces that have messages in
// flight. It caches one result per trace and masterchain block. It is safe for concurrent use.
type Tracker struct {
	emulator *emulate.Emulator
	index    Index
	store    chain.PendingStore
	reach    func(ctx context.Context, mcSeqno uint32) error
	log      *slog.Logger

	cache   *weightedlru.Cache[chain.Hash, *result] // by the message's hash, or by the trace's id
	slots   chan struct{}                           // limits concurrent emulations
	waiting chan struct{}                           // limits messages being sent that wait for emulation
	calls   singleflight.Group
	running sync.WaitGroup
}

// New returns a Tracker. Close must be called after use.
func New(emulator *emulate.Emulator, index Index, opts Options) *Tracker {
	return &Tracker{
		emulator: emulator, index: index, store: opts.Store, reach: opts.Reach, log: opts.Logger,
		cache: weightedlru.New[chain.Hash, *result](maxCached, maxCachedBytes),
		slots: make(chan struct{}, maxEmulations), waiting: make(chan struct{}, maxWaiting),
	}
}

// Close waits for running emulations.
func (t *Tracker) Close() { t.running.Wait() }

// result is the emulation of a trace at a masterchain block. It is shared and read-only.
type result struct {
	mcSeqno  uint32
	indexed  int              // number of the trace's indexed transactions
	trace    *chain.FullTrace // with all its actions; nil when the message was rejected, or the trace cannot be emulated
	content  chain.BOC        // of a sent message, see [chain.PendingMessage]
	rejected bool
}

// weight returns how many bytes of memory the result retains, about.
func (r *result) weight() int {
	const row = 512
	weight := row + len(r.content)
	if r.trace != nil {
		weight += Weight(r.trace)
	}
	return weight
}

// Weight returns how many bytes of memory a trace retains, about.
func Weight(t *chain.FullTrace) int { return emulate.Weight(t) }

// message emulates the trace of an external message of which the index has no transaction.
func (t *Tracker) message(ctx context.Context, v *emulate.View, hash chain.Hash, to chain.Address, root *cell.Cell) (*result, error) {
	return t.once(ctx, v, hash, 0, func(ctx context.Context, e *emulate.Emulation) (*result, error) {
		err := e.Run(ctx, emulate.InFlight{To: to, Message: root})
		if err == emulate.ErrNotAccepted || err != nil && chain.KindOf(err) == chain.Invalid { //nolint:errorlint // never wrapped
			return &result{rejected: true}, nil
		}
		if err != nil && chain.KindOf(err) == chain.TooLarge {
			return &result{}, nil // valid for the network, but not emulated here
		}
		if err != nil {
			return nil, err
		}
		r := &result{trace: emulate.Trace(nil, slices.Clone(e.Transactions()))}
		if r.content, err = content(e.Raw()); err != nil {
			return nil, err
		}
		return r, e.Classify(ctx, r.trace)
	})
}

// rest emulates the messages in flight of an indexed trace.
func (t *Tracker) rest(ctx context.Context, v *emulate.View, trace *chain.Trace) (*result, error) {
	return t.once(ctx, v, trace.ID, trace.Transactions, func(ctx context.Context, e *emulate.Emulation) (*result, error) {
		full, err := t.index.FullTraces(ctx, []chain.Trace{*trace}, chain.TraceInclude{})
		if err != nil || len(full) == 0 {
			return nil, err
		}
		indexed := &full[0]
		if indexed.Incomplete() || int64(trace.EndUtime)+MaxLifetime < int64(v.Master.GenUtime) {
			// A message in flight for so long was received in a block that the index lacks.
			return &result{trace: unemulated(indexed)}, nil
		}
		messages, err := t.inFlight(ctx, indexed)
		if err != nil {
			return nil, err
		}
		if err := e.Run(ctx, messages...); err != nil && !emulate.Unexecutable(err) {
			return nil, err
		}
		r := &result{trace: emulate.Trace(trace, append(slices.Clone(indexed.Transactions), e.Transactions()...))}
		return r, e.Classify(ctx, r.trace)
	})
}

// skip logs why a trace is not emulated at a block.
func (t *Tracker) skip(name chain.Hash, indexed int, v *emulate.View, why error) {
	if indexed == 0 {
		t.log.Warn("pending message is not emulated", "message", name.String(), "mc_seqno", v.Master.Seqno, "err", why)
	} else {
		t.log.Warn("pending trace is not emulated", "trace", name.String(), "mc_seqno", v.Master.Seqno, "err", why)
	}
}

// once emulates a trace once per masterchain block for all concurrent callers. The time limit applies to the trace, not to
// one caller's request. A trace whose emulation fails, for another reason than a lost database or the time, has a result without a trace: anyone can send
// messages, and no message must hide the traces of others.
func (t *Tracker) once(
	ctx context.Context, v *emulate.View, name chain.Hash, indexed int, run func(context.Context, *emulate.Emulation) (*result, error),
) (*result, error) {
	cached := func() *result {
		if r, ok := t.cache.Get(name); ok && r.mcSeqno == v.Master.Seqno && r.indexed == indexed {
			return r
		}
		return nil
	}
	if r := cached(); r != nil {
		return r, nil
	}
	key := fmt.Sprintf("%s %d %d", name, v.Master.Seqno, indexed)
	return emulate.Shared(ctx, &t.calls, key, func(ctx context.Context) (*result, error) {
		if r := cached(); r != nil {
			return r, nil
		}
		select {
		case t.slots <- struct{}{}:
			defer func() { <-t.slots }()
		case <-ctx.Done():
			return nil, fmt.Errorf("emulation of %s: %w", name, ctx.Err())
		}
		ctx, cancel := context.WithTimeout(ctx, emulationTime)
		defer cancel()
		r, err := func() (r *result, err error) {
			defer chain.Recover(&err)
			return run(ctx, t.emulator.NewEmulation(v, emulate.Limits{Transactions: maxTransactions, Bytes: emulate.MaxTraceBytes}))
		}()
		if err != nil && ctx.Err() == nil && !chain.IsTransient(err) {
			t.skip(name, indexed, v, err)
			r, err = &result{}, nil
		}
		if err != nil || r == nil {
			return nil, err
		}
		r.mcSeqno, r.indexed = v.Master.Seqno, indexed
		t.cache.Add(name, r, r.weight())
		return r, nil
	})
}

// unemulated returns an indexed trace without emulated transactions.
func unemulated(t *chain.FullTrace) *chain.FullTrace {
	t.Finality, t.Actions = chain.Confirmed, []chain.Action{}
	return t
}
