package detect

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Batch detects the contracts of masterchain blocks in ascending order. It is not safe for concurrent use.
type Batch struct {
	d      *Detector
	others *others
	zones  zones
}

// NewBatch returns a Batch without cached states.
func (d *Detector) NewBatch() *Batch { return &Batch{d: d, others: newOthers(d.src, d.opts.Fetches)} }

// Run fills Contracts, JettonTransfers, JettonBurns and NFTTransfers of a replayed block. An error means that the network did
// not respond; Run can be called again with the same block.
func (b *Batch) Run(ctx context.Context, m *decode.Master) (Stats, error) {
	m.Contracts, m.JettonTransfers, m.JettonBurns, m.NFTTransfers = nil, nil, nil, nil
	b.others.moveTo(m)
	before := b.others.fetched.Load()
	bc, err := b.d.blockContext(ctx, &m.Block, b.others, &b.zones)
	if err != nil {
		return Stats{}, err
	}
	targets := touched(m)
	if bc == nil {
		return Stats{Accounts: len(targets), Undetected: len(targets)}, nil
	}
	found, _, stats, err := b.d.detectAll(ctx, bc, targets, budget{
		gas: b.d.opts.BlockGas, time: b.d.opts.Time, bytes: b.d.opts.BlockBytes, libraries: maxBlockLibraries,
	})
	if err != nil {
		return stats, err
	}
	m.Contracts = make([]chain.Contract, len(found))
	for i := range found {
		m.Contracts[i] = found[i].Record(&targets[i], m.Block.Seqno)
	}
	Orders(m.MasterBlock)
	stats.Fetched = int(b.others.fetched.Load() - before)
	return stats, nil
}

// touched returns the accounts that have code after the block, in the order of their first transactions.
func touched(m *decode.Master) []contract.State {
	seen := make(map[chain.Address]struct{}, len(m.Final))
	list := make([]contract.State, 0, len(m.Final))
	for i := range m.Transactions {
		a := m.Transactions[i].Account
		if _, again := seen[a]; again {
			continue
		}
		seen[a] = struct{}{}
		if s := m.Final[a]; s != nil && s.Row.Status == chain.Active {
			list = append(list, StateOf(s))
		}
	}
	return list
}

// heavyAtOnce is the number of accounts that run with the full budget between two checks of the block's gas. It is a
// constant, so that the accounts that are left out do not depend on the machine.
const heavyAtOnce = 2

// budget bounds the detection of the accounts of a block.
type budget struct {
	gas   int64         // of all accounts that run with the full gas
	time  time.Duration // for these
	bytes int           // of all facts, see [byteBudget]

	libraries int // that the codes of all accounts name, each once

	refuse bool // more bytes are ErrTooMuch; otherwise the accounts with them are recorded by their code
}

// detectAll detects all targets: first with little gas, then those that used it up with the full gas, within budget. partial reports, parallel to
// the facts, which of them lack what depends on accounts that the network does not have.
func (d *Detector) detectAll(ctx context.Context, bc *BlockContext, targets []contract.State, budget budget) (facts []contract.Facts, partial []bool, stats Stats, err error) {
	found := make([]contract.Facts, len(targets))
	run := &detection{
		detector: d, block: bc, targets: targets, found: found, codeOnly: make([]bool, len(targets)), incomplete: make([]bool, len(targets)),
		bytes: newByteBudget(budget.bytes, len(targets)), refuse: budget.refuse,
	}
	if err := run.detect(ctx, bc.quick, run.affordable(budget.libraries)); err != nil {
		return nil, nil, Stats{}, err
	}
	var heavy []int
	for i := range found {
		// The limit did not stop an account that used less, so more gas would not change its result.
		if found[i].Gas >= d.opts.QuickGas {
			heavy = append(heavy, i)
		}
	}
	run.bytes = newByteBudget(run.bytes.left, len(targets))
	began := time.Now()
	for spent := int64(0); len(heavy) > 0 && spent < budget.gas && time.Since(began) < budget.time; {
		n := min(heavyAtOnce, len(heavy))
		if err := run.detect(ctx, bc.full, heavy[:n]); err != nil {
			return nil, nil, Stats{}, err
		}
		for _, i := range heavy[:n] {
			spent += found[i].Gas
		}
		heavy = heavy[n:]
	}
	for _, i := range heavy {
		run.codeOnly[i] = true
	}
	stats = run.finish()
	return found, run.incomplete, stats, nil
}

// detection is one detection of accounts at a block.
type detection struct {
	detector   *Detector
	block      *BlockContext
	targets    []contract.State
	found      []contract.Facts // parallel to targets
	codeOnly   []bool           // parallel: recorded by the code only
	incomplete []bool           // parallel: the network lacks an account it depends on
	bytes      *byteBudget      // of the facts of this phase
	refuse     bool             // see budget
}

// affordable returns the targets whose codes name at most limit libraries together, each counted once, in the order of the block. The others
// are recorded by their code.
func (d *detection) affordable(limit int) []int {
	seen := map[chain.Hash]bool{}
	which := make([]int, 0, len(d.targets))
	for i := range d.targets {
		var fresh []chain.Hash
		if code := d.targets[i].Code; code != nil {
			fresh = slices.DeleteFunc(slices.Clone(d.detector.refsOf(code)), func(h chain.Hash) bool { return seen[h] })
		}
		if len(fresh) > limit-len(seen) {
			d.codeOnly[i] = true
			continue
		}
		for _, h := range fresh {
			seen[h] = true
		}
		which = append(which, i)
	}
	return which
}

// begunAtOnce is the number of detections that may wait for accounts with what they have read so far. It is a constant, so that the accounts
// that are fetched do not depend on the machine.
const begunAtOnce = 64

// detect runs the detection of some targets; which are their indexes.
func (d *detection) detect(ctx context.Context, runner *contract.Runner, which []int) error {
	for some := range slices.Chunk(which, begunAtOnce) {
		if err := d.detectTogether(ctx, runner, some); err != nil {
			return err
		}
	}
	return nil
}

// detectTogether runs the detection of some targets concurrently.
func (d *detection) detectTogether(ctx context.Context, runner *contract.Runner, which []int) error {
	group, ctx := errgroup.WithContext(ctx)
	rounds := newRounds(d.block, d.detector.opts.Workers, len(which))
	for _, i := range which {
		group.Go(rounds.run(ctx, func() error {
			if err := d.detector.fetchLibraries(ctx, d.block.libs, d.targets[i].Code); err != nil {
				return err
			}
			v := &view{Snapshot: rounds.snapshot(i), d: d.detector, libs: d.block.libs}
			facts, err := contract.Detect(ctx, v, runner, d.targets[i])
			if err != nil {
				return fmt.Errorf("detection: %w", err)
			}
			d.incomplete[i] = v.missing
			if dropped := d.retain(i, facts, runner); dropped && d.refuse {
				return ErrTooMuch
			}
			return nil
		}))
	}
	return group.Wait()
}

// retain stores the facts of a target. Facts that will be replaced by those of a run with the full gas are dropped. It reports whether facts
// of any target were left out for their size.
func (d *detection) retain(i int, facts contract.Facts, runner *contract.Runner) (dropped bool) {
	d.found[i] = facts
	if runner == d.block.quick && facts.Gas >= d.detector.opts.QuickGas {
		d.drop(i)
		return false
	}
	d.bytes.add(i, facts.Size(), func(target int) {
		d.codeOnly[target] = true
		d.drop(target)
		dropped = true
	})
	return dropped
}

// drop releases the facts of a target.
func (d *detection) drop(i int) {
	d.found[i] = contract.Facts{Gas: d.found[i].Gas, Failed: d.found[i].Failed}
}

// view is the snapshot for the detection of one account. It loads the libraries of every contract before the contract runs.
// An account that the network no longer has, or that is not fetched, is reported as absent, so that it confirms nothing.
type view struct {
	contract.Snapshot
	d       *Detector
	libs    *replay.LibraryView
	missing bool // the detection needed such an account
}

// State returns an account with its libraries loaded.
func (v *view) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	st, ok, err := v.Snapshot.State(ctx, a)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		v.missing = true
		return contract.State{}, false, nil
	}
	if err == nil && ok {
		err = v.d.fetchLibraries(ctx, v.libs, st.Code)
	}
	return st, ok, err
}

// finish returns the counts, and reduces the facts of accounts that were left out to those of their code.
func (d *detection) finish() Stats {
	stats := Stats{Accounts: len(d.targets)}
	for i := range d.found {
		f := &d.found[i]
		stats.Gas += f.Gas
		for _, family := range f.Failed {
			stats.Failed++
			d.detector.opts.Logger.Error("contract family panicked", "account", d.targets[i].Address.String(),
				"mc_seqno", d.block.block.Seqno, "family", family)
		}
		if d.codeOnly[i] || d.incomplete[i] {
			stats.Undetected++
		}
		if d.codeOnly[i] {
			methods := d.block.quick.Methods(d.targets[i].Code)
			*f = contract.Facts{Methods: methods, Interfaces: contract.Interfaces(d.targets[i].CodeHash(), methods)}
		}
	}
	return stats
}
