package emulate

import (
	"container/heap"
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/internal/boc"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Emulation executes messages, and the messages that they cause, on the states of a View. Each message executes on the
// account as the previous ones left it, in the order of logical time. It is not safe for concurrent use.
type Emulation struct {
	x        *Emulator
	view     *View
	limits   Limits
	accounts map[chain.Address]*emulatedAccount
	queue    messageQueue

	done []chain.FullTransaction // in the order of execution
	raw  []chain.BOC             // as bags of cells
	gas  int64                   // used by all of them
	size int                     // in bytes, as [Limits] bounds it

	decoder decode.Transactions

	maxGas       int64 // the transaction that exceeds it is the last; 0: only each transaction's own limit applies
	anySignature bool  // signature checks of the first transaction succeed
	// cells has the code and the data of the accounts before and after each transaction, by hash; nil unless they are requested.
	cells map[chain.Hash]chain.BOC
	// rejected is the first execution, if its message was not accepted.
	rejected *tvm.TransactionExecutionResult
	// stopped is the error that ended the run while messages were in flight.
	stopped error
}

// emulatedAccount is an account in an Emulation.
type emulatedAccount struct {
	*target
	at      chain.BlockID // the block after which it executes
	now     *Account      // after its last transaction
	stat    *cell.Cell    // its storage statistics, passed from one transaction to the next
	changed bool          // by a transaction of this Emulation
	created bool          // it had no code before this Emulation
}

// Limits bound an [Emulation].
type Limits struct {
	Transactions int
	// Bytes bounds the transactions, their messages and their cells in memory. The transaction that exceeds it is the last. 0: no bound.
	Bytes int
}

// NewEmulation returns an Emulation within limits on the states of a View.
func (x *Emulator) NewEmulation(v *View, limits Limits) *Emulation {
	return &Emulation{x: x, view: v, limits: limits, accounts: map[chain.Address]*emulatedAccount{}}
}

// Transactions returns the executed transactions in the order of execution. They have the View's McSeqno and the finality
// Pending.
func (e *Emulation) Transactions() []chain.FullTransaction { return e.done }

// Raw returns the executed transactions as bags of cells, in their order.
func (e *Emulation) Raw() []chain.BOC { return e.raw }

// ErrNotAccepted is the error of [Emulation.Run] when an account does not accept an external message. It is never wrapped.
var ErrNotAccepted = chain.Invalidf("the account does not accept the message")

// Run executes messages and the messages that they cause until none is in flight or a limit is reached; then the rest stays
// in flight. It fails with [ErrNotAccepted] when an account does not accept an external message. Once a transaction was
// executed, timeouts and errors caused by a message end the run without an error.
func (e *Emulation) Run(ctx context.Context, messages ...InFlight) error {
	e.queue = append(e.queue, messages...)
	heap.Init(&e.queue)
	for e.queue.Len() > 0 && len(e.done) < e.limits.Transactions && (e.maxGas == 0 || e.gas <= e.maxGas) && !e.Full() {
		m, _ := heap.Pop(&e.queue).(InFlight)
		switch err := e.deliver(ctx, m); {
		case err == nil:
		case err == ErrNotAccepted: //nolint:errorlint // never wrapped
			return err
		case len(e.done) > 0 && (ctx.Err() != nil || contract.IsFault(err) || Unexecutable(err)):
			e.stopped = err
			return nil // the transactions so far are a valid result
		default:
			return err
		}
	}
	return nil
}

// Full reports whether the transactions exceed the limit of bytes.
func (e *Emulation) Full() bool { return e.limits.Bytes > 0 && e.size > e.limits.Bytes }

// Unexecutable reports whether err is caused by the message rather than by this process.
func Unexecutable(err error) bool {
	kind := chain.KindOf(err)
	return kind == chain.Invalid || kind == chain.TooLarge
}

// deliver executes one message.
func (e *Emulation) deliver(ctx context.Context, m InFlight) error {
	if err := executable(m.Message); err != nil {
		return err
	}
	a, err := e.prepare(ctx, m)
	if err != nil {
		return err
	}
	prepared, err := tvm.PrepareMessage(m.Message)
	if err != nil {
		return &chain.Error{Kind: chain.Invalid, Message: "this is not a message that a transaction can begin with", Err: err}
	}
	res, err := e.x.emulate(ctx, a.target, prepared, &execution{stat: a.stat, anySignature: e.anySignature && len(e.done) == 0})
	if err != nil {
		return err
	}
	e.gas += res.GasUsed
	if res.TransactionCell == nil || res.NextAccount == nil {
		e.rejected = res
		return ErrNotAccepted
	}
	return e.accept(a, res, m.To)
}

// prepare returns the message's destination as its last transaction left it, or prepares it from the View.
func (e *Emulation) prepare(ctx context.Context, m InFlight) (*emulatedAccount, error) {
	if a := e.accounts[m.To]; a != nil {
		return a, nil
	}
	ec, t, err := e.x.target(ctx, e.view, &execution{account: m.To, message: m.Message})
	if err != nil {
		return nil, err
	}
	before, err := e.x.Account(ctx, e.view, m.To)
	if err != nil {
		return nil, err
	}
	a := &emulatedAccount{target: t, at: ec.at.BlockID, now: before, created: !before.Contract.Active()}
	e.accounts[m.To] = a
	return a, nil
}

// accept records a transaction and queues its messages.
func (e *Emulation) accept(a *emulatedAccount, res *tvm.TransactionExecutionResult, address chain.Address) error {
	// The messages share cells with each other and with the transaction, also after they are copied.
	cells := []*cell.Cell{res.TransactionCell}
	for i := range res.OutMessages {
		cells = append(cells, res.OutMessages[i].Cell)
	}
	cells, err := detachedAll(cells)
	if err != nil {
		return fmt.Errorf("emulated transaction of %s: %w", address, err)
	}
	single, err := e.decode(cells[0], address.Workchain)
	if err != nil {
		return err
	}
	tx := single.FullTransaction
	tx.Block = a.at
	shard := res.NextAccount.ShardAccount()
	state, err := detached(shard.Account)
	if err != nil {
		return fmt.Errorf("state of %s: %w", address, err)
	}
	after, err := openRoot(address, &chain.RawAccount{Root: state, LastTxHash: tx.Hash, LastTxLT: tx.LT})
	if err != nil {
		return err
	}
	tx.StateBefore, tx.StateAfter = e.state(a.now), e.state(after)
	a.prepared, a.stat, a.now, a.changed = res.NextAccount, res.AccountStorageStat, after, true
	e.done, e.raw = append(e.done, tx), append(e.raw, single.BOC)
	for i := range res.OutMessages {
		e.send(&res.OutMessages[i], cells[1+i])
	}
	return nil
}

// emulatedCell is what a cell of a transaction counts, in bytes. In memory it takes some four times as much, but only until its messages
// were executed.
const emulatedCell = 64

// measure adds the size of a transaction.
func (e *Emulation) measure(single *decode.Single) {
	weighed := Weighing{}
	e.size += len(single.BOC) + weighed.Transaction(&single.FullTransaction)
	if h, ok := boc.ReadHeader(single.BOC); ok {
		e.size += h.Cells * emulatedCell
	}
}

// Decode decodes the cell of an emulated transaction, which counts for the limit of bytes.
func (e *Emulation) Decode(root *cell.Cell, workchain int32) (chain.FullTransaction, error) {
	single, err := e.decode(root, workchain)
	return single.FullTransaction, err
}

func (e *Emulation) decode(root *cell.Cell, workchain int32) (decode.Single, error) {
	single, err := e.decoder.Decode(root, workchain)
	if err != nil {
		return single, fmt.Errorf("emulated transaction: %w", err)
	}
	single.McSeqno, single.Finality = e.view.Master.Seqno, chain.Pending
	if single.InMessage != nil {
		single.InMessage.Emulated = true // unless it is linked with an indexed transaction that sent it
	}
	for i := range single.OutMessages {
		single.OutMessages[i].Emulated = true
	}
	e.measure(&single)
	return single, nil
}

// state returns a state as transactions show it, without code and data, and adds these to the cells.
func (e *Emulation) state(a *Account) chain.AccountState {
	s := a.State
	s.CodeBOC, s.DataBOC = nil, nil
	if e.cells != nil {
		e.retain(a.Contract.Code)
		e.retain(a.Contract.Data)
	}
	return s
}

// retain adds the code or the data of a state to the cells, which count for the limit of bytes.
func (e *Emulation) retain(c *cell.Cell) {
	if c == nil || e.cells[chain.Hash(c.HashKey())] != nil {
		return
	}
	hash, bag := hashAndBOC(c)
	e.cells[*hash] = bag
	e.size += len(bag)
}

// send queues an internal message to a standard address and ignores any other. c is its cell.
func (e *Emulation) send(out *tvm.OutMessage, c *cell.Cell) {
	if out.Msg == nil || out.Msg.MsgType != tlb.MsgTypeInternal {
		return
	}
	if to, ok := standardAddress(out.Msg.AsInternal().DstAddr); ok {
		heap.Push(&e.queue, InFlight{LT: out.Msg.AsInternal().CreatedLT, To: to, Message: c})
	}
}

// State implements [contract.Snapshot]: it returns accounts as this Emulation left them.
func (e *Emulation) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	acc, err := e.current(ctx, a)
	if err != nil || acc == nil || !acc.Contract.Active() {
		return contract.State{}, false, err
	}
	return acc.Contract, true, e.x.fetchLibraries(ctx, e.view, acc.Contract.Code)
}

// current returns an account after its last transaction, or at the View; nil when its state cannot be determined.
func (e *Emulation) current(ctx context.Context, a chain.Address) (*Account, error) {
	if emulated := e.accounts[a]; emulated != nil {
		return emulated.now, nil
	}
	acc, err := e.x.Account(ctx, e.view, a)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		return nil, nil
	}
	return acc, err
}
