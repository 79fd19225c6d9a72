package decode

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// message reads Message Any. Key, SentBy and ReceivedBy belong to the transaction that carries it.
func message(c *cell.Cell, b *budget) (chain.Message, error) {
	r := open(c)
	if r.err != nil {
		return chain.Message{}, r.err
	}
	m := chain.Message{Hash: chain.Hash(c.HashKey())}
	var destination *cell.Slice // of an external-in message, as written
	switch {
	case !r.bit():
		r.internalInfo(&m, b)
	case !r.bit():
		destination = r.externalInInfo(&m)
	default:
		r.externalOutInfo(&m)
	}
	r.stateInit(&m)
	body := r.body()
	if r.err != nil {
		return m, r.err
	}
	m.BodyHash, m.Body = chain.Hash(body.HashKey()), contentBOC(body)
	m.Opcode = opcode(body)
	if destination != nil {
		norm, err := normalisedHash(destination, body)
		if err != nil {
			return m, err
		}
		m.HashNorm = &norm
	}
	return m, nil
}

// internalInfo reads int_msg_info$0.
func (r *reader) internalInfo(m *chain.Message, b *budget) {
	m.Kind = chain.InternalMessage
	ihrDisabled, bounce, bounced := r.bit(), r.bit(), r.bit()
	m.IHRDisabled, m.Bounce, m.Bounced = &ihrDisabled, &bounce, &bounced
	m.Source, m.Destination = r.address(), r.address()
	value, extra := r.currencies(b)
	m.Value, m.ValueExtra = &value, extra
	flags := r.bigVarUint(4)
	ihrFee := chain.Coins(0)
	if ihrDisabled {
		m.ExtraFlags = flags
	} else {
		ihrFee = saturate(flags)
	}
	fwdFee := r.coins()
	m.IHRFee, m.FwdFee = &ihrFee, &fwdFee
	r.created(m)
}

// externalInInfo reads ext_in_msg_info$10 and returns the destination as it was written.
func (r *reader) externalInInfo(m *chain.Message) *cell.Slice {
	m.Kind = chain.ExternalIn
	r.address() // the source of an external-in message is free text to us
	before := r.s
	m.Destination = r.address()
	if r.err != nil {
		return nil
	}
	destination, err := before.FetchSubslice(before.BitsLeft()-r.s.BitsLeft(), 0)
	r.fail(err)
	m.ImportFee = r.bigVarUint(4)
	return destination
}

// externalOutInfo reads ext_out_msg_info$11.
func (r *reader) externalOutInfo(m *chain.Message) {
	m.Kind = chain.ExternalOut
	m.Source = r.address()
	r.address() // addr_extern or addr_none: no account receives it
	r.created(m)
}

func (r *reader) created(m *chain.Message) {
	lt, at := r.uint(64), uint32(r.uint(32))
	m.CreatedLT, m.CreatedAt = &lt, &at
}

// stateInit reads init:(Maybe (Either StateInit ^StateInit)). A state-init written into the message is cut out and made
// a cell of its own, so that its hash is the one that addresses derive from.
func (r *reader) stateInit(m *chain.Message) {
	if !r.bit() {
		return
	}
	var c *cell.Cell
	if r.bit() {
		c = r.ref()
	} else {
		c = r.inlineStateInit()
	}
	if r.err != nil {
		return
	}
	hash := chain.Hash(c.HashKey())
	m.InitHash, m.Init = &hash, contentBOC(c)
}

// inlineStateInit measures StateInit and cuts it out:
// fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(HashmapE …).
func (r *reader) inlineStateInit() *cell.Cell {
	probe := *r
	if probe.bit() {
		probe.skip(5, 0)
	}
	if probe.bit() {
		probe.skip(2, 0)
	}
	refs := 0
	for range 3 {
		if probe.bit() {
			refs++
		}
	}
	if r.fail(probe.err); r.err != nil {
		return nil
	}
	part, err := r.s.FetchSubslice(r.s.BitsLeft()-probe.s.BitsLeft(), refs)
	if r.fail(err); r.err != nil {
		return nil
	}
	c, err := part.ToCell()
	r.fail(err)
	return c
}

// body reads body:(Either X ^X).
func (r *reader) body() *cell.Cell {
	if r.bit() {
		return r.ref()
	}
	if r.err != nil {
		return nil
	}
	c, err := r.s.ToCell()
	r.fail(err)
	return c
}

// opcode is the first 32 bits of the body, nil when it is shorter.
func opcode(body *cell.Cell) *uint32 {
	if body.IsSpecial() || body.BitsSize() < 32 {
		return nil
	}
	r := open(body)
	op := uint32(r.uint(32))
	return &op
}

// normalisedHash is the hash of the message as TEP-467 rewrites it: source and state-init dropped, no import fee, body
// in a reference. It names an external-in message whatever its relay made of the free fields.
func normalisedHash(destination *cell.Slice, body *cell.Cell) (chain.Hash, error) {
	b := cell.BeginCell()
	b.MustStoreUInt(0b10_00, 4) // ext_in_msg_info$10, src:addr_none$00
	if err := b.StoreBuilder(destination.ToBuilder()); err != nil {
		return chain.Hash{}, err
	}
	b.MustStoreUInt(0b0000_0_1, 6) // import_fee:0, no init, body in a reference
	if err := b.StoreRef(body); err != nil {
		return chain.Hash{}, err
	}
	return chain.Hash(b.EndCell().HashKey()), nil
}
