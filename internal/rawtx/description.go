package rawtx

import (
	"errors"

	"tonql/internal/chain"
)

var (
	errSkipReason  = errors.New("unknown reason of a skipped compute phase")
	errDescription = errors.New("unknown transaction description")
)

// phases is the memory of all that a description points to, so that a transaction costs one allocation for all of it.
type phases struct {
	storage   chain.StoragePhase
	due       chain.Coins
	credit    chain.CreditPhase
	creditDue chain.Coins
	compute   chain.ComputePhase
	gasCredit uint64
	exitArg   int32
	action    chain.ActionPhase
	fwdFees   chain.Coins
	fees      chain.Coins
	arg       int32
}

// describer reads one TransactionDescr.
type describer struct {
	reader
	budget *Budget
	phases *phases
}

func (r *describer) description(d *chain.TransactionDescription) {
	if r.bit() { // no constructor starts with 1
		r.fail(errDescription)
	}
	if split := r.bit(); split {
		r.splitMerge(d)
		return
	}
	if tickTock := r.bit(); tickTock { // trans_tick_tock$001
		d.Kind = chain.TickTock
		d.IsTock = r.bit()
		d.Storage = r.storagePhase()
		r.tail(d)
		return
	}
	if storage := r.bit(); storage { // trans_storage$0001
		d.Kind = chain.Storage
		d.Storage = r.storagePhase()
		return
	}
	d.CreditFirst = r.bit() // trans_ord$0000
	d.Storage = r.maybeStoragePhase()
	d.Credit = r.maybeCreditPhase()
	d.Compute = r.computePhase()
	d.Action = r.maybeActionPhase()
	d.Aborted = r.bit()
	if r.bit() {
		d.Bounce = r.bouncePhase()
	}
	d.Destroyed = r.bit()
}

// splitMerge reads the four kinds whose tag starts with 01; their sub-tag has two bits.
func (r *describer) splitMerge(d *chain.TransactionDescription) {
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
		d.Credit = r.maybeCreditPhase()
		r.tail(d)
	}
}

// tail reads what most kinds end with: compute phase, action phase, aborted, destroyed.
func (r *describer) tail(d *chain.TransactionDescription) {
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

func (r *describer) maybeStoragePhase() *chain.StoragePhase {
	if !r.bit() {
		return nil
	}
	return r.storagePhase()
}

func (r *describer) storagePhase() *chain.StoragePhase {
	p := &r.phases.storage
	p.FeesCollected = r.coins()
	p.FeesDue = r.maybeCoins(&r.phases.due)
	p.StatusChange = r.statusChange()
	return p
}

func (r *describer) maybeCreditPhase() *chain.CreditPhase {
	if !r.bit() {
		return nil
	}
	p := &r.phases.credit
	p.DueFeesCollected = r.maybeCoins(&r.phases.creditDue)
	p.Credit, p.CreditExtra = r.currencies(r.budget)
	return p
}

func (r *describer) computePhase() *chain.ComputePhase {
	p := &r.phases.compute
	if !r.bit() {
		p.Skipped, p.Reason = true, r.skipReason()
		return p
	}
	p.Success, p.MsgStateUsed, p.AccountActivated = r.bit(), r.bit(), r.bit()
	p.GasFees = r.coins()
	d := r.open()
	p.GasUsed, p.GasLimit = d.varUint(3), d.varUint(3)
	if d.bit() {
		r.phases.gasCredit = d.varUint(2)
		p.GasCredit = &r.phases.gasCredit
	}
	p.Mode = int8(d.uint(8))
	p.ExitCode, p.ExitArg = d.int32(), d.maybeInt32(&r.phases.exitArg)
	p.VMSteps = uint32(d.uint(32))
	p.VMInitStateHash, p.VMFinalStateHash = d.hash(), d.hash()
	r.fail(d.err)
	return p
}

func (r *describer) skipReason() chain.SkipReason {
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

func (r *describer) maybeActionPhase() *chain.ActionPhase {
	if !r.bit() {
		return nil
	}
	a, p := r.open(), &r.phases.action
	p.Success, p.Valid, p.NoFunds, p.StatusChange = a.bit(), a.bit(), a.bit(), a.statusChange()
	p.TotalFwdFees, p.TotalFees = a.maybeCoins(&r.phases.fwdFees), a.maybeCoins(&r.phases.fees)
	p.ResultCode, p.ResultArg = a.int32(), a.maybeInt32(&r.phases.arg)
	p.TotalActions, p.SpecActions = uint16(a.uint(16)), uint16(a.uint(16))
	p.SkippedActions, p.MsgsCreated = uint16(a.uint(16)), uint16(a.uint(16))
	p.ActionListHash, p.MsgSize = a.hash(), a.messageSize()
	r.fail(a.err)
	return p
}

func (r *reader) messageSize() chain.MessageSize {
	return chain.MessageSize{Cells: r.varUint(3), Bits: r.varUint(3)}
}

func (r *describer) bouncePhase() *chain.BouncePhase {
	if r.bit() { // tr_phase_bounce_ok$1
		return &chain.BouncePhase{Kind: chain.BounceOK, MsgSize: r.messageSize(), MsgFees: r.coins(), FwdFees: r.coins()}
	}
	if r.bit() { // tr_phase_bounce_nofunds$01
		return &chain.BouncePhase{Kind: chain.BounceNoFunds, MsgSize: r.messageSize(), ReqFwdFees: r.coins()}
	}
	return &chain.BouncePhase{Kind: chain.BounceNegFunds}
}
