package decode

import (
	"errors"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

var errSkipReason = errors.New("unknown reason of a skipped compute phase")

// description reads TransactionDescr.
func description(c *cell.Cell, b *budget) (chain.TransactionDescription, error) {
	r := open(c)
	var d chain.TransactionDescription
	if r.bit() { // no constructor starts with 1
		r.fail(errors.New("unknown transaction description"))
	}
	if split := r.bit(); split {
		r.splitMerge(&d, b)
		return d, r.err
	}
	if tickTock := r.bit(); tickTock { // trans_tick_tock$001
		d.Kind = chain.TickTock
		d.IsTock = r.bit()
		d.Storage = r.storagePhase()
		r.tail(&d)
		return d, r.err
	}
	if storage := r.bit(); storage { // trans_storage$0001
		d.Kind = chain.Storage
		d.Storage = r.storagePhase()
		return d, r.err
	}
	d.CreditFirst = r.bit() // trans_ord$0000
	d.Storage = r.maybeStoragePhase()
	d.Credit = r.maybeCreditPhase(b)
	d.Compute = r.computePhase()
	d.Action = r.maybeActionPhase()
	d.Aborted = r.bit()
	if r.bit() {
		d.Bounce = r.bouncePhase()
	}
	d.Destroyed = r.bit()
	return d, r.err
}

// splitMerge reads the four kinds whose tag starts with 01; their sub-tag has two bits.
func (r *reader) splitMerge(d *chain.TransactionDescription, b *budget) {
	kind := [...]chain.TransactionKind{chain.SplitPrepare, chain.SplitInstall, chain.MergePrepare, chain.MergeInstall}
	d.Kind = kind[r.uint(2)]
	d.Split = &chain.SplitInfo{
		CurShardPfxLen: uint8(r.uint(6)),
		AccSplitDepth:  uint8(r.uint(6)),
		ThisAddr:       r.hash(),
		SiblingAddr:    r.hash(),
	}
	switch d.Kind {
	case chain.SplitPrepare:
		d.Storage = r.maybeStoragePhase()
		r.tail(d)
	case chain.SplitInstall:
		r.ref() // the preparing transaction, indexed on its own account
		d.Installed = r.bit()
	case chain.MergePrepare:
		d.Storage = r.storagePhase()
		d.Aborted = r.bit()
	default:
		r.ref()
		d.Storage = r.maybeStoragePhase()
		d.Credit = r.maybeCreditPhase(b)
		r.tail(d)
	}
}

// tail reads what most kinds end with: compute phase, action phase, aborted, destroyed.
func (r *reader) tail(d *chain.TransactionDescription) {
	d.Compute = r.computePhase()
	d.Action = r.maybeActionPhase()
	d.Aborted = r.bit()
	d.Destroyed = r.bit()
}

func (r *reader) statusChange() chain.StatusChange {
	switch {
	case !r.bit():
		return chain.StatusUnchanged
	case r.bit():
		return chain.StatusDeleted
	default:
		return chain.StatusFrozen
	}
}

func (r *reader) maybeStoragePhase() *chain.StoragePhase {
	if !r.bit() {
		return nil
	}
	return r.storagePhase()
}

func (r *reader) storagePhase() *chain.StoragePhase {
	return &chain.StoragePhase{FeesCollected: r.coins(), FeesDue: r.maybeCoins(), StatusChange: r.statusChange()}
}

func (r *reader) maybeCreditPhase(b *budget) *chain.CreditPhase {
	if !r.bit() {
		return nil
	}
	p := &chain.CreditPhase{DueFeesCollected: r.maybeCoins()}
	p.Credit, p.CreditExtra = r.currencies(b)
	return p
}

func (r *reader) computePhase() *chain.ComputePhase {
	p := &chain.ComputePhase{}
	if !r.bit() {
		p.Skipped, p.Reason = true, r.skipReason()
		return p
	}
	p.Success, p.MsgStateUsed, p.AccountActivated = r.bit(), r.bit(), r.bit()
	p.GasFees = r.coins()
	d := open(r.ref())
	p.GasUsed, p.GasLimit = d.varUint(3), d.varUint(3)
	if d.bit() {
		credit := d.varUint(2)
		p.GasCredit = &credit
	}
	p.Mode = int8(d.uint(8))
	p.ExitCode, p.ExitArg = d.int32(), d.maybeInt32()
	p.VMSteps = uint32(d.uint(32))
	p.VMInitStateHash, p.VMFinalStateHash = d.hash(), d.hash()
	r.fail(d.err)
	return p
}

func (r *reader) skipReason() chain.SkipReason {
	switch r.uint(2) {
	case 0b00:
		return chain.SkipNoState
	case 0b01:
		return chain.SkipBadState
	case 0b10:
		return chain.SkipNoGas
	default: // cskip_suspended$110
		if r.bit() {
			r.fail(errSkipReason)
		}
		return chain.SkipSuspended
	}
}

func (r *reader) maybeActionPhase() *chain.ActionPhase {
	if !r.bit() {
		return nil
	}
	a := open(r.ref())
	p := &chain.ActionPhase{
		Success: a.bit(), Valid: a.bit(), NoFunds: a.bit(), StatusChange: a.statusChange(),
		TotalFwdFees: a.maybeCoins(), TotalFees: a.maybeCoins(),
		ResultCode: a.int32(), ResultArg: a.maybeInt32(),
		TotalActions: uint16(a.uint(16)), SpecActions: uint16(a.uint(16)),
		SkippedActions: uint16(a.uint(16)), MsgsCreated: uint16(a.uint(16)),
		ActionListHash: a.hash(), MsgSize: a.messageSize(),
	}
	r.fail(a.err)
	return p
}

func (r *reader) messageSize() chain.MessageSize {
	return chain.MessageSize{Cells: r.varUint(3), Bits: r.varUint(3)}
}

func (r *reader) bouncePhase() *chain.BouncePhase {
	if r.bit() { // tr_phase_bounce_ok$1
		return &chain.BouncePhase{Kind: chain.BounceOK, MsgSize: r.messageSize(), MsgFees: r.coins(), FwdFees: r.coins()}
	}
	if r.bit() { // tr_phase_bounce_nofunds$01
		return &chain.BouncePhase{Kind: chain.BounceNoFunds, MsgSize: r.messageSize(), ReqFwdFees: r.coins()}
	}
	return &chain.BouncePhase{Kind: chain.BounceNegFunds}
}
