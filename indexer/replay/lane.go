package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// lane is the transactions of one account in one masterchain block, executed one after the other.
type lane struct {
	r        *Replayer
	m        *decode.Master
	contexts []*blockContext
	account  chain.Address

	state   *state     // before the next step; nil when it is missing
	cold    *coldState // of the cache, until the lane resumes
	base    *decode.State
	why     string              // why state is nil
	overrun *boundedvm.Exceeded // the budget that an earlier transaction of the block exceeded, so that state is nil
	refused bool                // the block's accounts are too large together: no state of this one is fetched
	steps   []step
	fetched int // number of states fetched from the network

	cellsLeft int // of the account that its transactions may walk
}

// step is one transaction and its outcome.
type step struct {
	index        int // into Transactions
	verification chain.Verification
	why          string        // proven: why it was not executed; old rules: the rule
	newer        string        // the rule of a new global version that the execution may lack
	after        *decode.State // nil when it is missing
	mismatch     *chain.ReplayMismatch
	unverified   *chain.UnverifiedTransaction
}

func (l *lane) tx(i int) *chain.Transaction { return &l.m.Transactions[l.steps[i].index] }

func (l *lane) context(i int) *blockContext { return l.contexts[l.m.BlockOf[l.steps[i].index]] }

// resume uses the cached state. It reports false when the first transaction does not start from it.
func (l *lane) resume() bool {
	s := l.state
	if l.cold != nil {
		s, _ = l.cold.thaw() // nil with an error
		l.cold = nil
	}
	l.state = nil
	if s != nil && s.startsAt(l.tx(0)) {
		l.state = repack(l.account, s)
	}
	return l.state != nil
}

// fetchBase fetches the state before the first transaction of the lane. This state becomes a row, too: it is the state of
// the account before the index.
func (l *lane) fetchBase(ctx context.Context) error {
	at := parentOf(l.context(0).header, l.account)
	l.fetched++
	s, why, err := l.r.fetch(ctx, at, l.account)
	if err != nil {
		return err
	}
	l.state, l.why = s, why
	if s == nil {
		return nil
	}
	if s.hash != l.tx(0).StateHashBefore {
		l.state, l.why = nil, "the proven state before the transaction is not the one it names"
		return nil
	}
	row, err := decode.Account(l.account, s.last, s.root())
	if err == nil && row.Row.Status != chain.Nonexist {
		l.base = &row
	}
	return nil
}

// run executes the lane. It returns errors of the network only.
func (l *lane) run(ctx context.Context) error {
	for i := range l.steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.enter(ctx, i); err != nil {
			return err
		}
		if err := l.step(ctx, i); err != nil {
			return err
		}
	}
	return l.finish(ctx)
}

// enter prepares the state for a step in another block than the previous step.
func (l *lane) enter(ctx context.Context, i int) error {
	if i == 0 || l.refused || l.context(i) == l.context(i-1) {
		return nil
	}
	if l.state != nil {
		return l.forget()
	}
	// The state is missing since an earlier block: fetch the one of the chain.
	l.fetched++
	s, why, err := l.r.fetch(ctx, parentOf(l.context(i).header, l.account), l.account)
	if err != nil {
		return err
	}
	if s != nil && !s.startsAt(l.tx(i)) {
		s, why = nil, "the proven state before the transaction is not the one it names"
	}
	l.state, l.why, l.overrun = s, why, nil
	if s != nil {
		l.describe(i-1, s)
	}
	return nil
}

// forget resets the state of a deleted account: the next block starts as if it had never existed.
func (l *lane) forget() (err error) {
	if l.state.hash == noAccountHash && l.state.last.LT != 0 {
		l.state, err = newState(l.account, nil, chain.TransactionRef{})
	}
	return err
}

var noAccountHash = chain.Hash(decode.NoAccount.HashKey())

// step executes one transaction and compares the result with the chain.
func (l *lane) step(ctx context.Context, i int) error {
	s, bc := &l.steps[i], l.context(i)
	switch {
	case bc.why != "":
		return l.leave(s, bc.why)
	case l.overrun != nil:
		return l.exceed(i, l.overrun)
	case l.state == nil:
		return l.leave(s, l.why)
	case !executable(l.tx(i).Description.Kind):
		return l.leave(s, "transactions of this kind are not executed: "+l.tx(i).Description.Kind.String())
	}
	if exceeded := bounded(l.state.prepared, l.m.Cells[s.index].InMsg); exceeded != nil {
		return l.exceed(i, exceeded)
	}
	if exceeded := l.countState(); exceeded != nil {
		return l.exceed(i, exceeded)
	}
	next, diff, err := l.execute(ctx, i, bc)
	lacking := false
	if err == nil && diff != nil {
		var other *blockContext
		if other, lacking, err = l.secondTry(ctx, i); err == nil && other != nil {
			next, diff, err = l.execute(ctx, i, other)
		}
	}
	var exceeded *boundedvm.Exceeded
	if errors.As(err, &exceeded) {
		return l.exceed(i, exceeded)
	}
	if err != nil {
		return err
	}
	if diff != nil && lacking {
		return l.exceed(i, errLibraries)
	}
	if diff != nil && s.newer != "" {
		return l.leave(s, s.newer)
	}
	if diff != nil && s.why != "" {
		l.leaveOld(s)
		return nil
	}
	if diff != nil {
		if why := l.doubt(i, bc); why != "" {
			return l.leave(s, why)
		}
	}
	if diff != nil {
		return l.differ(i, next, diff)
	}
	s.verification, s.why = chain.Replayed, ""
	l.state = next
	l.describe(i, next)
	return nil
}

// differ records a mismatch.
func (l *lane) differ(i int, next *state, diff *chain.ReplayMismatch) error {
	s := &l.steps[i]
	s.verification, s.mismatch = chain.Mismatch, diff
	if next == nil || diff.GotState == nil || *diff.GotState != l.tx(i).StateHashAfter {
		l.state, l.why = nil, "an earlier transaction of the account in the same block did not replay"
		return nil
	}
	// Only the transaction differs; the new state equals that of the chain, so execution continues from it.
	next.last = chain.TransactionRef{LT: l.tx(i).LT, Hash: l.tx(i).Hash}
	next, err := newState(l.account, next.root(), next.last)
	if err != nil {
		l.state, l.why = nil, err.Error()
		return nil
	}
	l.state = next
	l.describe(i, next)
	return nil
}

// exceed records that the transaction exceeded its budget. The state after it is missing, so the later transactions of the
// account in the block cannot be executed either and are recorded as unverified, too.
func (l *lane) exceed(i int, why *boundedvm.Exceeded) error {
	s, tx := &l.steps[i], l.tx(i)
	s.verification = chain.Unverified
	s.unverified = &chain.UnverifiedTransaction{
		TransactionKey: tx.Key(), McSeqno: tx.McSeqno, Hash: tx.Hash, Reason: why.Resource, Limit: why.Limit,
	}
	l.state, l.overrun = nil, why
	l.why = "an earlier transaction of the account in the same block exceeded its budget"
	return nil
}

// leave leaves a transaction proven and not executed.
func (l *lane) leave(s *step, why string) error {
	s.why = why
	l.state, l.why = nil, why
	return nil
}

// leaveOld leaves a transaction that execution could not reproduce because a rule is missing: it is no mismatch.
func (l *lane) leaveOld(s *step) {
	s.verification = chain.OldRules
	l.state, l.why = nil, "an earlier transaction of the account in the same block was made by old rules"
}

// bounded returns the limit that the TVM would exceed with an account and a message, or nil. The TVM reads dictionaries of
// the account and of the message header entry by entry, and walks the message as a tree, where the network counts distinct
// cells. A tick-tock transaction has no message.
func bounded(account *tvm.PreparedAccount, message *cell.Cell) *boundedvm.Exceeded {
	err := cellgraph.CheckAccount(account.State())
	if err == nil {
		err = cellgraph.CheckMessage(message)
	}
	if err != nil {
		return &boundedvm.Exceeded{Resource: "cells", Limit: fmt.Sprintf("%d entries of a dictionary", cellgraph.MaxMessageEntries)}
	}
	if cellgraph.Check(message, cellgraph.MaxVisits) != nil {
		return &boundedvm.Exceeded{Resource: "cells", Limit: fmt.Sprintf("%d visits of a message's cells", cellgraph.MaxVisits)}
	}
	return nil
}

func executable(k chain.TransactionKind) bool { return k == chain.Ordinary || k == chain.TickTock }

// describe records the state after step i as a row.
func (l *lane) describe(i int, s *state) {
	tx := l.tx(i)
	row, err := decode.Account(l.account, chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}, s.root())
	if err == nil {
		l.steps[i].after = &row
	}
}

// execute runs the TVM within the budget of a transaction, by each of the rules that the block may have been made with,
// until one of them gives the transaction. A different result, a refused message or a panic is a mismatch, by the first of
// the rules; next is then the state that execution produced, or nil. The error is non-nil when the budget or the context
// ended an execution that does not match. The step's why is then the first old rule that the execution needed and lacked.
func (l *lane) execute(ctx context.Context, i int, bc *blockContext) (next *state, diff *chain.ReplayMismatch, err error) {
	l.steps[i].why, l.steps[i].newer = "", ""
	for n, rules := range bc.rules() {
		state, d, lacks, err := l.executeBy(ctx, i, bc, rules)
		if d == nil || err != nil {
			return state, d, err
		}
		if lacks != "" {
			l.steps[i].why = lacks
		}
		if n == 0 {
			next, diff = state, d
		}
	}
	return next, diff, nil
}

func (l *lane) executeBy(ctx context.Context, i int, bc *blockContext, rules rules) (next *state, diff *chain.ReplayMismatch, lacks string, err error) {
	run := boundedvm.Start(ctx, boundedvm.Limits{Time: l.r.opts.Time, Memory: l.r.opts.Memory})
	defer run.Close()
	next, diff, lacks = l.attempt(i, bc, run, rules)
	if diff == nil {
		return next, nil, "", nil
	}
	if why := run.Inexact(); why != "" && !bc.reportsSoftware() {
		lacks = why
	}
	return next, diff, lacks, run.Err()
}

func (l *lane) attempt(i int, bc *blockContext, run *boundedvm.Run, rules rules) (next *state, diff *chain.ReplayMismatch, lacks string) {
	tx, cells := l.tx(i), l.m.Cells[l.steps[i].index]
	diff = &chain.ReplayMismatch{TransactionKey: tx.Key(), McSeqno: tx.McSeqno, Hash: tx.Hash}
	defer func() {
		if p := recover(); p != nil {
			next, diff.Reason = nil, fmt.Sprintf("execution panicked: %v", p)
		}
	}()
	run.ShowExtra(actionphase.Credited(l.state.prepared, cells.InMsg))
	opts := tvm.TransactionOptions{LogicalTime: int64(tx.LT), AccountStorageStat: l.state.stat}
	emulate := func(exec *tvm.BlockContext) (*tvm.TransactionExecutionResult, error) {
		if cells.InMsg == nil {
			return rules.machine().EmulateTickTockTransaction(exec, l.state.prepared, tx.Description.IsTock, opts)
		}
		msg, err := tvm.PrepareMessage(cells.InMsg)
		if err != nil {
			return nil, err
		}
		return rules.machine().EmulateTransaction(exec, l.state.prepared, msg, opts)
	}
	exec, err := bc.within(run, bc.config.PreparedBlockchainConfig)
	var res *tvm.TransactionExecutionResult
	if err == nil {
		res, err = emulate(exec)
	}
	if err != nil {
		l.steps[i].newer = bc.config.lacksNew(nil)
		diff.Reason = "execution failed: " + err.Error()
		return nil, diff, ""
	}
	if res == nil || res.TransactionCell == nil || res.NextAccount == nil {
		l.steps[i].newer = bc.config.lacksNew(nil)
		diff.Reason = "the external message was not accepted"
		return nil, diff, ""
	}
	next, other := l.compare(tx, res, diff)
	if other == nil {
		return next, nil, ""
	}
	if corrected := l.correct(bc, cells.InMsg, res); corrected != res {
		res = corrected
		next, other = l.compare(tx, res, diff)
	}
	if other != nil {
		l.steps[i].newer = bc.config.lacksNew(res)
	}
	return next, other, ""
}

// correct makes what follows the compute phase of a transaction again, by the rules that the library lacks. It costs as much as the library's
// own, so only a transaction that differs from the chain is corrected.
func (l *lane) correct(bc *blockContext, message *cell.Cell, res *tvm.TransactionExecutionResult) *tvm.TransactionExecutionResult {
	config, err := bc.config.actions()
	if err != nil {
		return res
	}
	corrected, err := actionphase.Correct(config, l.state.prepared, stdAddress(l.account), message, res)
	if err != nil {
		return res
	}
	return corrected
}

// compare compares an execution with the chain. A nil mismatch means that they are equal.
func (l *lane) compare(tx *chain.Transaction, res *tvm.TransactionExecutionResult, diff *chain.ReplayMismatch) (*state, *chain.ReplayMismatch) {
	next := l.nextState(tx, res)
	got := chain.Hash(res.TransactionCell.HashKey())
	if got == tx.Hash && next.hash == tx.StateHashAfter {
		return next, nil
	}
	gotState := next.hash
	diff.Got, diff.GotState = &got, &gotState
	diff.Reason = differs(tx, res, gotState)
	return next, diff
}

// nextState is the account after an execution.
func (l *lane) nextState(tx *chain.Transaction, res *tvm.TransactionExecutionResult) *state {
	next := &state{prepared: res.NextAccount, hash: chain.Hash(res.NextAccount.ShardAccount().Account.HashKey()), last: chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}}
	next.stat, next.code, next.data, next.uses = res.AccountStorageStat, l.state.code, l.state.data, l.state.uses
	return next
}

// differs describes how the two transactions differ.
func differs(tx *chain.Transaction, res *tvm.TransactionExecutionResult, gotState chain.Hash) string {
	reason := "the transaction hash differs"
	if gotState != tx.StateHashAfter {
		reason = "the transaction hash and the new state hash differ"
	}
	parsed, err := res.ParseTransaction()
	if err != nil || tx.Description.Compute == nil || tx.Description.Compute.Skipped {
		return reason
	}
	c := tx.Description.Compute
	if ours, ok := computeOf(parsed); ok {
		reason += fmt.Sprintf("; exit code %d on the chain, %d here; gas %d and %d; steps %d and %d",
			c.ExitCode, ours.ExitCode, c.GasUsed, ours.GasUsed, c.VMSteps, ours.VMSteps)
	}
	return reason
}

func computeOf(tx *tlb.Transaction) (tlb.ComputePhaseVMDetails, bool) {
	var phase any
	switch d := tx.Description.(type) {
	case tlb.TransactionDescriptionOrdinary:
		phase = d.ComputePhase.Phase
	case tlb.TransactionDescriptionTickTock:
		phase = d.ComputePhase.Phase
	}
	vm, ok := phase.(tlb.ComputePhaseVM)
	return vm.Details, ok
}

// finish fetches the state after the lane when execution did not produce it.
func (l *lane) finish(ctx context.Context) error {
	if l.state != nil {
		return l.forget()
	}
	if l.refused {
		return nil
	}
	last := len(l.steps) - 1
	l.fetched++
	s, _, err := l.r.fetch(ctx, l.context(last).header.Block.BlockIDExt, l.account)
	if err != nil || s == nil {
		return err
	}
	if s.hash != l.tx(last).StateHashAfter {
		return nil // not the chain's state after this transaction: nothing to continue from
	}
	l.state = s
	l.describe(last, s)
	return nil
}
