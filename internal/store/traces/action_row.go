package traces

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// ActionTable lists the columns of an action in the order in which they are written and read.
const ActionTable = `trace_id, action_id, type, success, start_lt, end_lt, start_utime, end_utime, mc_seqno_end,
	trace_end_lt, trace_end_utime, opcode, parent_id, tx_hashes, accounts, ancestors, details_packed, details_json`

const (
	actionWidth = 18
	// digestedWidth is that of an action in digests, which have its details in one column.
	digestedWidth = actionWidth - 1
)

// ownActionColumns is the same for SELECT from actions a.
var ownActionColumns = sqlbuild.Qualified("a", ActionTable)

// actionRowColumns adds what its trace t says.
var actionRowColumns = ownActionColumns + `, t.mc_seqno_end, t.external_hash, t.external_hash_norm`

func writeAction(c *sqlbuild.CopyBuffer, a *chain.Action, details *DetailStep) {
	c.Row(actionWidth)
	c.Hash(&a.TraceID)
	c.Hash(&a.ID)
	c.Text(a.Type)
	c.Bool(a.Success)
	c.Int8(int64(a.StartLT))
	c.Int8(int64(a.EndLT))
	c.Int8(int64(a.StartUtime))
	c.Int8(int64(a.EndUtime))
	c.Int8(int64(a.McSeqnoEnd))
	c.Int8(int64(a.TraceEndLT))
	c.Int8(int64(a.TraceEndUtime))
	sqlbuild.Optional(c, a.Opcode)
	c.Hash(a.ParentID)
	c.Sized(func() {
		for i := range a.TxHashes {
			c.B = append(c.B, a.TxHashes[i][:]...)
		}
	})
	c.Addresses(a.Accounts)
	if a.Ancestors == nil {
		c.Texts([]string{})
	} else {
		c.Texts(a.Ancestors)
	}
	details.write(c, a)
}

// scanActionRow reads a row of [actionRowColumns]. packed are its packed details, valid until the next row, nil if it has others.
func scanActionRow(r *sqlbuild.Row, a *chain.Action) (packed []byte) {
	p := &struct {
		parent, external, norm chain.Hash
		opcode                 uint32
	}{}
	a.TraceID = r.Hash()
	a.ID = r.Hash()
	a.Type = r.Text()
	a.Success = r.Bool()
	a.StartLT = r.LT()
	a.EndLT = r.LT()
	a.StartUtime = r.Uint32()
	a.EndUtime = r.Uint32()
	a.McSeqnoEnd = r.Uint32()
	a.TraceEndLT = r.LT()
	a.TraceEndUtime = r.Uint32()
	a.Opcode = sqlbuild.SetInt8(r, &p.opcode)
	a.ParentID = r.SetHash(&p.parent)
	for b := r.Next(); len(b) >= 32; b = b[32:] {
		a.TxHashes = append(a.TxHashes, chain.HashFrom(b[:32]))
	}
	a.Accounts = r.Addresses()
	a.Ancestors = r.Texts()
	packed = r.Next()
	a.Details = r.Bytes()
	a.TraceMcSeqnoEnd = r.Uint32()
	a.TraceExternalHash = r.SetHash(&p.external)
	a.TraceExternalHashNorm = r.SetHash(&p.norm)
	return packed
}

// deleteLeftActions deletes the actions of traces whose rows are gone.
var deleteLeftActions = `DELETE FROM actions a USING unnest($1::bytea[], $2::bigint[]) t(trace_id, end_lt) WHERE ` + ofTrace

// removeLeftActions deletes actions that complete traces have already: the table has no key that refuses the same ones again.
func removeLeftActions(ctx context.Context, tx pgx.Tx, complete []*Completion) error {
	if len(complete) == 0 {
		return nil
	}
	ids, ends := make([]chain.Hash, len(complete)), make([]int64, len(complete))
	for i, t := range complete {
		ids[i], ends[i] = t.ID, int64(t.EndLT)
	}
	if _, err := tx.Exec(ctx, deleteLeftActions, sqlbuild.HashArray(ids), ends); err != nil {
		return fmt.Errorf("earlier actions: %w", err)
	}
	return nil
}

// copyActions writes the actions of complete traces that have none.
func (w *TableWriter) copyActions(ctx context.Context, tx pgx.Tx, complete []*Completion) error {
	if err := w.Details.begin(ctx, tx); err != nil {
		return err
	}
	c := w.Copies
	c.Reset()
	for _, t := range complete {
		for i := range t.actions {
			writeAction(c, &t.actions[i], &w.Details)
		}
	}
	return c.Send(ctx, tx, "actions", ActionTable)
}
