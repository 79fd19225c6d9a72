package actionphase

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Input is a transaction that another executor made.
type Input struct {
	Account *cell.Cell // before the transaction: Account
	Message *cell.Cell // in-message, nil for tick and tock
	// The transaction, the Account after it, and if its compute phase was successful the list of actions and the data that the code left.
	Transaction, After, Actions, Data *cell.Cell
}

// Result is the transaction and what it leaves.
type Result struct {
	Transaction, Account *cell.Cell
	Messages             []*cell.Cell // in the order of creation, with the one that is returned
	EndLT                uint64
}

// errKind is returned for transactions that are neither ordinary nor tick nor tock.
var errKind = errors.New("transactions of this kind are not supported")

// Redo makes a transaction again from its phases before the action phase. It returns nil if nothing of it is made here, and fails for accounts
// that it does not support; in both cases the given transaction stands.
func Redo(config *Config, in Input) (*Result, error) {
	t, err := readTransaction(in.Transaction)
	if err != nil {
		return nil, err
	}
	before, err := readAccount(in.Account)
	if err != nil {
		return nil, err
	}
	after, err := readAccount(in.After)
	if err != nil {
		return nil, err
	}
	codeless := t.noState && before.status == statusActive && !t.changed && before.state.code == nil
	if !t.acts && !codeless {
		return t.normalize(config, in, before, after)
	}
	p, bounces, err := t.phase(config, before, in)
	if err != nil {
		return nil, err
	}
	if t.acts {
		p.data = in.Data
		p.perform(in.Actions)
	} else {
		t.fail(p)
	}
	var back *bounced
	if bounces && (!t.acts || p.bounce || p.exceeded) {
		if back, err = p.returnMessage(in.Message); err != nil {
			return nil, err
		}
	}
	return t.build(p, before, after, back)
}

// phase prepares the action phase from the account and the phases before it.
func (t *transaction) phase(config *Config, before *account, in Input) (p *phase, bounces bool, err error) {
	p = &phase{config: config, now: uint32(t.now), gasFees: t.gasFees, gasUsed: t.gasUsed, steps: t.steps, startLT: t.lt, inbound: zero(), balance: before.balance.copied(), account: before}
	p.state = before.state
	importFee := new(big.Int)
	if in.Message != nil {
		r := readerOf(in.Message)
		external := r.flag()
		var destination msgAddress
		if external {
			r.flag()
			r.address(externalAddress)
			destination = r.address(internalAddress)
			r.coins()
		} else {
			r.flag()
			bounces = r.flag()
			r.flag()
			r.address(internalAddress)
			destination = r.address(internalAddress)
			r.value()
			r.coins()
			r.coins()
			r.skip(96)
		}
		if before.status == statusNonexist {
			if r.err != nil || destination.tag != 2 || destination.depth > 0 {
				return nil, false, errUnsupported
			}
			before.workchain, before.id = int8(destination.workchain), destination.bits
		}
		if before.status != statusActive || t.changed { // only a message makes an account active
			if p.state, err = r.messageState(); err != nil {
				return nil, false, err
			}
		}
		p.fundamental = before.workchain == -1 && config.special[[32]byte(before.id)]
		if external && !p.fundamental {
			u := newUsage(^uint64(0))
			u.add(in.Message)
			importFee = config.prices(before.workchain == -1).ComputeForwardFee(u.cells-1, u.bits-uint64(in.Message.BitsSize()))
		}
	} else {
		p.fundamental = before.workchain == -1 && config.special[[32]byte(before.id)]
	}
	p.balance.grams.Sub(p.balance.grams, importFee)
	if t.credit != nil {
		p.inbound = value{grams: t.credit, extra: t.creditExtra}.copied()
		p.balance.add(p.inbound)
	}
	p.balance.grams = new(big.Int).Sub(p.balance.grams, t.storageFees)
	if t.creditFirst && p.inbound.grams.Cmp(p.balance.grams) > 0 {
		p.inbound.grams = new(big.Int).Set(p.balance.grams)
	}
	if p.original, err = t.original(p, before, importFee); err != nil {
		return nil, false, err
	}
	p.balance.grams = new(big.Int).Sub(p.balance.grams, t.gasFees)
	if p.balance.grams.Sign() < 0 {
		return nil, false, fmt.Errorf("balance before the action phase: %w", errExtra)
	}
	t.storageFees = new(big.Int).Add(t.storageFees, importFee)
	return p, bounces, nil
}

// original returns the balance without the value of the message. Before global version 9 it is that before the transaction, less the fees,
// which may be negative.
func (t *transaction) original(p *phase, before *account, importFee *big.Int) (value, error) {
	if p.config.version < 9 {
		v := before.balance.copied()
		v.grams.Sub(v.grams, t.storageFees)
		v.grams.Sub(v.grams, importFee)
		return v, nil
	}
	v := p.balance.copied()
	if !v.sub(p.inbound) {
		return v, fmt.Errorf("balance before the action phase: %w", errExtra)
	}
	return v, nil
}

// messageState reads the state of a message whose other fields were read.
func (r *reader) messageState() (stateInit, error) {
	r.flag()
	if r.flag() {
		r = readerOf(r.ref())
	}
	s := r.state()
	if r.err != nil {
		return s, fmt.Errorf("state of the message: %w", r.err)
	}
	return s, nil
}
