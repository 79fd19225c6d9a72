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

// maxActions bounds what one block can bring, also when much chain time went by since the last one.
const maxActions = 96

// maxMissed bounds how many unseen blocks one turn answers for.
const maxMissed = 16

// Options tune the story. Only Seed and GlobalID must be those of the chain.
type Options struct {
	Seed     [32]byte
	GlobalID int32
	// ActionsPerMinute of chain time; 0 = DefaultActionsPerMinute, negative = none: the stage is set and nothing else.
	ActionsPerMinute int
	// ShardPeriod is the length of a cycle of split and merge in masterchain blocks; 0 = DefaultShardPeriod,
	// negative = the shards stay as they are.
	ShardPeriod int
	// Nudge is for chains that make a block only when there is something to put in: after so long without a block
	// one transfer is sent. 0 = never.
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

// Scenario plays on one chain. Its methods may be called from several goroutines; turns follow one another.
type Scenario struct {
	chain       Chain
	opts        Options
	cast        *cast
	contractSet *contractSet

	mu       sync.Mutex // one turn or burst at a time
	stats    Stats
	inFlight map[int]uint32 // burst wallet -> seqno it last used
}

// Stats counts since the scenario was made.
type Stats struct {
	Rounds    int
	Externals int            // accepted by the chain
	Refused   int            // not accepted, for instance because a wallet's last message still waits
	Actions   map[string]int // drawn ones, by name
	Steps     map[string]int // of flows, by the flow's name and the step's
}

// New prepares the story. Nothing is sent yet.
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

// Stats is a copy of the counters.
func (s *Scenario) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	counters := s.stats
	counters.Actions, counters.Steps = maps.Clone(s.stats.Actions), maps.Clone(s.stats.Steps)
	return counters
}

// Step plays the turn after masterchain block mcSeqno. Call it once for each block, before the next one is made; and
// after a restart again for the newest block, since messages that wait do not outlive the process. Playing a turn
// twice does no harm: the second time its messages are known or refused.
func (s *Scenario) Step(ctx context.Context, mcSeqno uint32) error {
	return s.step(ctx, mcSeqno, mcSeqno)
}

// step plays one turn for the blocks from first to last.
func (s *Scenario) step(ctx context.Context, first, last uint32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last == 0 {
		return nil
	}
	t, err := s.open(first, last)
	if err != nil {
		return fmt.Errorf("scenario turn %d: %w", last, err)
	}
	due, err := s.due(t)
	if err != nil {
		return fmt.Errorf("scenario turn %d: %w", last, err)
	}
	t.setup()
	t.reconfigure()
	t.visitors()
	if s.opts.ActionsPerMinute > 0 {
		for _, step := range t.flow() {
			s.stats.Steps[step]++
		}
	}
	for range due {
		if name := t.act(); name != "" {
			s.stats.Actions[name]++
		}
	}
	if t.failed != nil {
		return fmt.Errorf("scenario turn %d: %w", last, t.failed)
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

// due is how many actions the time since the block before the turn's first one calls for. It is the difference of
// two totals, so nothing is lost to rounding.
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

// deliver sends the turn's messages. A refused one is counted, not an error: another message may have come first.
func (s *Scenario) deliver(ctx context.Context, t *batch) error {
	messages, err := t.seal()
	if err != nil {
		return fmt.Errorf("scenario turn %d: %w", t.last, err)
	}
	for _, msg := range messages {
		if err := s.send(ctx, msg); err != nil {
			return fmt.Errorf("scenario turn %d: %w", t.last, err)
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
