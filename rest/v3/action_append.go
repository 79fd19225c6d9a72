package v3

import (
	"bytes"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// appendActionMembers appends an Action without its closing brace, so that lists can add members.
func appendActionMembers(b []byte, a *chain.Action) []byte {
	b = handler.AppendHash(append(b, `{"trace_id":`...), &a.TraceID)
	b = handler.AppendHash(append(b, `,"action_id":`...), &a.ID)
	b = handler.AppendDecimal(append(b, `,"start_lt":`...), a.StartLT)
	b = handler.AppendDecimal(append(b, `,"end_lt":`...), a.EndLT)
	b = handler.AppendUint(append(b, `,"start_utime":`...), a.StartUtime)
	b = handler.AppendUint(append(b, `,"end_utime":`...), a.EndUtime)
	b = handler.AppendDecimal(append(b, `,"trace_end_lt":`...), a.TraceEndLT)
	b = handler.AppendUint(append(b, `,"trace_end_utime":`...), a.TraceEndUtime)
	b = handler.AppendUint(append(b, `,"trace_mc_seqno_end":`...), a.TraceMcSeqnoEnd)
	b = append(b, `,"transactions":[`...)
	for i := range a.TxHashes {
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendHash(b, &a.TxHashes[i])
	}
	b = handler.AppendBool(append(b, `],"success":`...), a.Success)
	b = handler.AppendString(append(b, `,"type":`...), a.ShownType())
	b = append(append(b, `,"details":`...), a.Details...)
	b = appendRawAction(b, a)
	b = append(append(b, `,"finality":"`...), a.Finality.String()...)
	b = append(b, '"')
	b = appendHashIf(b, `,"trace_external_hash":`, a.TraceExternalHash)
	return appendHashIf(b, `,"trace_external_hash_norm":`, a.TraceExternalHashNorm)
}

// appendRawAction appends the stored row of an action whose type has no details.
func appendRawAction(b []byte, a *chain.Action) []byte {
	if !bytes.HasPrefix(a.Details, []byte(`{"error":`)) {
		return b
	}
	b = handler.AppendHash(append(b, `,"raw_action":{"TraceId":`...), &a.TraceID)
	b = handler.AppendHash(append(b, `,"ActionId":`...), &a.ID)
	b = handler.AppendHash(append(b, `,"ParentActionId":`...), a.ParentID)
	b = handler.AppendString(append(b, `,"Type":`...), a.Type)
	b = handler.AppendBool(append(b, `,"Success":`...), a.Success)
	b = handler.AppendUint(append(b, `,"StartLt":`...), a.StartLT)
	b = handler.AppendUint(append(b, `,"EndLt":`...), a.EndLT)
	b = handler.AppendUint(append(b, `,"StartUtime":`...), a.StartUtime)
	b = handler.AppendUint(append(b, `,"EndUtime":`...), a.EndUtime)
	b = append(b, `,"Opcode":`...)
	if a.Opcode == nil {
		b = append(b, "null"...)
	} else {
		b = handler.AppendUint(b, *a.Opcode)
	}
	b = appendStrings(append(b, `,"AncestorType":`...), a.Ancestors)
	return append(appendAddresses(append(b, `,"Accounts":`...), a.Accounts), '}')
}

func appendTransactionList(b []byte, txs []*chain.FullTransaction) []byte {
	b = append(b, '[')
	for i, tx := range txs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendTransaction(b, tx)
	}
	return append(b, ']')
}
