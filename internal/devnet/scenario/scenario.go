package scenario

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
	"tonql/internal/devnet/ledger"
)

// Defaults of [Options].
const (
	DefaultActionsPerMinute = 60
	DefaultShardPeriod      = 100
)

// maxActions limits the actions of one batch, also after a long time without blocks.
const maxActions = 96

// maxMissed limits the number of missed blocks that one batch covers.
const maxMissed = 16

// Options configure the scenario. Seed and GlobalID must be those of the chain.
type Options struct {
	Seed     [32]byte
	GlobalID int32
	// ActionsPerMinute of chain time; 0 = DefaultActionsPerMinute, negative = none: the scenario only
	// deploys its contracts.
	ActionsPerMinute int
	// ShardPeriod is the length of a cycle of split and merge in masterchain blocks; 0 = DefaultShardPeriod,
	// negative = the shards stay as they are.
	ShardPeriod int
	// Protocol adds flows of the protocol: accounts freeze and thaw, a library is published, used and withdrawn, validators vote for
	// a parameter and change. They need [ProtocolAccounts] in the zerostate.
	Protocol bool
	// Nudge is for chains that make a block only when messages wait: after this time without a block the scenario sends
	// one transfer. 0 = never.
	Nudge time.Duration
	Log   *slog.Logger // nil = silent
}

func (o Options) withDefaults() Options {
	if o.ActionsPerMinute == 0 {
		o.ActionsPerMinute = DefaultActionsPerMinute
	}
	if o.ShardPeriod == 0 {
		o.ShardPeriod = DefaultShardPeriod
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Scenario generates the traffic of one chain. It is safe for concurrent use; batches run one at a time.
type Scenario struct {
	chain       Chain
	opts        Options
	cast        *cast
	contractSet *contractSet

	mu       sync.Mutex // one batch or burst at a time
	stats    Stats
	inFlight map[int]uint32 // burst wallet -> seqno it last used
}

// Stats counts events since the scenario was created.
type Stats struct {
	Rounds    int
	Externals int            // accepted by the chain
	Refused   int            // not accepted, for example because a wallet's last message still waits
	Actions   map[string]int // drawn ones, by name
	Steps     map[string]int // of flows, by the flow's name and the step's
}

// New creates the scenario. It does not send anything yet.
func New(chain Chain, opts Options) (*Scenario, error) {
	opts = opts.withDefaults()
	c, err := newCast(opts.Seed, opts.GlobalID)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	return &Scenario{
		chain: chain, opts: opts, cast: c, contractSet: newContractSet(c),
		stats:    Stats{Actions: map[string]int{}, Steps: map[string]int{}},
		inFlight: map[int]uint32{},
	}, nil
}

// Stats returns a copy of the counters.
func (s *Scenario) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	counters := s.stats
	counters.Actions, counters.Steps = maps.Clone(s.stats.Actions), maps.Clone(s.stats.Steps)
	return counters
}

// Step sends the batch after masterchain block mcSeqno. Call it once for each block, before the next one is made, and
// after a restart again for the newest block, because waiting messages do not survive the process. Sending a batch twice
// is harmless: the second time its messages are duplicates or refused.
func (s *Scenario) Step(ctx context.Context, mcSeqno uint32) error {
	return s.step(ctx, mcSeqno, mcSeqno)
}

// step sends one batch for the blocks from first to last.
func (s *Scenario) step(ctx context.Context, first, last uint32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last == 0 {
		return nil
	}
	t, err := s.open(first, last)
	if err != nil {
		return fmt.Errorf("scenario batch %d: %w", last, err)
	}
	due, err := s.due(t)
	if err != nil {
		return fmt.Errorf("scenario batch %d: %w", last, err)
	}
	t.setup()
	t.reconfigure()
	t.visitors()
	if s.opts.ActionsPerMinute > 0 {
		steps := t.flow(flows)
		if s.opts.Protocol {
			steps = append(steps, t.flow(protocolFlows)...)
		}
		for _, step := range steps {
			s.stats.Steps[step]++
		}
	}
	for range due {
		if name := t.act(); name != "" {
			s.stats.Actions[name]++
		}
	}
	if t.failed != nil {
		return fmt.Errorf("scenario batch %d: %w", last, t.failed)
	}
	if s.opts.ShardPeriod > 0 {
		if err := t.reshape(uint32(s.opts.ShardPeriod)); err != nil {
			s.opts.Log.Debug("shard change refused", "mc_seqno", last, "err", err)
		}
	}
	s.stats.Rounds++
	return s.deliver(ctx, t)
}

func (s *Scenario) open(first, last uint32) (*batch, error) {
	block, err := s.mcBlock(last)
	if err != nil {
		return nil, err
	}
	v, err := newView(s.chain, block)
	if err != nil {
		return nil, err
	}
	return s.newBatch(v, first, last), nil
}

func (s *Scenario) mcBlock(seqno uint32) (*ledger.Block, error) {
	return s.chain.BySeqno(layout.Masterchain, shardID(layout.FullShard), seqno)
}

// due returns the number of actions for the time since the block before the batch's first one. It is the difference of
// two totals, so that rounding errors do not add up.
func (s *Scenario) due(t *batch) (int, error) {
	if s.opts.ActionsPerMinute < 0 || t.first <= 1 {
		return 0, nil
	}
	before, err := s.mcBlock(t.first - 1)
	if err != nil {
		return 0, err
	}
	total := func(at uint32) uint64 { return uint64(at) * uint64(s.opts.ActionsPerMinute) / 60 }
	return int(min(total(t.block.GenUtime)-total(before.GenUtime), maxActions)), nil
}

// deliver sends the messages of the batch. It counts refused messages and returns no error for them, because another
// message may have been first.
func (s *Scenario) deliver(ctx context.Context, t *batch) error {
	messages, err := t.seal()
	if err != nil {
		return fmt.Errorf("scenario batch %d: %w", t.last, err)
	}
	for _, msg := range messages {
		if err := s.send(ctx, msg); err != nil {
			return fmt.Errorf("scenario batch %d: %w", t.last, err)
		}
	}
	return nil
}

func (s *Scenario) send(ctx context.Context, msg *cell.Cell) error {
	err := s.chain.SendExternal(ctx, msg)
	var refused *ledger.ExternalError
	switch {
	case err == nil:
		s.stats.Externals++
		return nil
	case errors.As(err, &refused):
		s.stats.Refused++
		s.opts.Log.Debug("external message refused", "err", err)
		return nil
	default:
		return err
	}
}
