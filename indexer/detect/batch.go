package detect

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Batch takes masterchain blocks in ascending order. It is owned by one goroutine.
type Batch struct {
	d      *Detector
	others *others
	zones  zones
}

// NewBatch begins a run of masterchain blocks.
func (d *Detector) NewBatch() *Batch { return &Batch{d: d, others: newOthers(d.src)} }

// Run fills Contracts, JettonTransfers, JettonBurns and NFTTransfers of a block that replay has completed. An error
// means that the network could not answer; Run may then be called again with the same block.
func (b *Batch) Run(ctx context.Context, m *decode.Master) (Stats, error) {
	m.Contracts, m.JettonTransfers, m.JettonBurns, m.NFTTransfers = nil, nil, nil, nil
	b.others.moveTo(m)
	before := b.others.fetched.Load()
	scene, err := b.d.scene(ctx, &m.Block, b.others, &b.zones)
	if err != nil {
		return Stats{}, err
	}
	targets := touched(m)
	if scene == nil {
		return Stats{Accounts: len(targets), Undetected: len(targets)}, nil
	}
	found, stats, err := b.d.look(ctx, scene, targets, patience{b.d.opts.BlockGas, b.d.opts.Time})
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

// touched lists the accounts that have code after the block, in the order of their first transactions.
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

// heavyAtOnce is how many accounts that need much gas are asked between two looks at the block's gas. It is a constant,
// so that which of them are left out does not depend on the machine.
const heavyAtOnce = 2

// patience bounds what accounts that need much gas get together.
type patience struct {
	gas  int64
	time time.Duration
}

// look asks all accounts: with little gas first, then those that used it up in full, while the patience lasts.
func (d *Detector) look(ctx context.Context, scene *BlockContext, targets []contract.State, most patience) ([]contract.Facts, Stats, error) {
	found := make([]contract.Facts, len(targets))
	all := make([]int, len(targets))
	for i := range all {
		all[i] = i
	}
	l := &looker{d: d, scene: scene, targets: targets, found: found, lost: make([]bool, len(targets)), open: make([]bool, len(targets))}
	if err := l.ask(ctx, scene.quick, all); err != nil {
		return nil, Stats{}, err
	}
	var heavy []int
	for i := range found {
		// Who used less cannot have been stopped by the bound, so more gas would change nothing.
		if found[i].Gas >= d.opts.QuickGas {
			heavy = append(heavy, i)
		}
	}
	began := time.Now()
	for spent := int64(0); len(heavy) > 0 && spent < most.gas && time.Since(began) < most.time; {
		n := min(heavyAtOnce, len(heavy))
		if err := l.ask(ctx, scene.full, heavy[:n]); err != nil {
			return nil, Stats{}, err
		}
		for _, i := range heavy[:n] {
			spent += found[i].Gas
		}
		heavy = heavy[n:]
	}
	for _, i := range heavy {
		l.lost[i] = true
	}
	return found, l.finish(), nil
}

// looker is one look at the accounts of a block.
type looker struct {
	d       *Detector
	scene   *BlockContext
	targets []contract.State
	found   []contract.Facts // parallel to targets
	lost    []bool           // parallel: nothing but the code can be told
	open    []bool           // parallel: an account it depends on could not be had
}

// ask looks at some of the accounts at once.
func (l *looker) ask(ctx context.Context, runner *contract.Runner, which []int) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(l.d.opts.Workers)
	for _, i := range which {
		group.Go(func() error {
			if err := l.d.fetchLibraries(ctx, l.scene.libs, l.targets[i].Code); err != nil {
				return err
			}
			v := &view{Snapshot: l.scene.snapshot, d: l.d, libs: l.scene.libs}
			facts, err := contract.Detect(ctx, v, runner, l.targets[i])
			if err != nil {
				return fmt.Errorf("detection: %w", err)
			}
			l.found[i], l.open[i] = facts, v.gone
			return nil
		})
	}
	return group.Wait()
}

// view is the snapshot as one account's detection sees it: the libraries of every contract are known before it runs, and
// an account that the network no longer holds cannot be asked, so that what is claimed of it stays a claim.
type view struct {
	contract.Snapshot
	d    *Detector
	libs *replay.LibraryView
	gone bool // such an account was named
}

// State finds an account, ready to run.
func (v *view) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	st, ok, err := v.Snapshot.State(ctx, a)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		v.gone = true
		return contract.State{}, false, nil
	}
	if err == nil && ok {
		err = v.d.fetchLibraries(ctx, v.libs, st.Code)
	}
	return st, ok, err
}

// finish counts, and leaves of what was lost what the code alone tells.
func (l *looker) finish() Stats {
	stats := Stats{Accounts: len(l.targets)}
	for i := range l.found {
		f := &l.found[i]
		stats.Gas += f.Gas
		for _, family := range f.Failed {
			stats.Failed++
			l.d.opts.Logger.Error("a family of contracts broke", "account", l.targets[i].Address.String(),
				"mc_seqno", l.scene.block.Seqno, "family", family)
		}
		if l.lost[i] || l.open[i] {
			stats.Undetected++
		}
		if l.lost[i] {
			methods := l.scene.quick.Methods(l.targets[i].Code)
			*f = contract.Facts{Methods: methods, Interfaces: contract.Interfaces(l.targets[i].CodeHash(), methods)}
		}
	}
	return stats
}
