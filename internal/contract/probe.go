package contract

import (
	"context"
	"fmt"
	"slices"

	"tonql/internal/chain"
)

// slowRetries is how often a run that took too long is repeated. Gas ends every run long before its time is up, so a
// run that is too slow is a fault of this machine, busy or asleep, rather than of the contract.
const slowRetries = 2

// Probe is one account under detection.
type Probe struct {
	State    State
	CodeHash chain.Hash
	DataHash chain.Hash
	Facts    *Facts

	snapshot Snapshot
	runner   *Runner
	gas      int64 // left for all runs
	others   map[chain.Address]*State
}

// Has says that the code offers all the methods.
func (p *Probe) Has(methods ...string) bool { return offers(p.Facts.Methods, methods) }

func offers(ids []int32, methods []string) bool {
	for _, m := range methods {
		if _, ok := slices.BinarySearch(ids, MethodID(m)); !ok {
			return false
		}
	}
	return true
}

// Run runs a get-method of the account and starts reading its result. The error is not the contract's; what the contract did wrong
// is in the reader.
func (p *Probe) Run(ctx context.Context, method string, args ...any) (*Reader, error) {
	return p.RunOn(ctx, &p.State, method, args...)
}

// RunOn runs a get-method of another account. All runs share the gas of the detection.
func (p *Probe) RunOn(ctx context.Context, s *State, method string, args ...any) (*Reader, error) {
	if p.gas <= 0 {
		return &Reader{method: method, err: &Fault{Method: method, Reason: OutOfGas, Detail: "the detection's gas is used up"}}, nil
	}
	gas := min(p.gas, p.runner.machine.budget.Gas)
	res, err := p.runner.run(ctx, s, method, MethodID(method), gas, args)
	f, failed := asFault(err)
	for range slowRetries {
		if !failed || f.Reason != TooLong {
			break
		}
		res, err = p.runner.run(ctx, s, method, MethodID(method), gas, args)
		f, failed = asFault(err)
	}
	if err != nil {
		if !failed {
			return nil, err
		}
		if f.Gas > 0 {
			p.gas -= f.Gas
		} else {
			p.gas -= gas // unknown: the worst
		}
		return &Reader{method: method, err: f}, nil
	}
	p.gas -= res.Gas
	return res.Read(), nil
}

// Other is the state of another account; nil when there is none or it has no code.
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

// MethodsOf lists the get-methods of another account.
func (p *Probe) MethodsOf(s *State) []int32 { return p.runner.Methods(s.Code) }

// Confirm calls another contract for an address that it computes and reports whether it is this account's. Otherwise the
// claim is noted and false is returned.
func (p *Probe) Confirm(ctx context.Context, name string, other chain.Address, method string, args ...any) (bool, error) {
	claim := Claim{Interface: name, Account: p.State.Address, Other: other}
	s, err := p.Other(ctx, other)
	if err != nil {
		return false, err
	}
	if s == nil {
		claim.Reason = "the other contract is not there"
		p.Facts.Claims = append(p.Facts.Claims, claim)
		return false, nil
	}
	r, err := p.RunOn(ctx, s, method, args...)
	if err != nil {
		return false, err
	}
	said := r.NeedAddress()
	switch {
	case r.Err() != nil:
		claim.Reason, claim.Refuted = r.Err().Error(), true
	case said != p.State.Address:
		claim.Reason, claim.Refuted = "the other contract names "+said.String(), true
	default:
		return true, nil
	}
	p.Facts.Claims = append(p.Facts.Claims, claim)
	return false, nil
}

// Zone is the zone of domains that a collection stands for; empty when it is none of those the network was given.
func (p *Probe) Zone(collection chain.Address) string { return p.runner.env.Zones[collection] }
