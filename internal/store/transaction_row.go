package store

import (
	"strings"

	"tonql/internal/chain"
)

// transactionTable lists the columns of a transaction in the order in which they are written and read.
const transactionTable = ownTransactionTable + `, trace_id, trace_external_hash`

// ownTransactionTable are those that the transaction itself says.
const ownTransactionTable = `account, lt, hash, mc_seqno, shard, block_seqno, prev_lt, prev_hash, now, orig_status, end_status,
	total_fees, total_fees_extra, state_hash_before, state_hash_after, in_msg_account, in_msg_lt, out_msg_count,
	verification, kind, credit_first, is_tock, aborted, destroyed, installed,
	storage_fees, storage_fees_due, storage_status_change,
	credit, credit_extra, credit_due_fees,
	compute_skipped, compute_reason, compute_success, compute_state_used, compute_activated, gas_fees, gas_used, gas_limit,
	gas_credit, compute_mode, exit_code, exit_arg, vm_steps, vm_init_hash, vm_final_hash,
	action_success, action_valid, action_no_funds, action_status_change, action_fwd_fees, action_fees, action_result,
	action_arg, action_total, action_special, action_skipped, action_messages, action_list_hash, action_cells, action_bits,
	bounce_kind, bounce_cells, bounce_bits, bounce_req_fwd_fees, bounce_msg_fees, bounce_fwd_fees, split`

// transactionColumns is the same for SELECT from transactions t.
var transactionColumns = qualified("t", transactionTable)

// qualified puts alias in front of each column.
func qualified(alias, columns string) string {
	names := strings.Fields(strings.ReplaceAll(columns, ",", " "))
	return alias + "." + strings.Join(names, ", "+alias+".")
}

// Columns of the parts of a description.
const (
	storageColumns = 3
	creditColumns  = 3
	computeColumns = 15
	actionColumns  = 15
	bounceColumns  = 6
	splitColumns   = 1
	labelColumns   = 2
	plainColumns   = 25 // up to installed

	transactionWidth = plainColumns + storageColumns + creditColumns + computeColumns + actionColumns + bounceColumns + splitColumns +
		labelColumns
)

// writeTransaction writes a transaction; a is its trace, nil while that is not known.
func writeTransaction(c *copyBuffer, t *chain.Transaction, a *assembly) {
	d := &t.Description
	c.row(transactionWidth)
	c.address(&t.Account)
	c.int8(int64(t.LT))
	c.hash(&t.Hash)
	c.int8(int64(t.McSeqno))
	c.int8(int64(t.Block.Shard))
	c.int8(int64(t.Block.Seqno))
	c.int8(int64(t.PrevLT))
	c.hash(&t.PrevHash)
	c.int8(int64(t.Now))
	c.int2(int16(t.OrigStatus))
	c.int2(int16(t.EndStatus))
	c.int8(int64(t.TotalFees))
	c.currencies(t.TotalFeesExtra)
	c.hash(&t.StateHashBefore)
	c.hash(&t.StateHashAfter)
	if t.InMsg == nil {
		c.nulls(2)
	} else {
		c.address(&t.InMsg.Account)
		c.int8(int64(t.InMsg.LT))
	}
	c.int2(int16(t.OutMsgCount))
	c.int2(int16(t.Verification))
	c.int2(int16(d.Kind))
	c.bool(d.CreditFirst)
	c.bool(d.IsTock)
	c.bool(d.Aborted)
	c.bool(d.Destroyed)
	c.bool(d.Installed)
	writeStoragePhase(c, d.Storage)
	writeCreditPhase(c, d.Credit)
	writeComputePhase(c, d.Compute)
	writeActionPhase(c, d.Action)
	writeBouncePhase(c, d.Bounce)
	writeSplitInfo(c, d.Split)
	if a == nil {
		c.nulls(labelColumns)
		return
	}
	c.hash(&a.ID)
	c.hash(a.ExternalHash)
}

func writeStoragePhase(c *copyBuffer, p *chain.StoragePhase) {
	if p == nil {
		c.nulls(storageColumns)
		return
	}
	c.int8(int64(p.FeesCollected))
	optional(c, p.FeesDue)
	c.int2(int16(p.StatusChange))
}

func writeCreditPhase(c *copyBuffer, p *chain.CreditPhase) {
	if p == nil {
		c.nulls(creditColumns)
		return
	}
	c.int8(int64(p.Credit))
	c.currencies(p.CreditExtra)
	optional(c, p.DueFeesCollected)
}

func writeComputePhase(c *copyBuffer, p *chain.ComputePhase) {
	switch {
	case p == nil:
		c.nulls(computeColumns)
	case p.Skipped:
		c.bool(true)
		c.int2(int16(p.Reason))
		c.nulls(computeColumns - 2)
	default:
		c.bool(false)
		c.null()
		c.bool(p.Success)
		c.bool(p.MsgStateUsed)
		c.bool(p.AccountActivated)
		c.int8(int64(p.GasFees))
		c.int8(int64(p.GasUsed))
		c.int8(int64(p.GasLimit))
		optional(c, p.GasCredit)
		c.int2(int16(p.Mode))
		c.int4(p.ExitCode)
		c.optionalInt4(p.ExitArg)
		c.int8(int64(p.VMSteps))
		c.hashUnlessZero(&p.VMInitStateHash)
		c.hashUnlessZero(&p.VMFinalStateHash)
	}
}

func writeActionPhase(c *copyBuffer, p *chain.ActionPhase) {
	if p == nil {
		c.nulls(actionColumns)
		return
	}
	c.bool(p.Success)
	c.bool(p.Valid)
	c.bool(p.NoFunds)
	c.int2(int16(p.StatusChange))
	optional(c, p.TotalFwdFees)
	optional(c, p.TotalFees)
	c.int4(p.ResultCode)
	c.optionalInt4(p.ResultArg)
	c.int4(int32(p.TotalActions))
	c.int4(int32(p.SpecActions))
	c.int4(int32(p.SkippedActions))
	c.int4(int32(p.MsgsCreated))
	c.hash(&p.ActionListHash)
	c.int8(int64(p.MsgSize.Cells))
	c.int8(int64(p.MsgSize.Bits))
}

func writeBouncePhase(c *copyBuffer, p *chain.BouncePhase) {
	if p == nil {
		c.nulls(bounceColumns)
		return
	}
	c.int2(int16(p.Kind))
	c.int8(int64(p.MsgSize.Cells))
	c.int8(int64(p.MsgSize.Bits))
	c.int8(int64(p.ReqFwdFees))
	c.int8(int64(p.MsgFees))
	c.int8(int64(p.FwdFees))
}

func writeSplitInfo(c *copyBuffer, s *chain.SplitInfo) {
	if s == nil {
		c.null()
		return
	}
	c.sized(func() {
		c.b = append(c.b, s.CurShardPfxLen, s.AccSplitDepth)
		c.b = append(c.b, s.ThisAddr[:]...)
		c.b = append(c.b, s.SiblingAddr[:]...)
	})
}

// phases is the memory of whatever a description points to, so that a row costs one allocation for all of it.
type phases struct {
	inMsg     chain.MessageKey
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
	trace     chain.Hash
	external  chain.Hash
}

func scanTransaction(r *row, t *chain.Transaction) {
	p := &phases{}
	d := &t.Description
	t.Account = r.address()
	t.LT = r.lt()
	t.Hash = r.hash()
	t.McSeqno = r.u32()
	t.Block = chain.BlockID{Workchain: t.Account.Workchain, Shard: chain.Shard(r.int8()), Seqno: r.u32()}
	t.PrevLT = r.lt()
	t.PrevHash = r.hash()
	t.Now = r.u32()
	t.OrigStatus = chain.AccountStatus(r.int2())
	t.EndStatus = chain.AccountStatus(r.int2())
	t.TotalFees = chain.Coins(r.int8())
	t.TotalFeesExtra = r.currencies()
	t.StateHashBefore = r.hash()
	t.StateHashAfter = r.hash()
	inMsg := r.setAddress(&p.inMsg.Account)
	p.inMsg.LT = uint64(r.int8OrZero())
	if inMsg != nil {
		t.InMsg = &p.inMsg
	}
	t.OutMsgCount = uint16(r.int2())
	t.Verification = chain.Verification(r.int2())
	d.Kind = chain.TransactionKind(r.int2())
	d.CreditFirst = r.bool()
	d.IsTock = r.bool()
	d.Aborted = r.bool()
	d.Destroyed = r.bool()
	d.Installed = r.bool()
	d.Storage = scanStorage(r, p)
	d.Credit = scanCredit(r, p)
	d.Compute = scanCompute(r, p)
	d.Action = scanAction(r, p)
	d.Bounce = scanBounce(r)
	d.Split = scanSplit(r)
	t.TraceID = r.setHash(&p.trace)
	t.TraceExternalHash = r.setHash(&p.external)
}

func scanStorage(r *row, p *phases) *chain.StoragePhase {
	if !r.present(2) {
		r.skip(storageColumns)
		return nil
	}
	s := &p.storage
	s.FeesCollected = chain.Coins(r.int8())
	s.FeesDue = setInt8(r, &p.due)
	s.StatusChange = chain.StatusChange(r.int2())
	return s
}

func scanCredit(r *row, p *phases) *chain.CreditPhase {
	if !r.present(0) {
		r.skip(creditColumns)
		return nil
	}
	c := &p.credit
	c.Credit = chain.Coins(r.int8())
	c.CreditExtra = r.currencies()
	c.DueFeesCollected = setInt8(r, &p.creditDue)
	return c
}

func scanCompute(r *row, p *phases) *chain.ComputePhase {
	if !r.present(0) {
		r.skip(computeColumns)
		return nil
	}
	c := &p.compute
	if c.Skipped = r.bool(); c.Skipped {
		c.Reason = chain.SkipReason(r.int2OrZero())
		r.skip(computeColumns - 2)
		return c
	}
	r.skip(1)
	c.Success = r.bool()
	c.MsgStateUsed = r.bool()
	c.AccountActivated = r.bool()
	c.GasFees = chain.Coins(r.int8())
	c.GasUsed = uint64(r.int8())
	c.GasLimit = uint64(r.int8())
	c.GasCredit = setInt8(r, &p.gasCredit)
	c.Mode = int8(r.int2())
	c.ExitCode = r.int4()
	c.ExitArg = r.setInt4(&p.exitArg)
	c.VMSteps = r.u32()
	c.VMInitStateHash = r.hashOrZero()
	c.VMFinalStateHash = r.hashOrZero()
	return c
}

func scanAction(r *row, p *phases) *chain.ActionPhase {
	if !r.present(0) {
		r.skip(actionColumns)
		return nil
	}
	a := &p.action
	a.Success = r.bool()
	a.Valid = r.bool()
	a.NoFunds = r.bool()
	a.StatusChange = chain.StatusChange(r.int2())
	a.TotalFwdFees = setInt8(r, &p.fwdFees)
	a.TotalFees = setInt8(r, &p.fees)
	a.ResultCode = r.int4()
	a.ResultArg = r.setInt4(&p.arg)
	a.TotalActions = uint16(r.int4())
	a.SpecActions = uint16(r.int4())
	a.SkippedActions = uint16(r.int4())
	a.MsgsCreated = uint16(r.int4())
	a.ActionListHash = r.hash()
	a.MsgSize = chain.MessageSize{Cells: uint64(r.int8()), Bits: uint64(r.int8())}
	return a
}

func scanBounce(r *row) *chain.BouncePhase {
	if !r.present(0) {
		r.skip(bounceColumns)
		return nil
	}
	return &chain.BouncePhase{
		Kind:       chain.BounceKind(r.int2()),
		MsgSize:    chain.MessageSize{Cells: uint64(r.int8()), Bits: uint64(r.int8())},
		ReqFwdFees: chain.Coins(r.int8()),
		MsgFees:    chain.Coins(r.int8()),
		FwdFees:    chain.Coins(r.int8()),
	}
}

func scanSplit(r *row) *chain.SplitInfo {
	if !r.present(0) {
		r.skip(splitColumns)
		return nil
	}
	const size = 2 + 32 + 32
	b := r.next()
	if len(b) != size {
		r.err = errRow
		return nil
	}
	return &chain.SplitInfo{
		CurShardPfxLen: b[0], AccSplitDepth: b[1],
		ThisAddr: chain.HashFrom(b[2:34]), SiblingAddr: chain.HashFrom(b[34:size]),
	}
}
