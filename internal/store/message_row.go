package store

import (
	"tonql/internal/chain"
)

// messageTable lists the columns of a message in the order in which they are written and read.
const messageTable = `account, lt, hash, hash_norm, kind, source, destination, value, value_extra, fwd_fee, ihr_fee,
	import_fee, created_lt, created_at, ihr_disabled, bounce, bounced, extra_flags, opcode, body_hash, body, init_hash, init,
	src_tx_lt, src_tx_hash, dst_tx_lt, dst_tx_hash`

const messageWidth = 27

// messageColumns is the same for SELECT from messages m.
var messageColumns = qualified("m", messageTable)

func writeMessage(c *copyBuffer, m *chain.Message) {
	c.row(messageWidth)
	c.address(&m.Key.Account)
	c.int8(int64(m.Key.LT))
	c.hash(&m.Hash)
	c.hash(m.HashNorm)
	c.int2(int16(m.Kind))
	if m.Source == nil || *m.Source == m.Key.Account {
		c.null()
	} else {
		c.address(m.Source)
	}
	c.address(m.Destination)
	optional(c, m.Value)
	c.currencies(m.ValueExtra)
	optional(c, m.FwdFee)
	optional(c, m.IHRFee)
	c.numeric(m.ImportFee)
	if m.CreatedLT == nil || *m.CreatedLT == m.Key.LT {
		c.null()
	} else {
		c.int8(int64(*m.CreatedLT))
	}
	optional(c, m.CreatedAt)
	c.optionalBool(m.IHRDisabled)
	c.optionalBool(m.Bounce)
	c.optionalBool(m.Bounced)
	c.numeric(m.ExtraFlags)
	optional(c, m.Opcode)
	c.hash(&m.BodyHash)
	c.bytes(m.Body)
	c.hash(m.InitHash)
	if m.Init == nil {
		c.null()
	} else {
		c.bytes(m.Init)
	}
	writeTransactionRef(c, m.SentBy)
	writeTransactionRef(c, m.ReceivedBy)
}

func writeTransactionRef(c *copyBuffer, ref *chain.TransactionRef) {
	if ref == nil {
		c.nulls(2)
		return
	}
	c.int8(int64(ref.LT))
	c.hash(&ref.Hash)
}

// messageParts is the memory of whatever a message points to, so that a row costs one allocation for all of it.
type messageParts struct {
	hashNorm, initHash           chain.Hash
	source, destination          chain.Address
	value, fwdFee, ihrFee        chain.Coins
	createdLT                    uint64
	createdAt, opcode            uint32
	ihrDisabled, bounce, bounced bool
	sentBy, receivedBy           chain.TransactionRef
}

func scanMessage(r *row, m *chain.Message) {
	p := &messageParts{}
	m.Key.Account = r.address()
	m.Key.LT = r.lt()
	m.Hash = r.hash()
	m.HashNorm = r.setHash(&p.hashNorm)
	m.Kind = chain.MessageKind(r.int2())
	m.Source = r.setAddress(&p.source)
	if m.Source == nil && m.Kind != chain.ExternalIn {
		p.source = m.Key.Account
		m.Source = &p.source
	}
	m.Destination = r.setAddress(&p.destination)
	m.Value = setInt8(r, &p.value)
	m.ValueExtra = r.currencies()
	m.FwdFee = setInt8(r, &p.fwdFee)
	m.IHRFee = setInt8(r, &p.ihrFee)
	m.ImportFee = r.numeric()
	m.CreatedLT = setInt8(r, &p.createdLT)
	if m.CreatedLT == nil && m.Kind != chain.ExternalIn {
		p.createdLT = m.Key.LT
		m.CreatedLT = &p.createdLT
	}
	m.CreatedAt = setInt8(r, &p.createdAt)
	m.IHRDisabled = r.setBool(&p.ihrDisabled)
	m.Bounce = r.setBool(&p.bounce)
	m.Bounced = r.setBool(&p.bounced)
	m.ExtraFlags = r.numeric()
	m.Opcode = setInt8(r, &p.opcode)
	m.BodyHash = r.hash()
	m.Body = r.bytes()
	m.InitHash = r.setHash(&p.initHash)
	m.Init = r.bytes()
	m.SentBy = scanTransactionRef(r, &p.sentBy)
	m.ReceivedBy = scanTransactionRef(r, &p.receivedBy)
}

func scanTransactionRef(r *row, place *chain.TransactionRef) *chain.TransactionRef {
	if !r.present(0) {
		r.skip(2)
		return nil
	}
	place.LT = r.lt()
	place.Hash = r.hash()
	return place
}
