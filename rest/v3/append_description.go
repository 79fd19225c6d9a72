package v3

import (
	"encoding/hex"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// appendDescription appends a TransactionDescr. Members that do not apply to the transaction type are omitted.
func appendDescription(b []byte, d *chain.TransactionDescription) []byte {
	b = append(append(append(b, `{"type":"`...), d.Kind.String()...), '"')
	if d.Kind != chain.SplitInstall {
		b = handler.AppendBool(append(b, `,"aborted":`...), d.Aborted)
		if d.Kind != chain.MergePrepare {
			b = handler.AppendBool(append(b, `,"destroyed":`...), d.Destroyed)
		}
	}
	switch d.Kind {
	case chain.Ordinary:
		b = handler.AppendBool(append(b, `,"credit_first":`...), d.CreditFirst)
	case chain.TickTock:
		b = handler.AppendBool(append(b, `,"is_tock":`...), d.IsTock)
	case chain.SplitInstall, chain.MergeInstall:
		b = handler.AppendBool(append(b, `,"installed":`...), d.Installed)
	case chain.Storage, chain.SplitPrepare, chain.MergePrepare:
	}
	b = appendStoragePhase(b, d.Storage)
	b = appendCreditPhase(b, d.Credit)
	b = appendComputePhase(b, d.Compute)
	b = appendActionPhase(b, d.Action)
	b = appendBouncePhase(b, d.Bounce)
	if s := d.Split; s != nil {
		b = handler.AppendUint(append(b, `,"split_info":{"cur_shard_pfx_len":`...), s.CurShardPfxLen)
		b = handler.AppendUint(append(b, `,"acc_split_depth":`...), s.AccSplitDepth)
		b = appendID(append(b, `,"this_addr":"`...), s.ThisAddr)
		b = appendID(append(b, `","sibling_addr":"`...), s.SiblingAddr)
		b = append(b, `"}`...)
	}
	return append(b, '}')
}

// appendID appends an account id in upper-case hex, without quotes.
func appendID(b []byte, id chain.Hash) []byte {
	at := len(b)
	b = hex.AppendEncode(b, id[:])
	for i := at; i < len(b); i++ {
		if b[i] >= 'a' {
			b[i] &^= 0x20
		}
	}
	return b
}

func appendStoragePhase(b []byte, p *chain.StoragePhase) []byte {
	if p == nil {
		return b
	}
	b = handler.AppendDecimal(append(b, `,"storage_ph":{"storage_fees_collected":`...), p.FeesCollected)
	b = appendDecimalIf(b, `,"storage_fees_due":`, p.FeesDue)
	b = append(append(b, `,"status_change":"`...), p.StatusChange.String()...)
	return append(b, `"}`...)
}

func appendCreditPhase(b []byte, p *chain.CreditPhase) []byte {
	if p == nil {
		return b
	}
	b = handler.AppendDecimal(append(b, `,"credit_ph":{"credit":`...), p.Credit)
	b = appendDecimalIf(b, `,"due_fees_collected":`, p.DueFeesCollected)
	if len(p.CreditExtra) > 0 {
		b = appendExtra(append(b, `,"credit_extra_currencies":`...), p.CreditExtra)
	}
	return append(b, '}')
}

func appendComputePhase(b []byte, p *chain.ComputePhase) []byte {
	if p == nil {
		return b
	}
	if p.Skipped {
		b = append(append(b, `,"compute_ph":{"skipped":true,"reason":"`...), p.Reason.String()...)
		return append(b, `"}`...)
	}
	b = handler.AppendBool(append(b, `,"compute_ph":{"skipped":false,"success":`...), p.Success)
	b = handler.AppendBool(append(b, `,"msg_state_used":`...), p.MsgStateUsed)
	b = handler.AppendBool(append(b, `,"account_activated":`...), p.AccountActivated)
	b = handler.AppendDecimal(append(b, `,"gas_fees":`...), p.GasFees)
	b = handler.AppendDecimal(append(b, `,"gas_used":`...), p.GasUsed)
	b = handler.AppendDecimal(append(b, `,"gas_limit":`...), p.GasLimit)
	b = appendDecimalIf(b, `,"gas_credit":`, p.GasCredit)
	b = handler.AppendInt(append(b, `,"mode":`...), p.Mode)
	b = handler.AppendInt(append(b, `,"exit_code":`...), p.ExitCode)
	if p.ExitArg != nil {
		b = handler.AppendInt(append(b, `,"exit_arg":`...), *p.ExitArg)
	}
	b = handler.AppendUint(append(b, `,"vm_steps":`...), p.VMSteps)
	b = handler.AppendHash(append(b, `,"vm_init_state_hash":`...), &p.VMInitStateHash)
	b = handler.AppendHash(append(b, `,"vm_final_state_hash":`...), &p.VMFinalStateHash)
	return append(b, '}')
}

func appendActionPhase(b []byte, p *chain.ActionPhase) []byte {
	if p == nil {
		return b
	}
	b = handler.AppendBool(append(b, `,"action":{"success":`...), p.Success)
	b = handler.AppendBool(append(b, `,"valid":`...), p.Valid)
	b = handler.AppendBool(append(b, `,"no_funds":`...), p.NoFunds)
	b = append(append(b, `,"status_change":"`...), p.StatusChange.String()...)
	b = append(b, '"')
	b = appendDecimalIf(b, `,"total_fwd_fees":`, p.TotalFwdFees)
	b = appendDecimalIf(b, `,"total_action_fees":`, p.TotalFees)
	b = handler.AppendInt(append(b, `,"result_code":`...), p.ResultCode)
	if p.ResultArg != nil {
		b = handler.AppendInt(append(b, `,"result_arg":`...), *p.ResultArg)
	}
	b = handler.AppendUint(append(b, `,"tot_actions":`...), p.TotalActions)
	b = handler.AppendUint(append(b, `,"spec_actions":`...), p.SpecActions)
	b = handler.AppendUint(append(b, `,"skipped_actions":`...), p.SkippedActions)
	b = handler.AppendUint(append(b, `,"msgs_created":`...), p.MsgsCreated)
	b = handler.AppendHash(append(b, `,"action_list_hash":`...), &p.ActionListHash)
	b = appendSize(append(b, `,"tot_msg_size":`...), p.MsgSize)
	return append(b, '}')
}

func appendBouncePhase(b []byte, p *chain.BouncePhase) []byte {
	if p == nil {
		return b
	}
	b = append(append(append(b, `,"bounce":{"type":"`...), p.Kind.String()...), '"')
	switch p.Kind {
	case chain.BounceNoFunds:
		b = appendSize(append(b, `,"msg_size":`...), p.MsgSize)
		b = handler.AppendDecimal(append(b, `,"req_fwd_fees":`...), p.ReqFwdFees)
	case chain.BounceOK:
		b = appendSize(append(b, `,"msg_size":`...), p.MsgSize)
		b = handler.AppendDecimal(append(b, `,"msg_fees":`...), p.MsgFees)
		b = handler.AppendDecimal(append(b, `,"fwd_fees":`...), p.FwdFees)
	case chain.BounceNegFunds:
	}
	return append(b, '}')
}

func appendSize(b []byte, s chain.MessageSize) []byte {
	b = handler.AppendDecimal(append(b, `{"cells":`...), s.Cells)
	b = handler.AppendDecimal(append(b, `,"bits":`...), s.Bits)
	return append(b, '}')
}

func appendDecimalIf[T ~uint64](b []byte, name string, v *T) []byte {
	if v == nil {
		return b
	}
	return handler.AppendDecimal(append(b, name...), *v)
}
