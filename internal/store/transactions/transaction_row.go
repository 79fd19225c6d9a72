package transactions

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// ownTransactionTable lists the columns that come from the transaction itself, in the order of [WriteTransaction].
const ownTransactionTable = `account, lt, hash, mc_seqno, shard, block_seqno, prev_lt, prev_hash, now, orig_status, end_status,
	total_fees, total_fees_extra, state_hash_before, state_hash_after, in_msg_account, in_msg_lt, out_msg_count,
	verification, kind, credit_first, is_tock, aborted, destroyed, installed, ` + phaseColumns

const phaseColumns = `storage_fees, storage_fees_due, storage_status_change,
	credit, credit_extra, credit_due_fees,
	compute_skipped, compute_reason, compute_success, compute_state_used, compute_activated, gas_fees, gas_used, gas_limit,
	gas_credit, compute_mode, exit_code, exit_arg, vm_steps, vm_init_hash, vm_final_hash,
	action_success, action_valid, action_no_funds, action_status_change, action_fwd_fees, action_fees, action_result,
	action_arg, action_total, action_special, action_skipped, action_messages, action_list_hash, action_cells, action_bits,
	bounce_kind, bounce_cells, bounce_bits, bounce_req_fwd_fees, bounce_msg_fees, bounce_fwd_fees, split`

// describedColumns are those that a raw transaction makes unnecessary.
const describedColumns = `prev_lt, prev_hash, orig_status, end_status, total_fees, total_fees_extra,
	state_hash_before, state_hash_after, kind, credit_first, is_tock, destroyed, installed, ` + phaseColumns

// TransactionTable lists the columns of a transaction in the order of [WriteTransaction], without its raw form.
const TransactionTable = ownTransactionTable + `, trace_id, trace_external_hash`

// TransactionColumns are the columns of a row for SELECT from transactions t: those that all rows have, the states around it, the raw
// transaction, and the columns that it makes unnecessary. One of the last two is NULL.
var TransactionColumns = `t.account, t.lt, t.hash, t.mc_seqno, t.shard, t.block_seqno, t.in_msg_account, t.in_msg_lt, t.verification,
	t.now, t.out_msg_count, t.aborted, t.trace_id, t.trace_external_hash, t.states, CASE WHEN t.prev_hash IS NULL THEN t.boc END,
	CASE WHEN t.prev_hash IS NOT NULL THEN ROW(` + sqlbuild.Qualified("t", describedColumns) + `) END`

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

	phaseWidth       = storageColumns + creditColumns + computeColumns + actionColumns + bounceColumns + splitColumns
	transactionWidth = plainColumns + phaseWidth + labelColumns
)

// WrittenTransactionTable lists the columns of [WriteTransaction].
const WrittenTransactionTable = TransactionTable + `, states, boc`

// WriteTransaction writes a transaction; trace is nil for a transaction without a trace, states come from [EncodeStates], boc is
// compressed or empty. described is whether the columns that the raw transaction makes unnecessary are written; they must be if it
// cannot be read.
func WriteTransaction(c *sqlbuild.CopyBuffer, t *chain.Transaction, trace *chain.Trace, states, boc []byte, described bool) {
	c.Row(transactionWidth + 2)
	writeOwn(c, t, described)
	if trace == nil {
		c.Nulls(labelColumns)
	} else {
		c.Hash(&trace.ID)
		c.Hash(trace.ExternalHash)
	}
	writeOptional(c, states)
	writeOptional(c, boc)
}

// writeOptional writes NULL for an empty value.
func writeOptional(c *sqlbuild.CopyBuffer, b []byte) {
	if len(b) == 0 {
		c.Null()
		return
	}
	c.Bytes(b)
}

// WriteDescribed writes all columns of a transaction: with its trace a row of [TransactionTable], without a row of
// [ownTransactionTable].
func WriteDescribed(c *sqlbuild.CopyBuffer, t *chain.Transaction, trace bool) {
	if !trace {
		c.Row(transactionWidth - labelColumns)
		writeOwn(c, t, true)
		return
	}
	c.Row(transactionWidth)
	writeOwn(c, t, true)
	c.Hash(t.TraceID)
	c.Hash(t.TraceExternalHash)
}

func writeOwn(c *sqlbuild.CopyBuffer, t *chain.Transaction, described bool) {
	c.Address(&t.Account)
	c.Int8(int64(t.LT))
	c.Hash(&t.Hash)
	c.Int8(int64(t.McSeqno))
	c.Int8(int64(t.Block.Shard))
	c.Int8(int64(t.Block.Seqno))
	if described {
		c.Int8(int64(t.PrevLT))
		c.Hash(&t.PrevHash)
	} else {
		c.Nulls(2)
	}
	c.Int8(int64(t.Now))
	if described {
		writeSummary(c, t)
	} else {
		c.Nulls(summaryColumns)
	}
	if t.InMsg == nil {
		c.Nulls(2)
	} else {
		c.Address(&t.InMsg.Account)
		c.Int8(int64(t.InMsg.LT))
	}
	c.Int2(int16(t.OutMsgCount))
	c.Int2(int16(t.Verification))
	writeDescription(c, &t.Description, described)
}

const summaryColumns = 6

func writeSummary(c *sqlbuild.CopyBuffer, t *chain.Transaction) {
	c.Int2(int16(t.OrigStatus))
	c.Int2(int16(t.EndStatus))
	c.Int8(int64(t.TotalFees))
	c.Currencies(t.TotalFeesExtra)
	c.Hash(&t.StateHashBefore)
	c.Hash(&t.StateHashAfter)
}

// writeDescription writes the columns of a description; those that statements use are written in any case.
func writeDescription(c *sqlbuild.CopyBuffer, d *chain.TransactionDescription, described bool) {
	if !described {
		c.Nulls(3)
		c.Bool(d.Aborted)
		c.Nulls(2 + phaseWidth)
		return
	}
	c.Int2(int16(d.Kind))
	c.Bool(d.CreditFirst)
	c.Bool(d.IsTock)
	c.Bool(d.Aborted)
	c.Bool(d.Destroyed)
	c.Bool(d.Installed)
	writeStoragePhase(c, d.Storage)
	writeCreditPhase(c, d.Credit)
	writeComputePhase(c, d.Compute)
	writeActionPhase(c, d.Action)
	writeBouncePhase(c, d.Bounce)
	writeSplitInfo(c, d.Split)
}

func writeStoragePhase(c *sqlbuild.CopyBuffer, p *chain.StoragePhase) {
	if p == nil {
		c.Nulls(storageColumns)
		return
	}
	c.Int8(int64(p.FeesCollected))
	sqlbuild.Optional(c, p.FeesDue)
	c.Int2(int16(p.StatusChange))
}

func writeCreditPhase(c *sqlbuild.CopyBuffer, p *chain.CreditPhase) {
	if p == nil {
		c.Nulls(creditColumns)
		return
	}
	c.Int8(int64(p.Credit))
	c.Currencies(p.CreditExtra)
	sqlbuild.Optional(c, p.DueFeesCollected)
}

func writeComputePhase(c *sqlbuild.CopyBuffer, p *chain.ComputePhase) {
	switch {
	case p == nil:
		c.Nulls(computeColumns)
	case p.Skipped:
		c.Bool(true)
		c.Int2(int16(p.Reason))
		c.Nulls(computeColumns - 2)
	default:
		c.Bool(false)
		c.Null()
		c.Bool(p.Success)
		c.Bool(p.MsgStateUsed)
		c.Bool(p.AccountActivated)
		c.Int8(int64(p.GasFees))
		c.Int8(int64(p.GasUsed))
		c.Int8(int64(p.GasLimit))
		sqlbuild.Optional(c, p.GasCredit)
		c.Int2(int16(p.Mode))
		c.Int4(p.ExitCode)
		c.OptionalInt4(p.ExitArg)
		c.Int8(int64(p.VMSteps))
		c.HashUnlessZero(&p.VMInitStateHash)
		c.HashUnlessZero(&p.VMFinalStateHash)
	}
}

func writeActionPhase(c *sqlbuild.CopyBuffer, p *chain.ActionPhase) {
	if p == nil {
		c.Nulls(actionColumns)
		return
	}
	c.Bool(p.Success)
	c.Bool(p.Valid)
	c.Bool(p.NoFunds)
	c.Int2(int16(p.StatusChange))
	sqlbuild.Optional(c, p.TotalFwdFees)
	sqlbuild.Optional(c, p.TotalFees)
	c.Int4(p.ResultCode)
	c.OptionalInt4(p.ResultArg)
	c.Int4(int32(p.TotalActions))
	c.Int4(int32(p.SpecActions))
	c.Int4(int32(p.SkippedActions))
	c.Int4(int32(p.MsgsCreated))
	c.Hash(&p.ActionListHash)
	c.Int8(int64(p.MsgSize.Cells))
	c.Int8(int64(p.MsgSize.Bits))
}

func writeBouncePhase(c *sqlbuild.CopyBuffer, p *chain.BouncePhase) {
	if p == nil {
		c.Nulls(bounceColumns)
		return
	}
	c.Int2(int16(p.Kind))
	c.Int8(int64(p.MsgSize.Cells))
	c.Int8(int64(p.MsgSize.Bits))
	c.Int8(int64(p.ReqFwdFees))
	c.Int8(int64(p.MsgFees))
	c.Int8(int64(p.FwdFees))
}

func writeSplitInfo(c *sqlbuild.CopyBuffer, s *chain.SplitInfo) {
	if s == nil {
		c.Null()
		return
	}
	c.Sized(func() {
		c.B = append(c.B, s.CurShardPfxLen, s.AccSplitDepth)
		c.B = append(c.B, s.ThisAddr[:]...)
		c.B = append(c.B, s.SiblingAddr[:]...)
	})
}

// labels is the memory of all that a row points to besides the phases.
type labels struct {
	inMsg           chain.MessageKey
	trace, external chain.Hash
}

// phases is the memory of all that a description points to, so that a row costs one allocation for all of it.
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

// scanTransaction reads a row of [TransactionColumns]. It returns the states around it, and the raw transaction, compressed, if the
// other fields are in there; both are valid until the next row.
func scanTransaction(r *sqlbuild.Row, t *chain.Transaction) (states, boc []byte) {
	p := &labels{}
	t.Account = r.Address()
	t.LT = r.LT()
	t.Hash = r.Hash()
	t.McSeqno = r.Uint32()
	t.Block = chain.BlockID{Workchain: t.Account.Workchain, Shard: chain.Shard(r.Int8()), Seqno: r.Uint32()}
	inMsg := r.SetAddress(&p.inMsg.Account)
	p.inMsg.LT = uint64(r.Int8OrZero())
	if inMsg != nil {
		t.InMsg = &p.inMsg
	}
	t.Verification = chain.Verification(r.Uint8())
	t.Now = r.Uint32()
	t.OutMsgCount = uint16(r.Int2())
	t.Description.Aborted = r.Bool()
	t.TraceID = r.SetHash(&p.trace)
	t.TraceExternalHash = r.SetHash(&p.external)
	states, boc = r.Next(), r.Next()
	if described := r.Record(); described != nil {
		scanDescribed(described, t)
		if described.Err != nil || len(described.Columns) > 0 {
			r.Err = sqlbuild.ErrRow
		}
	} else if boc == nil {
		r.Err = sqlbuild.ErrRow
	}
	return states, boc
}

// scanDescribed reads the columns that rows without a readable raw transaction have.
func scanDescribed(r *sqlbuild.Row, t *chain.Transaction) {
	p, d := &phases{}, &t.Description
	t.PrevLT = r.LT()
	t.PrevHash = r.Hash()
	t.OrigStatus = chain.AccountStatus(r.Uint8())
	t.EndStatus = chain.AccountStatus(r.Uint8())
	t.TotalFees = chain.Coins(r.Int8())
	t.TotalFeesExtra = r.Currencies()
	t.StateHashBefore = r.Hash()
	t.StateHashAfter = r.Hash()
	d.Kind = chain.TransactionKind(r.Uint8())
	d.CreditFirst = r.Bool()
	d.IsTock = r.Bool()
	d.Destroyed = r.Bool()
	d.Installed = r.Bool()
	d.Storage = scanStorage(r, p)
	d.Credit = scanCredit(r, p)
	d.Compute = scanCompute(r, p)
	d.Action = scanAction(r, p)
	d.Bounce = scanBounce(r)
	d.Split = scanSplit(r)
}

func scanStorage(r *sqlbuild.Row, p *phases) *chain.StoragePhase {
	if !r.Present(2) {
		r.Skip(storageColumns)
		return nil
	}
	s := &p.storage
	s.FeesCollected = chain.Coins(r.Int8())
	s.FeesDue = sqlbuild.SetInt8(r, &p.due)
	s.StatusChange = chain.StatusChange(r.Uint8())
	return s
}

func scanCredit(r *sqlbuild.Row, p *phases) *chain.CreditPhase {
	if !r.Present(0) {
		r.Skip(creditColumns)
		return nil
	}
	c := &p.credit
	c.Credit = chain.Coins(r.Int8())
	c.CreditExtra = r.Currencies()
	c.DueFeesCollected = sqlbuild.SetInt8(r, &p.creditDue)
	return c
}

func scanCompute(r *sqlbuild.Row, p *phases) *chain.ComputePhase {
	if !r.Present(0) {
		r.Skip(computeColumns)
		return nil
	}
	c := &p.compute
	if c.Skipped = r.Bool(); c.Skipped {
		c.Reason = chain.SkipReason(r.Int2OrZero())
		r.Skip(computeColumns - 2)
		return c
	}
	r.Skip(1)
	c.Success = r.Bool()
	c.MsgStateUsed = r.Bool()
	c.AccountActivated = r.Bool()
	c.GasFees = chain.Coins(r.Int8())
	c.GasUsed = uint64(r.Int8())
	c.GasLimit = uint64(r.Int8())
	c.GasCredit = sqlbuild.SetInt8(r, &p.gasCredit)
	c.Mode = r.SmallInt8()
	c.ExitCode = r.Int4()
	c.ExitArg = r.SetInt4(&p.exitArg)
	c.VMSteps = r.Uint32()
	c.VMInitStateHash = r.HashOrZero()
	c.VMFinalStateHash = r.HashOrZero()
	return c
}

func scanAction(r *sqlbuild.Row, p *phases) *chain.ActionPhase {
	if !r.Present(0) {
		r.Skip(actionColumns)
		return nil
	}
	a := &p.action
	a.Success = r.Bool()
	a.Valid = r.Bool()
	a.NoFunds = r.Bool()
	a.StatusChange = chain.StatusChange(r.Uint8())
	a.TotalFwdFees = sqlbuild.SetInt8(r, &p.fwdFees)
	a.TotalFees = sqlbuild.SetInt8(r, &p.fees)
	a.ResultCode = r.Int4()
	a.ResultArg = r.SetInt4(&p.arg)
	a.TotalActions = r.Uint16()
	a.SpecActions = r.Uint16()
	a.SkippedActions = r.Uint16()
	a.MsgsCreated = r.Uint16()
	a.ActionListHash = r.Hash()
	a.MsgSize = chain.MessageSize{Cells: uint64(r.Int8()), Bits: uint64(r.Int8())}
	return a
}

func scanBounce(r *sqlbuild.Row) *chain.BouncePhase {
	if !r.Present(0) {
		r.Skip(bounceColumns)
		return nil
	}
	return &chain.BouncePhase{
		Kind:       chain.BounceKind(r.Uint8()),
		MsgSize:    chain.MessageSize{Cells: uint64(r.Int8()), Bits: uint64(r.Int8())},
		ReqFwdFees: chain.Coins(r.Int8()),
		MsgFees:    chain.Coins(r.Int8()),
		FwdFees:    chain.Coins(r.Int8()),
	}
}

func scanSplit(r *sqlbuild.Row) *chain.SplitInfo {
	if !r.Present(0) {
		r.Skip(splitColumns)
		return nil
	}
	const size = 2 + 32 + 32
	b := r.Next()
	if len(b) != size {
		r.Err = sqlbuild.ErrRow
		return nil
	}
	return &chain.SplitInfo{
		CurShardPfxLen: b[0], AccSplitDepth: b[1],
		ThisAddr: chain.HashFrom(b[2:34]), SiblingAddr: chain.HashFrom(b[34:size]),
	}
}
