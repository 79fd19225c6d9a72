package actionphase

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Flags of messages since global version 12.
const (
	flagNewBounce = 1 // the message is returned as new_bounce_body
	flagFullBody  = 2 // with its complete body
)

// bounced is the bounce phase.
type bounced struct {
	noFunds         bool
	cells, bits     uint64
	collected, fees *big.Int
	message         *cell.Cell
}

// returnMessage returns the message that caused the transaction to its sender. It returns nil if it has no sender that can be reached.
func (p *phase) returnMessage(m *inbound) (*bounced, error) {
	received, err := m.body()
	if err != nil {
		return nil, err
	}
	flags := new(big.Int)
	if p.config.version >= 12 {
		flags.And(m.flags, big.NewInt(flagNewBounce|flagFullBody))
	}
	source := m.source
	if !p.rewrite(&source, true) {
		return nil, nil
	}
	prices := p.config.prices(p.account.workchain == -1 || source.workchain == -1)
	u := newUsage(^uint64(0))
	if p.config.version < 13 {
		u.add(m.extra)
	}
	var body *cell.Builder
	if flags.Bit(0) == 1 {
		body = p.newBounceBody(m, received, flags.Uint64())
		u.addRefs(body)
	}
	out := &bounced{cells: u.cells, bits: u.bits, fees: prices.ComputeForwardFee(u.cells, u.bits)}
	left := p.inbound.copied()
	left.grams.Sub(left.grams, p.gasFees)
	left.grams.Sub(left.grams, p.fine)
	if left.grams.Cmp(out.fees) < 0 {
		out.noFunds = true
		return out, nil
	}
	if !p.balance.sub(left) {
		return nil, errExtra
	}
	left.grams.Sub(left.grams, out.fees)
	out.collected = prices.firstPart(out.fees)
	out.fees = new(big.Int).Sub(out.fees, out.collected)
	b := cell.BeginCell().MustStoreUInt(5, 4).MustStoreBuilder(m.destination.raw).MustStoreBuilder(source.raw)
	if err := left.store(b); err != nil {
		return nil, err
	}
	b.MustStoreBigCoins(flags).MustStoreBigCoins(out.fees).MustStoreUInt(p.startLT+1, 64).MustStoreUInt(uint64(p.now), 32).MustStoreBoolBit(false)
	switch {
	case body != nil:
	case p.config.bounceBody:
		bits := min(256, received.BitsLeft())
		body = cell.BeginCell().MustStoreUInt(0xFFFFFFFF, 32).MustStoreSlice(received.MustLoadSlice(bits), bits)
	default:
		body = cell.BeginCell()
	}
	if b.BitsLeft() > body.BitsUsed() && b.RefsLeft() >= uint(body.RefsUsed()) {
		b.MustStoreBoolBit(false).MustStoreBuilder(body)
	} else {
		b.MustStoreBoolBit(true).MustStoreRef(body.EndCell())
	}
	out.message = b.EndCell()
	return out, nil
}

// newBounceBody makes new_bounce_body#fffffffe for a message that an action phase returns.
func (p *phase) newBounceBody(m *inbound, received *cell.Slice, flags uint64) *cell.Builder {
	original := received.Copy()
	if flags&flagFullBody == 0 {
		bits := original.BitsLeft()
		original = cell.BeginCell().MustStoreSlice(original.MustLoadSlice(bits), bits).EndCell().MustBeginParse()
	}
	info := m.value.Copy().MustStoreUInt(m.createdLT, 64).MustStoreUInt(m.createdAt, 32)
	phase, code := uint64(2), p.code
	if p.computeCode != 0 {
		phase, code = 1, p.computeCode
	}
	return cell.BeginCell().MustStoreUInt(0xFFFFFFFE, 32).MustStoreRef(original.MustToCell()).MustStoreRef(info.EndCell()).
		MustStoreUInt(phase, 8).MustStoreInt(int64(code), 32).MustStoreBoolBit(true).MustStoreUInt(p.gasUsed, 32).MustStoreUInt(p.steps, 32)
}
