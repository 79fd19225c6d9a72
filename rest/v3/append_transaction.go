package v3

import (
	"tonql/internal/chain"
	"tonql/rest/handler"
)

// appendTransaction appends a Transaction. Indexed transactions are finalized; all others are emulated.
func appendTransaction(b []byte, t *chain.FullTransaction) []byte {
	b = handler.AppendAddress(append(b, `{"account":`...), &t.Account)
	b = handler.AppendHash(append(b, `,"hash":`...), &t.Hash)
	b = handler.AppendDecimal(append(b, `,"lt":`...), t.LT)
	b = handler.AppendUint(append(b, `,"now":`...), t.Now)
	b = handler.AppendUint(append(b, `,"mc_block_seqno":`...), t.McSeqno)
	b = appendHashIf(b, `,"trace_id":`, t.TraceID)
	b = handler.AppendHash(append(b, `,"prev_trans_hash":`...), &t.PrevHash)
	b = handler.AppendDecimal(append(b, `,"prev_trans_lt":`...), t.PrevLT)
	b = append(append(b, `,"orig_status":"`...), t.OrigStatus.String()...)
	b = append(append(b, `","end_status":"`...), t.EndStatus.String()...)
	b = handler.AppendDecimal(append(b, `","total_fees":`...), t.TotalFees)
	b = appendExtra(append(b, `,"total_fees_extra_currencies":`...), t.TotalFeesExtra)
	b = appendDescription(append(b, `,"description":`...), &t.Description)
	b = appendBlockID(append(b, `,"block_ref":`...), t.Block)
	b = append(b, `,"in_msg":`...)
	if t.InMessage == nil {
		b = append(b, "null"...)
	} else {
		b = appendMessage(b, t.InMessage, chain.Both)
	}
	b = append(b, `,"out_msgs":[`...)
	for i := range t.OutMessages {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendMessage(b, &t.OutMessages[i], chain.Both)
	}
	b = appendState(append(b, `],"account_state_before":`...), &t.StateBefore, &t.StateHashBefore, t.OrigStatus)
	b = appendState(append(b, `,"account_state_after":`...), &t.StateAfter, &t.StateHashAfter, t.EndStatus)
	b = handler.AppendBool(append(b, `,"emulated":`...), t.Finality != chain.Finalized)
	b = append(append(append(b, `,"finality":"`...), t.Finality.String()...), '"')
	b = appendHashIf(b, `,"trace_external_hash":`, t.TraceExternalHash)
	return append(b, '}')
}

// appendState appends the AccountState of a transaction. If the state is not indexed, only the hash is set, unless the
// transaction's status shows that the account did not exist.
func appendState(b []byte, s *chain.AccountState, hash *chain.Hash, status chain.AccountStatus) []byte {
	b = handler.AppendHash(append(b, `{"hash":`...), hash)
	switch {
	case indexed(s):
		b = handler.AppendDecimal(append(b, `,"balance":`...), s.Balance)
		b = appendExtra(append(b, `,"extra_currencies":`...), s.Extra)
		b = append(append(b, `,"account_status":"`...), s.Status.String()...)
		b = handler.AppendHash(append(b, `","frozen_hash":`...), s.FrozenHash)
		b = handler.AppendHash(append(b, `,"data_hash":`...), s.DataHash)
		b = handler.AppendHash(append(b, `,"code_hash":`...), s.CodeHash)
	case status == chain.Nonexist:
		b = append(b, `,"balance":"0","extra_currencies":{},"account_status":"nonexist",`+
			`"frozen_hash":null,"data_hash":null,"code_hash":null`...)
	default:
		b = append(b, `,"balance":null,"extra_currencies":{},"account_status":null,`+
			`"frozen_hash":null,"data_hash":null,"code_hash":null`...)
	}
	return append(b, '}')
}

// indexed reports whether s is an indexed state and not just a hash: every stored account uses some bits.
func indexed(s *chain.AccountState) bool {
	return s.LT != 0 || s.UsedBits != 0 || s.Balance != 0
}
