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

// transaction is what is read of the given transaction, and stands.
type transaction struct {
	head        *cell.Builder // up to now
	lt, now     uint64
	origStatus  uint64
	inMessage   *cell.Cell
	oldHash     []byte
	description *cell.Builder // up to the compute phase, without it
	compute     *cell.Builder // the compute phase
	acts        bool          // it was successful
	noState     bool          // it was skipped because there is no state, or one that cannot be used
	ordinary    bool
	storageFees *big.Int
	storageDue  *big.Int
	credit      *big.Int // nil without a credit phase
	creditExtra map[uint32]*big.Int
	creditFirst bool
	changed     bool // the status, by the storage phase
	gasFees     *big.Int
	gasUsed     uint64
	steps       uint64
}

func readTransaction(c *cell.Cell) (*transaction, error) {
	r := readerOf(c)
	t := &transaction{}
	before := r.s.Copy()
	r.bits(4)
	r.skip(256)
	t.lt = r.bits(64)
	r.skip(256)
	r.bits(64)
	t.now = r.bits(32)
	if r.err != nil {
		return nil, fmt.Errorf("transaction: %w", r.err)
	}
	t.head = r.since(before)
	r.bits(15)
	t.origStatus = r.bits(2)
	messages := r.ref()
	r.bits(2)
	r.value()
	update, description := r.ref(), r.ref()
	if r.err != nil {
		return nil, fmt.Errorf("transaction: %w", r.err)
	}
	t.inMessage = readerOf(messages).maybeRef()
	u := readerOf(update)
	u.bits(8)
	t.oldHash = u.bytes(32)
	if u.err != nil {
		return nil, fmt.Errorf("transaction: %w", u.err)
	}
	return t, t.readDescription(description)
}

func (t *transaction) readDescription(c *cell.Cell) error {
	r := readerOf(c)
	if r.err != nil {
		return fmt.Errorf("description: %w", r.err)
	}
	before := r.s.Copy()
	t.storageFees = new(big.Int)
	storage := true
	switch r.bits(4) {
	case 0:
		t.ordinary = true
		t.creditFirst, storage = r.flag(), r.flag()
	case 2, 3: // tick and tock
	default:
		return errKind
	}
	if storage {
		t.storageFees, t.storageDue = r.coins(), r.maybeCoins()
		if t.changed = r.flag(); t.changed {
			r.bits(1)
		}
	}
	if t.ordinary && r.flag() {
		r.maybeCoins()
		v, _, _ := r.value()
		t.credit, t.creditExtra = v.grams, v.extra
	}
	if r.err != nil {
		return fmt.Errorf("description: %w", r.err)
	}
	t.description, before = r.since(before), r.s.Copy()
	t.gasFees = new(big.Int)
	if !r.flag() {
		t.noState = r.bits(2) < 2
		return nil
	}
	t.acts = r.flag()
	r.bits(2) // msg_state_used, account_activated
	t.gasFees = r.coins()
	details := r.ref()
	if r.err != nil {
		return fmt.Errorf("description: %w", r.err)
	}
	t.compute = r.since(before)
	t.readDetails(readerOf(details))
	return nil
}

// readDetails reads what the compute phase took.
func (t *transaction) readDetails(r *reader) {
	used, _ := r.varUint(3)
	t.gasUsed = used.Uint64()
	r.varUint(3)
	if r.flag() {
		r.varUint(2)
	}
	r.bits(8 + 32)
	if r.flag() {
		r.bits(32)
	}
	t.steps = r.bits(32)
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
		p.special = before.workchain == -1 && config.special[[32]byte(before.id)]
		if external && !p.special {
			u := newUsage(^uint64(0))
			u.add(in.Message)
			importFee = config.prices(before.workchain == -1).ComputeForwardFee(u.cells-1, u.bits-uint64(in.Message.BitsSize()))
		}
	} else {
		p.special = before.workchain == -1 && config.special[[32]byte(before.id)]
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

// leave returns the account that the transaction leaves.
func (p *phase) leave(t *transaction, before, after *account, endLT uint64) *account {
	out := &account{workchain: before.workchain, id: before.id, lastLT: endLT, balance: p.balance, status: statusActive, state: p.state}
	out.lastPaid, out.due = after.lastPaid, after.due
	if after.status == statusNonexist {
		out.lastPaid, out.due = t.now, before.due
		if p.special {
			out.lastPaid = 0
		}
		switch {
		case t.storageDue != nil && p.config.version >= 4:
			out.due = t.storageDue
		case t.storageDue == nil && p.config.version >= 7:
			out.due = nil
		}
	}
	if p.deleted {
		out.status, out.state = statusUninit, stateInit{}
		if p.balance.isZero() {
			out.status = statusNonexist
		}
	}
	return out
}

// build makes the transaction.
func (t *transaction) build(p *phase, before, after *account, back *bounced) (*Result, error) {
	out := &Result{EndLT: t.lt + 1}
	if p.success {
		out.Messages = p.messages
	}
	fees := value{grams: new(big.Int).Add(t.storageFees, t.gasFees)}
	if t.acts && (p.success || p.fines()) {
		fees.grams.Add(fees.grams, p.fees)
	}
	if p.exceeded && p.config.version < 10 {
		fees.grams.Sub(fees.grams, p.fees)
	}
	if back != nil && !back.noFunds {
		out.Messages = append(out.Messages, back.message)
		fees.grams.Add(fees.grams, back.collected)
	}
	out.EndLT += uint64(len(out.Messages))
	account := p.leave(t, before, after, out.EndLT)
	var err error
	if out.Account, err = account.build(p.config.version, before, after); err != nil {
		return nil, err
	}
	dict := cell.NewDict(15)
	for i, message := range out.Messages {
		if err := dict.SetIntKey(big.NewInt(int64(i)), cell.BeginCell().MustStoreRef(message).EndCell()); err != nil {
			return nil, fmt.Errorf("messages: %w", err)
		}
	}
	messages := cell.BeginCell().MustStoreMaybeRef(t.inMessage)
	if len(out.Messages) > 0 {
		messages.MustStoreMaybeRef(dict.AsCell())
	} else {
		messages.MustStoreMaybeRef(nil)
	}
	b := cell.BeginCell().MustStoreBuilder(t.head).MustStoreUInt(uint64(len(out.Messages)), 15).MustStoreUInt(t.origStatus, 2).MustStoreUInt(uint64(account.status), 2).
		MustStoreRef(messages.EndCell())
	if err := fees.store(b); err != nil {
		return nil, err
	}
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(t.oldHash, 256).MustStoreSlice(out.Account.Hash(), 256)
	description := t.description
	description.MustStoreBuilder(t.compute)
	if t.acts {
		description.MustStoreBoolBit(true).MustStoreRef(p.serialize())
	} else {
		description.MustStoreBoolBit(false)
	}
	description.MustStoreBoolBit(!p.success)
	if t.ordinary {
		back.store(description)
	}
	description.MustStoreBoolBit(p.deleted)
	out.Transaction = b.MustStoreRef(update.EndCell()).MustStoreRef(description.EndCell()).EndCell()
	return out, nil
}

func storeUsage(b *cell.Builder, cells, bits uint64) {
	b.MustStoreBigVarUInt(new(big.Int).SetUint64(cells), 7).MustStoreBigVarUInt(new(big.Int).SetUint64(bits), 7)
}

// store stores Maybe TrBouncePhase.
func (f *bounced) store(b *cell.Builder) {
	switch {
	case f == nil:
		b.MustStoreBoolBit(false)
	case f.noFunds:
		b.MustStoreBoolBit(true).MustStoreUInt(1, 2)
		storeUsage(b, f.cells, f.bits)
		b.MustStoreBigCoins(f.fees)
	default:
		b.MustStoreBoolBit(true).MustStoreUInt(1, 1)
		storeUsage(b, f.cells, f.bits)
		b.MustStoreBigCoins(f.collected).MustStoreBigCoins(f.fees)
	}
}

// serialize makes TrActionPhase.
func (p *phase) serialize() *cell.Cell {
	maybe := func(b *cell.Builder, fees *big.Int) {
		if fees.Sign() == 0 {
			b.MustStoreBoolBit(false)
			return
		}
		b.MustStoreBoolBit(true).MustStoreBigCoins(fees)
	}
	b := cell.BeginCell().MustStoreBoolBit(p.success).MustStoreBoolBit(p.valid).MustStoreBoolBit(p.noFunds)
	if p.deleted {
		b.MustStoreUInt(3, 2)
	} else {
		b.MustStoreUInt(0, 1)
	}
	maybe(b, p.forward)
	maybe(b, p.fees)
	b.MustStoreInt(int64(p.code), 32)
	if p.arg != 0 {
		b.MustStoreBoolBit(true).MustStoreInt(int64(p.arg), 32)
	} else {
		b.MustStoreBoolBit(false)
	}
	for _, n := range []int{p.total, p.special_, p.skipped, len(p.messages)} {
		b.MustStoreUInt(uint64(n), 16)
	}
	b.MustStoreSlice(p.listHash, 256)
	storeUsage(b, p.cells, p.bits)
	return b.EndCell()
}
