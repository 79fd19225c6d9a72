package traces

import (
	"encoding/binary"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// TraceTable lists the columns of a trace in the order in which they are written; nodes, which lists do not need, follow.
const TraceTable = `trace_id, root_account, root_lt, external_hash, external_hash_norm, end_lt, start_utime, end_utime,
	mc_seqno_start, mc_seqno_end, transactions, messages, pending, classification`

const traceWidth = 14

// TraceColumns is the same for SELECT from traces t.
var TraceColumns = sqlbuild.Qualified("t", TraceTable)

func writeTrace(c *sqlbuild.CopyBuffer, t *chain.Trace) {
	c.Hash(&t.ID)
	c.Address(&t.Root.Account)
	c.Int8(int64(t.Root.LT))
	c.Hash(t.ExternalHash)
	c.Hash(t.ExternalHashNorm)
	c.Int8(int64(t.EndLT))
	c.Int8(int64(t.StartUtime))
	c.Int8(int64(t.EndUtime))
	c.Int8(int64(t.McSeqnoStart))
	c.Int8(int64(t.McSeqnoEnd))
	c.Int4(int32(t.Transactions))
	c.Int4(int32(t.Messages))
	c.Int4(int32(t.PendingMessages))
	c.Int2(int16(t.Classification))
}

// ScanTrace reads a row of [TraceColumns].
func ScanTrace(r *sqlbuild.Row, t *chain.Trace) {
	p := &struct{ external, norm chain.Hash }{}
	t.ID = r.Hash()
	t.Root.Account = r.Address()
	t.Root.LT = r.LT()
	t.StartLT = t.Root.LT
	t.ExternalHash = r.SetHash(&p.external)
	t.ExternalHashNorm = r.SetHash(&p.norm)
	t.EndLT = r.LT()
	t.StartUtime = r.Uint32()
	t.EndUtime = r.Uint32()
	t.McSeqnoStart = r.Uint32()
	t.McSeqnoEnd = r.Uint32()
	t.Transactions = int(r.Int4())
	t.Messages = int(r.Int4())
	t.PendingMessages = int(r.Int4())
	t.Classification = chain.ClassificationState(r.Int2())
	if t.PendingMessages > 0 {
		t.State = chain.TracePending
	}
}

// nodeSize is one key in the column nodes: the account, then the LT.
const nodeSize = chain.AddressSize + 8

func appendNode(b []byte, k chain.TransactionKey) []byte {
	b = append(b, byte(k.Account.Workchain+128))
	b = append(b, k.Account.ID[:]...)
	return binary.BigEndian.AppendUint64(b, k.LT)
}

// parseNodes reads the column nodes; ok is false when it is not one.
func parseNodes(b []byte) (keys []chain.TransactionKey, ok bool) {
	if len(b)%nodeSize != 0 {
		return nil, false
	}
	keys = make([]chain.TransactionKey, 0, len(b)/nodeSize)
	for ; len(b) > 0; b = b[nodeSize:] {
		k := chain.TransactionKey{LT: binary.BigEndian.Uint64(b[chain.AddressSize:])}
		k.Account.Workchain = int32(b[0]) - 128
		copy(k.Account.ID[:], b[1:])
		keys = append(keys, k)
	}
	return keys, true
}
