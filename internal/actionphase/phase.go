package actionphase

import (
	"bytes"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Modes of messages.
const (
	modePayFees      = 1
	modeIgnoreErrors = 2
	modeBounce       = 16 // since global version 4
	modeDelete       = 32
	modeInbound      = 64
	modeBalance      = 128
)

// phase is an action phase that is performed.
type phase struct {
	config      *Config
	account     *account // before the transaction
	fundamental bool     // the account is one that the configuration names: it pays no fees
	now         uint32

	// Of the compute phase.
	gasFees     *big.Int
	gasUsed     uint64
	computeCode int32 // the exit code of a compute phase that failed, 0 else
	steps       uint64
	data        *cell.Cell // that it left
	state       stateInit  // code, data and libraries before the actions

	balance   value // after the compute phase
	original  value // before it, without the value of the message; negative if fees exceed it
	remaining value // of the balance
	reserved  value
	inbound   value // of the message, what is left of it

	code, arg                int32 // result_code, result_arg
	valid, success, noFunds  bool
	total, special, skipped  int
	fees, forward            *big.Int // total_action_fees, total_fwd_fees
	fine, failFine           *big.Int
	cells, bits              uint64 // of the messages
	messages                 []*cell.Cell
	startLT                  uint64
	newCode                  *cell.Cell
	deletes, deleted, bounce bool
	bounceOnFail             bool // of the action that is performed
	listHash                 []byte
	exceeded                 bool // the limits of the account
	unsent                   bool // the messages take LTs, and their fees are named, although nothing is sent
}

// perform performs the list of actions and leaves their outcome in p.
func (p *phase) perform(list *cell.Cell) {
	p.listHash = list.Hash()
	p.code, p.fees, p.forward, p.fine, p.failFine = -1, new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	p.remaining, p.reserved = p.balance.copied(), zero()
	libraries, inbound := p.state.libraries, p.inbound.copied()
	actions, ok := p.load(list)
	if !ok {
		return
	}
	p.valid = true
	for i, node := range actions {
		if node == nil {
			continue
		}
		p.arg, p.bounceOnFail = int32(i), false
		if code := p.act(node); code != 0 {
			p.fail(code, libraries, inbound)
			return
		}
	}
	p.finish(libraries, inbound)
}

func (p *phase) act(node *cell.Cell) int32 {
	r := readerOf(node)
	r.ref()
	switch r.bits(32) {
	case tagSendMessage:
		return p.send(uint8(r.bits(8)), r.ref())
	case tagSetCode:
		p.newCode = r.ref()
		p.special++
		return 0
	case tagReserve:
		return p.reserve(r)
	default:
		return p.changeLibrary(r)
	}
}

// fines reports whether a list that fails costs a fine.
func (p *phase) fines() bool { return p.config.version >= 4 }

// fail ends the phase with the code of an action. What it changed is undone, but for libraries.
func (p *phase) fail(code int32, libraries *cell.Cell, inbound value) {
	p.code = code
	p.noFunds = code == 37 || code == 38
	if !p.fundamental && p.exceeds(p.state.code, p.state.data, p.state.libraries) {
		p.state.libraries = libraries
		p.code, p.exceeded = 50, true
	}
	p.collectFine()
	if p.config.version >= 14 {
		p.inbound = inbound
	}
	p.bounce = p.bounce || p.bounceOnFail
}

// collectFine takes the fine of a list that failed from the balance.
func (p *phase) collectFine() {
	if !p.fines() {
		return
	}
	if p.config.version >= 15 {
		p.fine.Add(p.fine, p.failFine)
	}
	if p.fine.Cmp(p.balance.grams) > 0 {
		p.fine.Set(p.balance.grams)
	}
	p.fees = p.fine
	p.balance.grams = new(big.Int).Sub(p.balance.grams, p.fine)
}

// finish ends the phase after all actions.
func (p *phase) finish(libraries *cell.Cell, inbound value) {
	if p.fines() {
		p.fees = new(big.Int).Add(p.fees, p.fine)
	}
	before := p.state
	if p.newCode != nil {
		p.state.code = p.newCode
	}
	p.state.data = p.data
	if !p.fundamental && p.exceeds(p.state.code, p.state.data, p.state.libraries) {
		p.state = before
		p.state.libraries = libraries
		p.code, p.exceeded = 50, true
		if p.unsent = p.config.version < 10; !p.unsent {
			p.collectFine()
		}
		if p.config.version >= 14 {
			p.inbound = inbound
		}
		return
	}
	p.code, p.arg, p.success = 0, 0, true
	p.remaining.add(p.reserved)
	p.deleted = p.deletes
	p.balance = p.remaining
}

// exceeds reports whether the state would be larger than the network allows.
func (p *phase) exceeds(code, data, libraries *cell.Cell) bool {
	old := &p.account.state
	if sameCell(code, old.code) && sameCell(data, old.data) && sameCell(libraries, old.libraries) {
		return false
	}
	masterchain := p.account.workchain == -1
	limit := p.config.limits.stateCells
	if masterchain && p.config.version >= 12 {
		limit = p.config.limits.masterchainStateCells
	}
	u := newUsage(limit)
	for _, root := range []*cell.Cell{code, data, libraries} {
		merkle, ok := u.add(root)
		if !ok || merkle > maxMerkleDepth {
			return true
		}
	}
	if u.bits > limit*1023 {
		return true
	}
	return masterchain && !sameCell(libraries, old.libraries) && publicLibraries(libraries) > p.config.limits.publicLibraries
}

func publicLibraries(root *cell.Cell) (n uint64) {
	if root == nil {
		return 0
	}
	all, err := entries(root, 256)
	if err != nil {
		return 0
	}
	for _, kv := range all {
		r := reader{s: kv.Value}
		if public, c := r.flag(), r.ref(); public && r.err == nil && bytes.Equal(c.Hash(), kv.Key.MustPreloadSlice(256)) {
			n++
		}
	}
	return n
}
