package actionphase

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// outbound is a message as code suggests it: MessageRelaxed.
type outbound struct {
	external            bool
	ihrDisabled, bounce bool
	source, destination msgAddress
	value               value
	canonical           bool       // the amounts have no leading zeros
	extra               *cell.Cell // dictionary of the value's extra currencies
	ihrFee, forwardFee  *big.Int   // the first one has the flags since global version 12
	canonicalFees       [2]bool
	init, body          *cell.Builder
}

// readOutbound reads a message of a form that was checked.
func readOutbound(c *cell.Cell) *outbound {
	r := readerOf(c)
	m := &outbound{external: r.flag()}
	if m.external {
		r.flag()
		m.source, m.destination = r.address(anyAddress), r.address(externalAddress)
		m.ihrFee, m.forwardFee = new(big.Int), new(big.Int)
	} else {
		m.ihrDisabled, m.bounce = r.flag(), r.flag()
		r.flag()
		m.source, m.destination = r.address(anyAddress), r.address(internalAddress)
		m.value, m.extra, m.canonical = r.value()
		m.ihrFee, m.canonicalFees[0] = r.varUint(4)
		m.forwardFee, m.canonicalFees[1] = r.varUint(4)
	}
	r.bits(64)
	r.bits(32)
	before := r.s.Copy()
	r.stateInit()
	m.init, m.body = r.since(before), r.rest()
	return m
}

// splitInit moves the state of the message into a cell of its own, if it has two references or more.
func (m *outbound) splitInit() bool {
	if m.init.RefsUsed() < 2 {
		return false
	}
	s := m.init.EndCell().MustBeginParse()
	s.MustLoadUInt(2)
	m.init = cell.BeginCell().MustStoreUInt(3, 2).MustStoreRef(s.MustToCell())
	return true
}

// splitBody moves the body of the message into a cell of its own.
func (m *outbound) splitBody() {
	s := m.body.EndCell().MustBeginParse()
	if s.BitsLeft() <= 1 && s.RefsNum() == 0 || s.MustLoadUInt(1) == 1 {
		return
	}
	m.body = cell.BeginCell().MustStoreUInt(1, 1).MustStoreRef(s.MustToCell())
}

// validLibraries reports whether the libraries of the message's state have the form HashmapE 256 SimpleLib.
func (m *outbound) validLibraries() bool {
	r := readerOf(m.init.EndCell())
	if !r.flag() {
		return true
	}
	if r.flag() {
		r = readerOf(r.ref())
	}
	root := r.state().libraries
	if root == nil {
		return true
	}
	all, err := entries(root, 256)
	if err != nil {
		return false
	}
	for _, kv := range all {
		v := reader{s: kv.Value}
		v.flag()
		if v.ref(); !v.empty() {
			return false
		}
	}
	return true
}

// invalidMessage is the code of a message that has no valid form although its parts have, which its mode cannot ignore.
const invalidMessage = -1

// send performs action_send_msg and returns its error code.
func (p *phase) send(mode uint8, message *cell.Cell) int32 {
	if mode&modeBounce != 0 && p.config.version >= 4 {
		mode &^= modeBounce
		p.bounceOnFail = true
	}
	if mode&^0xE3 != 0 || mode&(modeBalance|modeInbound) == modeBalance|modeInbound {
		return p.skipSince(13, mode, 34)
	}
	m := readOutbound(message)
	if !m.validLibraries() {
		return p.skipSince(13, mode, 34)
	}
	for attempt := 0; ; attempt++ {
		if attempt == 1 && !m.splitInit() {
			attempt = 2
		}
		if attempt == 2 {
			m.splitBody()
		}
		code, fits := p.try(mode, *m, attempt == 2)
		if fits {
			return code
		}
	}
}

// skip returns the code of a message that cannot be sent, or 0 if its mode ignores that.
func (p *phase) skip(mode uint8, code int32) int32 {
	if mode&modeIgnoreErrors == 0 {
		return code
	}
	if p.config.version >= 8 {
		p.skipped++
	}
	return 0
}

// skipSince is [phase.skip] since a global version, before which the mode changes nothing.
func (p *phase) skipSince(version uint32, mode uint8, code int32) int32 {
	if p.config.version < version {
		return code
	}
	return p.skip(mode, code)
}

// check checks and completes what does not depend on the balance, and returns an error code.
func (p *phase) check(mode uint8, m *outbound) (code int32, done bool) {
	v := p.config.version
	if m.external {
		if mode&^3 != 0 {
			return 34, true
		}
		m.ihrDisabled = true
	} else {
		if !m.canonical || v < 8 && (!m.canonicalFees[0] || !m.canonicalFees[1]) {
			return 34, true
		}
		if v >= 12 && (!m.canonicalFees[0] || m.ihrFee.Cmp(big.NewInt(3)) > 0) {
			return p.skip(mode, 45), true
		}
		if v >= 8 {
			m.forwardFee = new(big.Int)
			if v < 12 {
				m.ihrFee = new(big.Int)
			}
		}
		m.ihrDisabled = m.ihrDisabled || v >= 11
	}
	own := p.account.address()
	switch {
	case m.source.tag == 0:
	case m.source.tag != 2 || m.source.raw.EndCell().HashKey() != own.EndCell().HashKey():
		return p.skipSince(13, mode, 35), true
	}
	m.source.raw = own
	if !p.rewrite(&m.destination, v < 10) {
		return p.skip(mode, 36), true
	}
	if !m.external && v >= 10 && len(m.value.extra) > p.config.limits.extraCurrencies {
		return p.skip(mode, 44), true
	}
	return 0, false
}

// address is the address of the account as addr_std.
func (a *account) address() *cell.Builder {
	return cell.BeginCell().MustStoreUInt(4, 3).MustStoreInt(int64(a.workchain), 8).MustStoreSlice(a.id, 256)
}

// funds returns the balance that bounds how many cells of a message are visited.
func (p *phase) funds(mode uint8, m *outbound) (funds *big.Int, ok bool) {
	if m.external || mode&(modeBalance|modePayFees) != 0 {
		return p.remaining.grams, true
	}
	funds = new(big.Int).Set(m.value.grams)
	if mode&modeInbound != 0 {
		funds.Add(funds, p.inbound.grams)
		funds.Sub(funds, p.gasFees)
		if funds.Sub(funds, p.fine); funds.Sign() < 0 {
			return nil, false
		}
	}
	if funds.Cmp(p.remaining.grams) > 0 {
		return p.remaining.grams, true
	}
	return funds, true
}

// try sends the message and returns an error code. It reports false if the message does not fit into a cell and may do so in another layout.
func (p *phase) try(mode uint8, m outbound, last bool) (code int32, fits bool) {
	if code, done := p.check(mode, &m); done {
		return code, true
	}
	prices := p.config.prices(p.account.workchain == -1 || m.destination.tag >= 2 && m.destination.workchain == -1)
	maxCells, perCell := p.config.limits.messageCells, new(big.Int)
	if p.fines() && !p.fundamental {
		perCell.SetUint64((prices.CellPrice >> 16) / 4)
		funds, ok := p.funds(mode, &m)
		if !ok {
			return p.skip(mode, 37), true
		}
		if all := new(big.Int).Mul(perCell, new(big.Int).SetUint64(maxCells)); funds.Cmp(all) < 0 {
			maxCells = new(big.Int).Div(funds, perCell).Uint64()
		}
	}
	u := newUsage(maxCells)
	merkle := max(u.addRefs(m.init), u.addRefs(m.body))
	if !m.external && p.config.version < 10 {
		depth, _ := u.add(m.extra)
		merkle = max(merkle, depth)
	}
	fine := new(big.Int).Mul(perCell, new(big.Int).SetUint64(min(maxCells, u.cells)))
	fined := func(code int32) int32 {
		p.addFine(fine)
		return p.skip(mode, code)
	}
	if u.cells > maxCells || u.bits > p.config.limits.messageBits || merkle > maxMerkleDepth {
		return fined(40), true
	}
	forward, ihr := p.feesOf(&m, prices, u)
	var sent *cell.Cell
	var total, collected *big.Int
	if m.external {
		if p.remaining.grams.Cmp(forward) < 0 {
			return fined(37), true
		}
		if sent = m.pack(p, value{}, nil, nil); sent == nil {
			if last {
				return fined(39), true
			}
			return 0, false
		}
		p.remaining.grams = new(big.Int).Sub(p.remaining.grams, forward)
		total, collected = forward, forward
	} else {
		var code int32
		if sent, total, collected, code, fits = p.sendInternal(mode, &m, prices, forward, ihr, last); code != 0 || !fits {
			switch {
			case !fits:
				return 0, false
			case code == 44:
				return p.skip(mode, 44), true
			case code == invalidMessage:
				p.addFine(fine)
				return 34, true
			default:
				return fined(code), true
			}
		}
	}
	p.messages = append(p.messages, sent)
	p.fees = new(big.Int).Add(p.fees, collected)
	p.forward = new(big.Int).Add(p.forward, total)
	if mode&(modeBalance|modeDelete) == modeBalance|modeDelete {
		p.deletes = p.reserved.grams.Sign() == 0 && (p.config.version >= 10 || p.reserved.isZero())
	}
	if !p.fundamental {
		p.failFine.Add(p.failFine, fine)
	}
	p.cells += u.cells + 1
	p.bits += u.bits + uint64(sent.BitsSize())
	return 0, true
}

// addFine takes a fine from the balance, as far as it has that much.
func (p *phase) addFine(fine *big.Int) {
	if fine.Cmp(p.remaining.grams) > 0 {
		fine = p.remaining.grams
	}
	p.fine.Add(p.fine, fine)
	p.remaining.grams = new(big.Int).Sub(p.remaining.grams, fine)
}

// feesOf returns what forwarding a message costs. Before global version 8 a message may suggest more.
func (p *phase) feesOf(m *outbound, prices *prices, u *usage) (forward, ihr *big.Int) {
	forward = prices.ComputeForwardFee(u.cells, u.bits)
	ihr = prices.ihr(forward)
	if p.fundamental {
		forward, ihr = new(big.Int), new(big.Int)
	}
	if m.forwardFee.Cmp(forward) > 0 {
		forward = m.forwardFee
	}
	switch {
	case m.ihrDisabled:
		ihr = new(big.Int)
	case p.config.version < 8 && m.ihrFee.Cmp(ihr) > 0:
		ihr = m.ihrFee
	}
	return forward, ihr
}

// sendInternal takes the value and the fees of an internal message from the balance. Codes are those of the phase; all but 44 cost a fine.
func (p *phase) sendInternal(mode uint8, m *outbound, prices *prices, forward, ihr *big.Int, last bool) (sent *cell.Cell, total, collected *big.Int, code int32, fits bool) {
	both := p.config.version < 10 // extra currencies follow the grams
	request := m.value.copied()
	switch {
	case mode&modeBalance != 0:
		if both {
			request = p.remaining.copied()
		}
		request.grams = new(big.Int).Set(p.remaining.grams)
		mode &^= modePayFees
	case mode&modeInbound != 0:
		if both {
			request.add(p.inbound)
		} else {
			request.grams = new(big.Int).Add(request.grams, p.inbound.grams)
		}
		if mode&modePayFees == 0 {
			request.grams.Sub(request.grams, p.fine)
			if request.grams.Sub(request.grams, p.gasFees); request.grams.Sign() < 0 {
				return nil, nil, nil, 37, true
			}
		}
	}
	total = new(big.Int).Add(forward, ihr)
	gross := new(big.Int).Set(request.grams)
	switch {
	case mode&modePayFees != 0:
		gross.Add(gross, total)
	case request.grams.Cmp(total) < 0:
		return nil, nil, nil, 37, true
	default:
		request.grams = new(big.Int).Sub(request.grams, total)
	}
	if p.remaining.grams.Cmp(gross) < 0 {
		return nil, nil, nil, 37, true
	}
	if !both && len(request.extra) > p.config.limits.extraCurrencies {
		return nil, nil, nil, 44, true
	}
	left := p.remaining.copied()
	if !left.subExtra(request.extra) {
		return nil, nil, nil, 38, true
	}
	collected = prices.firstPart(forward)
	flags := ihr
	if p.config.version >= 12 {
		flags = m.ihrFee
	}
	if sent = m.pack(p, request, flags, new(big.Int).Sub(forward, collected)); sent == nil {
		if last {
			return nil, nil, nil, 39, true
		}
		return nil, nil, nil, 0, false
	}
	if mode&(modeBalance|modeInbound) != 0 {
		p.inbound.grams = new(big.Int)
		if both {
			p.inbound.extra = nil
		}
	}
	left.grams = new(big.Int).Sub(left.grams, gross)
	p.remaining = left
	if m.destination.tag == 3 && m.destination.workchain == -1 && m.destination.length != 256 {
		return nil, nil, nil, invalidMessage, true // only the complete message is checked for that
	}
	return sent, total, collected, 0, true
}

// pack makes the message that is sent, nil if it does not fit into a cell.
func (m *outbound) pack(p *phase, v value, flags, forward *big.Int) *cell.Cell {
	b := cell.BeginCell()
	store := func(part *cell.Builder) bool { return b.StoreBuilder(part) == nil }
	if m.external {
		b.MustStoreUInt(3, 2)
	} else {
		b.MustStoreBoolBit(false).MustStoreBoolBit(m.ihrDisabled).MustStoreBoolBit(m.bounce).MustStoreBoolBit(false)
	}
	if !store(m.source.raw) || !store(m.destination.raw) {
		return nil
	}
	if !m.external && (v.store(b) != nil || b.StoreBigCoins(flags) != nil || b.StoreBigCoins(forward) != nil) {
		return nil
	}
	if b.BitsLeft() < 96 {
		return nil
	}
	b.MustStoreUInt(p.startLT+1+uint64(len(p.messages)), 64).MustStoreUInt(uint64(p.now), 32)
	if !store(m.init) || !store(m.body) {
		return nil
	}
	return b.EndCell()
}
