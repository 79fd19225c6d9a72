package resolvers

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// world is the chain as it would go on from a view: messages are executed in the order of logical time, each on the account
// as the ones before left it. It is for one goroutine.
type world struct {
	*executor
	view  *view
	most  int // transactions
	lanes map[chain.Address]*fate
	queue flights

	done []chain.FullTransaction // in the order of execution
	raw  []*cell.Cell            // their cells
	gas  int64                   // that they used

	maxGas       int64 // the transaction that exceeds it is the last; 0: no bound but that of each transaction
	anySignature bool  // the first transaction takes every signature for good
	// refused is the first execution, of a message that was not accepted.
	refused *tvm.TransactionExecutionResult
	// stopped is what ended the run while messages were in flight.
	stopped error
}

// fate is an account in a world.
type fate struct {
	*lane
	at    chain.BlockID // the block after which it runs
	now   *actor        // as the last transaction left it
	stat  *cell.Cell    // statistics of its storage, from one transaction to the next
	tried bool          // changed by a transaction of this world
	fresh bool          // without code before this world
}

// flight is a message on its way.
type flight struct {
	lt      uint64 // of its creation; 0 for an external one
	to      chain.Address
	message *cell.Cell
}

// flights is a heap by logical time, then destination.
type flights []flight

func (f flights) Len() int { return len(f) }
func (f flights) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(f[i].lt, f[j].lt), f[i].to.Compare(f[j].to)) < 0
}
func (f flights) Swap(i, j int) { f[i], f[j] = f[j], f[i] }

// Push implements heap.Interface.
func (f *flights) Push(v any) {
	if m, ok := v.(flight); ok {
		*f = append(*f, m)
	}
}

// Pop implements heap.Interface.
func (f *flights) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

func (x *executor) newWorld(v *view, most int) *world {
	return &world{executor: x, view: v, most: most, lanes: map[chain.Address]*fate{}}
}

// errUnaccepted says that an account does not take an external message.
var errUnaccepted = chain.Invalidf("the account does not accept the message")

// run executes messages and what they cause, until none is in flight or the bounds are met; then the rest stays in flight. An
// external message that is not accepted is errUnaccepted.
func (w *world) run(ctx context.Context, begin ...flight) error {
	w.queue = append(w.queue, begin...)
	heap.Init(&w.queue)
	for w.queue.Len() > 0 && len(w.done) < w.most && (w.maxGas == 0 || w.gas <= w.maxGas) {
		m, _ := heap.Pop(&w.queue).(flight)
		switch err := w.deliver(ctx, m); {
		case err == nil:
		case err == errUnaccepted: //nolint:errorlint // never wrapped
			return err
		case len(w.done) > 0 && (ctx.Err() != nil || contract.IsFault(err) || unexecuted(err)):
			w.stopped = err
			return nil // what is known so far is worth showing
		default:
			return err
		}
	}
	return nil
}

// unexecuted reports whether err is about the message rather than about us.
func unexecuted(err error) bool {
	kind := chain.KindOf(err)
	return kind == chain.Invalid || kind == chain.TooLarge
}

// deliver executes one message.
func (w *world) deliver(ctx context.Context, m flight) error {
	if err := executable(m.message); err != nil {
		return err
	}
	f, err := w.fate(ctx, m)
	if err != nil {
		return err
	}
	prepared, err := tvm.PrepareMessage(m.message)
	if err != nil {
		return &chain.Error{Kind: chain.Invalid, Message: "this is not a message that a transaction can begin with", Err: err}
	}
	res, err := w.emulate(ctx, f.lane, prepared, &trial{stat: f.stat, anySignature: w.anySignature && len(w.done) == 0})
	if err != nil {
		return err
	}
	w.gas += res.GasUsed
	if res.TransactionCell == nil || res.NextAccount == nil {
		w.refused = res
		return errUnaccepted
	}
	return w.accept(f, res, m.to)
}

// fate prepares an account, or takes it as it was left.
func (w *world) fate(ctx context.Context, m flight) (*fate, error) {
	if f := w.lanes[m.to]; f != nil {
		return f, nil
	}
	sc, l, err := w.lane(ctx, w.view, &trial{account: m.to, message: m.message})
	if err != nil {
		return nil, err
	}
	before, err := w.account(ctx, w.view, m.to)
	if err != nil {
		return nil, err
	}
	f := &fate{lane: l, at: sc.at.BlockID, now: before, fresh: !before.state.Active()}
	w.lanes[m.to] = f
	return f, nil
}

// accept makes a row of a transaction and lets its messages go.
func (w *world) accept(f *fate, res *tvm.TransactionExecutionResult, account chain.Address) error {
	root, err := detached(res.TransactionCell)
	if err != nil {
		return fmt.Errorf("emulated transaction of %s: %w", account, err)
	}
	tx, err := w.read(root, account.Workchain)
	if err != nil {
		return err
	}
	tx.Block = f.at
	shard := res.NextAccount.ShardAccount()
	state, err := detached(shard.Account)
	if err != nil {
		return fmt.Errorf("state of %s: %w", account, err)
	}
	after, err := openRoot(account, &chain.RawAccount{Root: state, LastTxHash: tx.Hash, LastTxLT: tx.LT})
	if err != nil {
		return err
	}
	tx.StateBefore, tx.StateAfter = bare(&f.now.row), bare(&after.row)
	f.prepared, f.stat, f.now, f.tried = res.NextAccount, res.AccountStorageStat, after, true
	w.done, w.raw = append(w.done, tx), append(w.raw, root)
	for i := range res.OutMessages {
		if err := w.send(&res.OutMessages[i]); err != nil {
			return fmt.Errorf("message of %s: %w", account, err)
		}
	}
	return nil
}

// read makes the row of a foretold transaction.
func (w *world) read(root *cell.Cell, workchain int32) (chain.FullTransaction, error) {
	single, err := decode.Transaction(root, workchain)
	if err != nil {
		return chain.FullTransaction{}, fmt.Errorf("emulated transaction: %w", err)
	}
	tx := single.FullTransaction
	tx.McSeqno, tx.Finality = w.view.master.Seqno, chain.Pending
	return tx, nil
}

// bare is a state without its cells, as transactions show it.
func bare(row *chain.AccountState) chain.AccountState {
	s := *row
	s.CodeBOC, s.DataBOC = nil, nil
	return s
}

// send lets a message go that an account receives.
func (w *world) send(out *tvm.OutMessage) error {
	if out.Msg == nil || out.Msg.MsgType != tlb.MsgTypeInternal {
		return nil
	}
	to, ok := standardAddress(out.Msg.AsInternal().DstAddr)
	if !ok {
		return nil
	}
	message, err := detached(out.Cell)
	if err != nil {
		return err
	}
	heap.Push(&w.queue, flight{lt: out.Msg.AsInternal().CreatedLT, to: to, message: message})
	return nil
}

// State implements [contract.Snapshot]: accounts as this world left them.
func (w *world) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	acc, err := w.actor(ctx, a)
	if err != nil || acc == nil || !acc.state.Active() {
		return contract.State{}, false, err
	}
	return acc.state, true, w.fetchLibraries(ctx, w.view, acc.state.Code)
}

func (w *world) actor(ctx context.Context, a chain.Address) (*actor, error) {
	if f := w.lanes[a]; f != nil {
		return f.now, nil
	}
	acc, err := w.account(ctx, w.view, a)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		return nil, nil
	}
	return acc, err
}
