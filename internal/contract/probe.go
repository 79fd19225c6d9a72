package contract

import (
	"context"
	"fmt"
	"slices"

	"tonql/internal/chain"
)

// slowRetries is the number of times that a run is repeated after it took too long. The gas of a run ends long before
// its time, so the cause is a busy or suspended machine rather than the contract.
const slowRetries = 2

// A result costs what its cells cost to read, besides the gas of the run: a method that leaves 60,000 cells may use 100 gas and take 40 ms.
const (
	maxResultCells = 8192 // of one call; content has no more
	cellGas        = 10   // of a cell in a result; 0.6 µs
)

// Probe is the detection of one account.
type Probe struct {
	State    State
	CodeHash chain.Hash
	DataHash chain.Hash
	Facts    *Facts

	snapshot Snapshot
	runner   *Runner
	gas      int64 // left for all further runs
	others   map[chain.Address]*State
}

// Has reports whether the code has all the methods.
func (p *Probe) Has(methods ...string) bool { return offers(p.Facts.Methods, methods) }

func offers(ids []int32, methods []string) bool {
	for _, m := range methods {
		if _, ok := slices.BinarySearch(ids, MethodID(m)); !ok {
			return false
		}
	}
	return true
}

// Run runs a get-method of the account and returns a reader of its result. A fault of the contract is the error of the
// reader; the second value is any other error.
func (p *Probe) Run(ctx context.Context, method string, args ...any) (*Reader, error) {
	return p.RunOn(ctx, &p.State, method, args...)
}

// RunOn runs a get-method of another account. All runs share the gas of the detection, from which the cells of results are paid, too.
func (p *Probe) RunOn(ctx context.Context, s *State, method string, args ...any) (*Reader, error) {
	if p.gas <= 0 {
		return &Reader{method: method, err: &Fault{Method: method, Reason: OutOfGas, Detail: "the detection's gas is used up"}}, nil
	}
	budget := p.runner.machine.budget
	budget.Gas = min(p.gas, budget.Gas)
	budget.Cells = min(budget.Cells, maxResultCells, int(budget.Gas/cellGas))
	res, err := p.runner.run(ctx, s, method, MethodID(method), budget, args)
	f, failed := asFault(err)
	for range slowRetries {
		if !failed || f.Reason != TooLong {
			break
		}
		res, err = p.runner.run(ctx, s, method, MethodID(method), budget, args)
		f, failed = asFault(err)
	}
	if err != nil {
		if !failed {
			return nil, err
		}
		if f.Gas > 0 {
			p.gas -= f.Gas
		} else {
			p.gas -= budget.Gas // unknown: assume all
		}
		return &Reader{method: method, err: f}, nil
	}
	p.gas -= res.Gas + int64(res.cells)*cellGas
	return res.Read(), nil
}

// GasLeft returns the gas that is left for the detection.
func (p *Probe) GasLeft() int64 { return p.gas }

// Pay pays for work on the result of a get-method.
func (p *Probe) Pay(gas int64) { p.gas -= gas }

// Other returns the state of another account; nil when it does not exist or has no code.
func (p *Probe) Other(ctx context.Context, a chain.Address) (*State, error) {
	if a == p.State.Address {
		return &p.State, nil
	}
	if s, ok := p.others[a]; ok {
		return s, nil
	}
	s, ok, err := p.snapshot.State(ctx, a)
	if err != nil {
		return nil, fmt.Errorf("state of %s: %w", a, err)
	}
	if p.others == nil {
		p.others = map[chain.Address]*State{}
	}
	if !ok || !s.Active() {
		p.others[a] = nil
		return nil, nil
	}
	p.others[a] = &s
	return &s, nil
}

// Confirm reports whether a get-method of another contract returns the address of this account. It is false also where the other
// contract does not exist or the run fails.
func (p *Probe) Confirm(ctx context.Context, other chain.Address, method string, args ...any) (bool, error) {
	s, err := p.Other(ctx, other)
	if err != nil || s == nil {
		return false, err
	}
	r, err := p.RunOn(ctx, s, method, args...)
	if err != nil {
		return false, err
	}
	address := r.NeedAddress()
	return r.Err() == nil && address == p.State.Address, nil
}

// Zone returns the zone of a collection of domains, such as ".ton"; empty for any other collection.
func (p *Probe) Zone(collection chain.Address) string { return p.runner.env.Zones[collection] }
