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
	t, before, after, err := in.read()
	if err != nil {
		return nil, err
	}
	if !t.asFundamental(config, &in, before, after) {
		return t.redo(config, in, before, after)
	}
	if t, before, after, err = in.read(); err != nil {
		return nil, err
	}
	res, err := t.redo(config, in, before, after)
	if err == nil && res == nil {
		res = &Result{Transaction: in.Transaction, Account: in.After}
	}
	return res, err
}

// read reads the transaction, and the account before and after it.
func (in *Input) read() (t *transaction, before, after *account, err error) {
	if t, err = readTransaction(in.Transaction); err != nil {
		return nil, nil, nil, err
	}
	if before, err = readAccount(in.Account); err != nil {
		return nil, nil, nil, err
	}
	if after, err = readAccount(in.After); err != nil {
		return nil, nil, nil, err
	}
	return t, before, after, nil
}

func (t *transaction) redo(config *Config, in Input, before, after *account) (*Result, error) {
	codeless := t.noState && before.status == statusActive && !t.changed && before.state.code == nil
	if !t.acts && !codeless {
		return t.normalize(config, in, before, after)
	}
	var message *inbound
	if in.Message != nil {
		message = readInbound(in.Message)
	}
	p, err := t.phase(config, before, message)
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
	if message != nil && message.bounces && (!t.acts || p.bounce || p.exceeded) {
		if back, err = p.returnMessage(message); err != nil {
			return nil, err
		}
	}
	return t.build(p, before, after, back)
}

// phase prepares the action phase from the account and the phases before it. message is nil for tick and tock.
func (t *transaction) phase(config *Config, before *account, message *inbound) (*phase, error) {
	if err := before.place(message); err != nil {
		return nil, err
	}
	p := &phase{
		config: config, now: uint32(t.now), gasFees: t.gasFees, gasUsed: t.gasUsed, steps: t.steps, startLT: t.lt,
		account: before, state: before.state, balance: before.balance.copied(), inbound: zero(),
		fundamental: config.fundamental(before),
	}
	var err error
	if message != nil && (before.status != statusActive || t.changed) { // only a message makes an account active
		if p.state, err = message.state(); err != nil {
			return nil, err
		}
	}
	importFee := message.importFee(p)
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
		return nil, err
	}
	p.balance.grams = new(big.Int).Sub(p.balance.grams, t.gasFees)
	if p.balance.grams.Sign() < 0 {
		return nil, fmt.Errorf("balance before the action phase: %w", errExtra)
	}
	t.storageFees = new(big.Int).Add(t.storageFees, importFee)
	return p, nil
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
