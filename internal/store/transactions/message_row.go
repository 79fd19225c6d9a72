package transactions

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// MessageTable lists the columns of a message in the order in which they are written and read.
const MessageTable = `account, lt, hash, hash_norm, kind, source, destination, value, value_extra, fwd_fee, ihr_fee,
	import_fee, created_lt, created_at, ihr_disabled, bounce, bounced, extra_flags, opcode, body_hash, body_boc, init_hash, init_boc,
	src_tx_lt, src_tx_hash, dst_tx_lt, dst_tx_hash`

const messageWidth = 27

// messageColumns is the same for SELECT from messages m.
var messageColumns = sqlbuild.Qualified("m", MessageTable)

// WriteMessage writes a row of [MessageTable]. stored returns a body or a state-init as it is stored, valid until its next call, see
// [AppendContent].
func WriteMessage(c *sqlbuild.CopyBuffer, m *chain.Message, stored func(content chain.BOC) []byte) {
	c.Row(messageWidth)
	c.Address(&m.Key.Account)
	c.Int8(int64(m.Key.LT))
	c.Hash(&m.Hash)
	c.Hash(m.HashNorm)
	c.Int2(int16(m.Kind))
	if m.Source == nil || *m.Source == m.Key.Account {
		c.Null()
	} else {
		c.Address(m.Source)
	}
	c.Address(m.Destination)
	sqlbuild.Optional(c, m.Value)
	c.Currencies(m.ValueExtra)
	sqlbuild.Optional(c, m.FwdFee)
	sqlbuild.Optional(c, m.IHRFee)
	c.Numeric(m.ImportFee)
	if m.CreatedLT == nil || *m.CreatedLT == m.Key.LT {
		c.Null()
	} else {
		c.Int8(int64(*m.CreatedLT))
	}
	sqlbuild.Optional(c, m.CreatedAt)
	c.OptionalBool(m.IHRDisabled)
	c.OptionalBool(m.Bounce)
	c.OptionalBool(m.Bounced)
	c.Numeric(m.ExtraFlags)
	sqlbuild.Optional(c, m.Opcode)
	c.Hash(&m.BodyHash)
	c.Bytes(stored(m.BodyBOC()))
	c.Hash(m.InitHash)
	if init := m.InitBOC(); init == nil {
		c.Null()
	} else {
		c.Bytes(stored(init))
	}
	writeTransactionRef(c, m.SentBy)
	writeTransactionRef(c, m.ReceivedBy)
}

func writeTransactionRef(c *sqlbuild.CopyBuffer, ref *chain.TransactionRef) {
	if ref == nil {
		c.Nulls(2)
		return
	}
	c.Int8(int64(ref.LT))
	c.Hash(&ref.Hash)
}

// messageParts is the memory of all that a message points to, so that a row costs one allocation for all of it.
type messageParts struct {
	hashNorm, initHash           chain.Hash
	source, destination          chain.Address
	value, fwdFee, ihrFee        chain.Coins
	createdLT                    uint64
	createdAt, opcode            uint32
	ihrDisabled, bounce, bounced bool
	sentBy, receivedBy           chain.TransactionRef
}

func (rows *rowsOfMessages) scanMessage(r *sqlbuild.Row, m *chain.Message) {
	p := &messageParts{}
	m.Key.Account = r.Address()
	m.Key.LT = r.LT()
	m.Hash = r.Hash()
	m.HashNorm = r.SetHash(&p.hashNorm)
	m.Kind = chain.MessageKind(r.Uint8())
	m.Source = r.SetAddress(&p.source)
	if m.Source == nil && m.Kind != chain.ExternalIn {
		p.source = m.Key.Account
		m.Source = &p.source
	}
	m.Destination = r.SetAddress(&p.destination)
	m.Value = sqlbuild.SetInt8(r, &p.value)
	m.ValueExtra = r.Currencies()
	m.FwdFee = sqlbuild.SetInt8(r, &p.fwdFee)
	m.IHRFee = sqlbuild.SetInt8(r, &p.ihrFee)
	m.ImportFee = r.Numeric()
	m.CreatedLT = sqlbuild.SetInt8(r, &p.createdLT)
	if m.CreatedLT == nil && m.Kind != chain.ExternalIn {
		p.createdLT = m.Key.LT
		m.CreatedLT = &p.createdLT
	}
	m.CreatedAt = sqlbuild.SetInt8(r, &p.createdAt)
	m.IHRDisabled = r.SetBool(&p.ihrDisabled)
	m.Bounce = r.SetBool(&p.bounce)
	m.Bounced = r.SetBool(&p.bounced)
	m.ExtraFlags = r.Numeric()
	m.Opcode = sqlbuild.SetInt8(r, &p.opcode)
	m.BodyHash = r.Hash()
	m.Body = rows.read(r, &m.Key, false)
	m.InitHash = r.SetHash(&p.initHash)
	m.Init = rows.read(r, &m.Key, true)
	m.SentBy = scanTransactionRef(r, &p.sentBy)
	m.ReceivedBy = scanTransactionRef(r, &p.receivedBy)
}

func scanTransactionRef(r *sqlbuild.Row, place *chain.TransactionRef) *chain.TransactionRef {
	if !r.Present(0) {
		if r.Present(1) {
			r.Err = sqlbuild.ErrRow
		}
		r.Skip(2)
		return nil
	}
	place.LT = r.LT()
	place.Hash = r.Hash()
	return place
}
