package contracts

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Columns of multisig tables in the order in which they are written and read.
const (
	MultisigTable = `address, last_tx_lt, next_order_seqno, threshold, signers, proposers, code_hash, data_hash`
	multisigWidth = 8

	MultisigOrderTable = `address, last_tx_lt, multisig, seqno, threshold, sent_for_execution, approvals_mask, approvals_num,
	expiration, order_boc, signers, code_hash, data_hash`
	multisigOrderWidth = 13

	MultisigMemberTable = `member, multisig`
)

var (
	multisigColumns = sqlbuild.Qualified("c", MultisigTable)
	// multisigOrderColumns lists the columns of MultisigOrderTable for SELECT from a table c.
	multisigOrderColumns = sqlbuild.Qualified("c", MultisigOrderTable)
)

func writeMultisig(c *sqlbuild.CopyBuffer, m *chain.Multisig) {
	c.Row(multisigWidth)
	c.Address(&m.Address)
	c.Int8(int64(m.LastTxLT))
	c.Numeric(m.NextOrderSeqno)
	c.Int8(int64(m.Threshold))
	c.Addresses(m.Signers)
	c.Addresses(m.Proposers)
	c.Hash(&m.CodeHash)
	c.Hash(&m.DataHash)
}

func scanMultisig(r *sqlbuild.Row, m *chain.Multisig) {
	m.Address = r.Address()
	m.LastTxLT = r.LT()
	m.NextOrderSeqno = r.Numeric()
	m.Threshold = int(r.Int8())
	m.Signers = r.Addresses()
	m.Proposers = r.Addresses()
	m.CodeHash = r.Hash()
	m.DataHash = r.Hash()
}

// writeMultisigMembers writes a row for each signer and proposer, once each.
func writeMultisigMembers(c *sqlbuild.CopyBuffer, m *chain.Multisig) {
	members := append(append(make([]chain.Address, 0, len(m.Signers)+len(m.Proposers)), m.Signers...), m.Proposers...)
	for _, member := range sqlbuild.Unique(members) {
		c.Row(2)
		c.Address(&member)
		c.Address(&m.Address)
	}
}

func writeMultisigOrder(c *sqlbuild.CopyBuffer, o *chain.MultisigOrder) {
	c.Row(multisigOrderWidth)
	c.Address(&o.Address)
	c.Int8(int64(o.LastTxLT))
	c.Address(&o.Multisig)
	c.Amount(o.Seqno)
	c.OptionalInt(o.Threshold)
	c.OptionalBool(o.SentForExecution)
	c.Numeric(o.ApprovalsMask)
	c.OptionalInt(o.ApprovalsNum)
	sqlbuild.Optional(c, o.Expiration)
	c.BOC(o.Order)
	if o.Signers == nil {
		c.Null()
	} else {
		c.Addresses(o.Signers)
	}
	c.Hash(&o.CodeHash)
	c.Hash(&o.DataHash)
}

// scanMultisigOrder reads a row of [multisigOrderColumns].
func scanMultisigOrder(r *sqlbuild.Row, o *chain.MultisigOrder) {
	o.Address = r.Address()
	o.LastTxLT = r.LT()
	o.Multisig = r.Address()
	o.Seqno = r.Numeric()
	o.Threshold = r.SetInt()
	o.SentForExecution = r.SetBool(new(bool))
	o.ApprovalsMask = r.Numeric()
	o.ApprovalsNum = r.SetInt()
	if expiration := sqlbuild.SetInt8(r, new(uint64)); expiration != nil {
		at := int64(*expiration)
		o.Expiration = &at
	}
	o.Order = r.Bytes()
	o.Signers = r.Addresses()
	o.CodeHash = r.Hash()
	o.DataHash = r.Hash()
}
