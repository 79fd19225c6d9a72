package actionphase

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// inbound is the message that a transaction handles. Its fields are zero from the first one that cannot be read.
type inbound struct {
	cell                *cell.Cell
	external, bounces   bool
	source, destination msgAddress // the source of an external one is left out
	value               *cell.Builder
	extra               *cell.Cell
	flags               *big.Int // extra_flags, which was ihr_fee before global version 12
	createdLT           uint64
	createdAt           uint64
	rest                *reader // init and body
}

func readInbound(c *cell.Cell) *inbound {
	r := readerOf(c)
	m := &inbound{cell: c, external: r.flag(), rest: r}
	r.flag()
	if m.external {
		r.address(externalAddress)
		m.destination = r.address(internalAddress)
		r.coins()
		return m
	}
	m.bounces = r.flag()
	r.flag()
	m.source, m.destination = r.address(internalAddress), r.address(internalAddress)
	if r.err != nil {
		return m
	}
	before := r.s.Copy()
	if _, m.extra, _ = r.value(); r.err != nil {
		return m
	}
	m.value = r.since(before)
	m.flags = r.coins()
	r.coins()
	m.createdLT, m.createdAt = r.bits(64), r.bits(32)
	return m
}

// state returns the state that the message has, from a message that has one.
func (m *inbound) state() (stateInit, error) {
	r := m.rest.copied()
	r.flag()
	if r.flag() {
		r = readerOf(r.ref())
	}
	s := r.state()
	if r.err != nil {
		return s, fmt.Errorf("state of the message: %w", r.err)
	}
	return s, nil
}

// body returns the body of the message.
func (m *inbound) body() (*cell.Slice, error) {
	r := m.rest.copied()
	r.stateInit()
	if r.flag() {
		r = readerOf(r.ref())
	}
	if r.err != nil {
		return nil, fmt.Errorf("body of the message: %w", r.err)
	}
	return r.s, nil
}

// importFee returns what the account pays for the message before anything else, which only external ones cost.
func (m *inbound) importFee(p *phase) *big.Int {
	if m == nil || !m.external || p.fundamental {
		return new(big.Int)
	}
	u := newUsage(^uint64(0))
	u.add(m.cell)
	return p.config.prices(p.account.workchain == -1).ComputeForwardFee(u.cells-1, u.bits-uint64(m.cell.BitsSize()))
}
