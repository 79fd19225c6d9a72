package store

import "tonql/internal/chain"

// Columns of multisig tables in the order in which they are written and read.
const (
	multisigTable = `address, last_tx_lt, next_order_seqno, threshold, signers, proposers, code_hash, data_hash`
	multisigWidth = 8

	multisigOrderTable = `address, last_tx_lt, multisig, seqno, threshold, sent_for_execution, approvals_mask, approvals_num,
	expiration, order_boc, signers, code_hash, data_hash`
	multisigOrderWidth = 13

	multisigMemberTable = `member, multisig`
)

// The same for SELECT from each table c.
var (
	multisigColumns      = qualified("c", multisigTable)
	multisigOrderColumns = qualified("c", multisigOrderTable)
)

func writeMultisig(c *copyBuffer, m *chain.Multisig) {
	c.row(multisigWidth)
	c.address(&m.Address)
	c.int8(int64(m.LastTxLT))
	c.numeric(m.NextOrderSeqno)
	c.int8(int64(m.Threshold))
	c.addresses(m.Signers)
	c.addresses(m.Proposers)
	c.hash(&m.CodeHash)
	c.hash(&m.DataHash)
}

func scanMultisig(r *row, m *chain.Multisig) {
	m.Address = r.address()
	m.LastTxLT = r.lt()
	m.NextOrderSeqno = r.numeric()
	m.Threshold = int(r.int8())
	m.Signers = r.addresses()
	m.Proposers = r.addresses()
	m.CodeHash = r.hash()
	m.DataHash = r.hash()
}

// writeMultisigMembers writes a row for each signer and proposer, once each.
func writeMultisigMembers(c *copyBuffer, m *chain.Multisig) {
	members := append(append(make([]chain.Address, 0, len(m.Signers)+len(m.Proposers)), m.Signers...), m.Proposers...)
	for _, member := range unique(members) {
		c.row(2)
		c.address(&member)
		c.address(&m.Address)
	}
}

func writeMultisigOrder(c *copyBuffer, o *chain.MultisigOrder) {
	c.row(multisigOrderWidth)
	c.address(&o.Address)
	c.int8(int64(o.LastTxLT))
	c.address(&o.Multisig)
	c.amount(o.Seqno)
	c.optionalInt(o.Threshold)
	c.optionalBool(o.SentForExecution)
	c.numeric(o.ApprovalsMask)
	c.optionalInt(o.ApprovalsNum)
	optional(c, o.Expiration)
	c.boc(o.Order)
	if o.Signers == nil {
		c.null()
	} else {
		c.addresses(o.Signers)
	}
	c.hash(&o.CodeHash)
	c.hash(&o.DataHash)
}

func scanMultisigOrder(r *row, o *chain.MultisigOrder) {
	o.Address = r.address()
	o.LastTxLT = r.lt()
	o.Multisig = r.address()
	o.Seqno = r.numeric()
	o.Threshold = r.setInt()
	o.SentForExecution = r.setBool(new(bool))
	o.ApprovalsMask = r.numeric()
	o.ApprovalsNum = r.setInt()
	if expiration := setInt8(r, new(uint64)); expiration != nil {
		at := int64(*expiration)
		o.Expiration = &at
	}
	o.Order = r.bytes()
	o.Signers = r.addresses()
	o.CodeHash = r.hash()
	o.DataHash = r.hash()
}
