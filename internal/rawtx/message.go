package rawtx

import (
	"errors"
	"fmt"

	"tonql/internal/chain"
)

// maxOut bounds the out-messages: an action list has at most 255 actions, each of which sends at most one.
const maxOut = 256

var errMessages = errors.New("more messages than a transaction can send")

// parts is the memory of all that a message points to, so that a message costs one allocation besides its cells.
type parts struct {
	hashNorm, initHash           chain.Hash
	source, destination          chain.Address
	value, fwdFee, ihrFee        chain.Coins
	createdLT                    uint64
	createdAt, opcode            uint32
	ihrDisabled, bounce, bounced bool
}

// Messages visits the messages of a transaction: received gets the in-message, if there is one, then sent each out-message in the order
// of creation, in memory that the next one takes. row is what [Transaction.Read] read, with the workchain; after
// [Transaction.FindMessages] its account and LT suffice. The messages have all fields but SentBy and ReceivedBy.
func (t *Transaction) Messages(row *chain.Transaction, received, sent func(*chain.Message)) error {
	t.hashes.reset(&t.bag)
	var m *chain.Message
	return t.find(func(at int) error {
		in := &chain.Message{}
		if err := t.message(at, 0, in); err != nil {
			return fmt.Errorf("in-message: %w", err)
		}
		in.Key = receivedKey(in, row)
		received(in)
		return nil
	}, func(at, n int) error {
		if m == nil {
			m = &chain.Message{}
		} else {
			*m = chain.Message{}
		}
		if err := t.message(at, n, m); err != nil {
			return fmt.Errorf("out-message %d: %w", n, err)
		}
		m.Key = chain.MessageKey{Account: row.Account, LT: row.LT + uint64(n)}
		if m.CreatedLT != nil {
			m.Key.LT = *m.CreatedLT
		}
		sent(m)
		return nil
	})
}

// find visits the cells of the messages of a transaction: the in-message, if there is one, then each out-message with its number from 1 on.
func (t *Transaction) find(received func(at int) error, sent func(at, n int) error) error {
	r := t.bag.open(t.messages)
	if r.bit() {
		in := r.ref()
		if r.err != nil {
			return r.err
		}
		if err := received(in); err != nil {
			return err
		}
	}
	if !r.bit() {
		return r.err
	}
	out := r.open()
	if r.err != nil {
		return r.err
	}
	n := 0
	return walk(&out, 15, t.budget, func(_ uint64, v *reader) error {
		ref := v.ref()
		if v.err != nil {
			return v.err
		}
		if n++; n > maxOut {
			return errMessages
		}
		return sent(ref, n)
	})
}

// receivedKey returns the key of the in-message of a transaction: that of the sender if an account sent it, otherwise that of the
// receiver.
func receivedKey(in *chain.Message, t *chain.Transaction) chain.MessageKey {
	if in.Kind == chain.InternalMessage && in.Source != nil && *in.Source != chain.SystemAddress {
		return chain.MessageKey{Account: *in.Source, LT: *in.CreatedLT}
	}
	return chain.MessageKey{Account: t.Account, LT: t.LT}
}

// message reads Message Any in a cell: the in-message as number 0, or an out-message.
func (t *Transaction) message(at, n int, m *chain.Message) error {
	p := &parts{}
	c, err := t.contents(at, m, p)
	if err != nil {
		return err
	}
	h := &t.hashes
	if m.Hash, err = h.message(at); err != nil {
		return err
	}
	large := t.budget.content > cachedContent && (c.body.refsLen > 0 || c.init.refsLen > 0)
	if large {
		m.Large = largeContent(t.boc, n)
	}
	if c.hasInit {
		var made cellHash
		if m.Init, made, err = h.content(&c.init, large); err != nil {
			return err
		}
		p.initHash, m.InitHash = made.hash, &p.initHash
	}
	boc, made, err := h.content(&c.body, large)
	if err != nil {
		return err
	}
	m.Body, m.BodyHash = boc, made.hash
	t.budget.content += len(m.Body) + len(m.Init)
	m.Opcode = c.body.opcode(&p.opcode)
	if m.Kind == chain.ExternalIn {
		p.hashNorm = normalised(&c.destination, &made)
		m.HashNorm = &p.hashNorm
	}
	return nil
}

// contents are the parts of a message.
type contents struct {
	init, body  part
	hasInit     bool
	destination span // of an external-in message, as written
}

// contents reads the header of a message and finds its parts.
func (t *Transaction) contents(at int, m *chain.Message, p *parts) (c contents, err error) {
	r := t.bag.open(at)
	if r.err != nil {
		return c, r.err
	}
	switch {
	case !r.bit():
		r.internalInfo(m, p, t.budget)
	case !r.bit():
		c.destination = r.externalInInfo(m, p)
	default:
		r.externalOutInfo(m, p)
	}
	c.init, c.hasInit = r.stateInit()
	c.body = r.body()
	return c, r.err
}

// internalInfo reads int_msg_info$0.
func (r *reader) internalInfo(m *chain.Message, p *parts, b *Budget) {
	m.Kind = chain.InternalMessage
	p.ihrDisabled, p.bounce, p.bounced = r.bit(), r.bit(), r.bit()
	m.IHRDisabled, m.Bounce, m.Bounced = &p.ihrDisabled, &p.bounce, &p.bounced
	m.Source, m.Destination = r.address(&p.source), r.address(&p.destination)
	p.value, m.ValueExtra = r.currencies(b)
	m.Value = &p.value
	if p.ihrDisabled {
		m.ExtraFlags = r.bigVarUint(4)
	} else {
		p.ihrFee = r.coins()
	}
	p.fwdFee = r.coins()
	m.IHRFee, m.FwdFee = &p.ihrFee, &p.fwdFee
	r.created(m, p)
}

// externalInInfo reads ext_in_msg_info$10 and returns the destination as it was written.
func (r *reader) externalInInfo(m *chain.Message, p *parts) span {
	m.Kind = chain.ExternalIn
	r.address(&p.source) // the source of an external-in message is free text to us
	from := r.pos
	m.Destination = r.address(&p.destination)
	written := span{data: r.cell.data, from: from, count: r.pos - from}
	m.ImportFee = r.bigVarUint(4)
	return written
}

// externalOutInfo reads ext_out_msg_info$11.
func (r *reader) externalOutInfo(m *chain.Message, p *parts) {
	m.Kind = chain.ExternalOut
	m.Source = r.address(&p.source)
	r.address(&p.destination) // addr_extern or addr_none: no account receives it
	r.created(m, p)
}

func (r *reader) created(m *chain.Message, p *parts) {
	p.createdLT, p.createdAt = r.uint(64), uint32(r.uint(32))
	m.CreatedLT, m.CreatedAt = &p.createdLT, &p.createdAt
}
