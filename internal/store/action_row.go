package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// actionTable lists the columns of an action in the order in which they are written and read.
const actionTable = `trace_id, action_id, type, success, start_lt, end_lt, start_utime, end_utime, mc_seqno_end,
	trace_end_lt, trace_end_utime, opcode, parent_id, tx_hashes, accounts, ancestors, details`

const actionWidth = 17

// ownActionColumns is the same for SELECT from actions a.
var ownActionColumns = qualified("a", actionTable)

// actionRowColumns adds what its trace t says.
var actionRowColumns = ownActionColumns + `, t.mc_seqno_end, t.external_hash, t.external_hash_norm`

func writeAction(c *copyBuffer, a *chain.Action) {
	c.row(actionWidth)
	c.hash(&a.TraceID)
	c.hash(&a.ID)
	c.text(a.Type)
	c.bool(a.Success)
	c.int8(int64(a.StartLT))
	c.int8(int64(a.EndLT))
	c.int8(int64(a.StartUtime))
	c.int8(int64(a.EndUtime))
	c.int8(int64(a.McSeqnoEnd))
	c.int8(int64(a.TraceEndLT))
	c.int8(int64(a.TraceEndUtime))
	optional(c, a.Opcode)
	c.hash(a.ParentID)
	c.sized(func() {
		for i := range a.TxHashes {
			c.b = append(c.b, a.TxHashes[i][:]...)
		}
	})
	c.addresses(a.Accounts)
	if a.Ancestors == nil {
		c.texts([]string{})
	} else {
		c.texts(a.Ancestors)
	}
	if len(a.Details) == 0 {
		c.text("null")
		return
	}
	c.bytes(a.Details)
}

func scanActionRow(r *row, a *chain.Action) {
	p := &struct {
		parent, external, norm chain.Hash
		opcode                 uint32
	}{}
	a.TraceID = r.hash()
	a.ID = r.hash()
	a.Type = r.text()
	a.Success = r.bool()
	a.StartLT = r.lt()
	a.EndLT = r.lt()
	a.StartUtime = r.u32()
	a.EndUtime = r.u32()
	a.McSeqnoEnd = r.u32()
	a.TraceEndLT = r.lt()
	a.TraceEndUtime = r.u32()
	a.Opcode = setInt8(r, &p.opcode)
	a.ParentID = r.setHash(&p.parent)
	for b := r.next(); len(b) >= 32; b = b[32:] {
		a.TxHashes = append(a.TxHashes, chain.HashFrom(b[:32]))
	}
	a.Accounts = r.addresses()
	a.Ancestors = r.texts()
	a.Details = r.bytes()
	a.TraceMcSeqnoEnd = r.u32()
	a.TraceExternalHash = r.setHash(&p.external)
	a.TraceExternalHashNorm = r.setHash(&p.norm)
}

// copyActions writes the actions of complete traces that have none.
func copyActions(ctx context.Context, tx pgx.Tx, c *copyBuffer, complete []*completion) error {
	c.reset()
	for _, t := range complete {
		for i := range t.actions {
			writeAction(c, &t.actions[i])
		}
	}
	if err := c.send(ctx, tx, "actions", actionTable); err != nil {
		return err
	}
	c.reset()
	for _, t := range complete {
		for i := range t.actions {
			a := &t.actions[i]
			for j := range a.Accounts {
				c.row(6)
				c.address(&a.Accounts[j])
				c.int8(int64(a.TraceEndLT))
				c.hash(&a.TraceID)
				c.int8(int64(a.EndLT))
				c.hash(&a.ID)
				c.text(a.Type)
			}
		}
	}
	return c.send(ctx, tx, "action_accounts", `account, trace_end_lt, trace_id, end_lt, action_id, type`)
}
