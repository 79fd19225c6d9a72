package actionphase

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
)

type addressForm int

const (
	anyAddress      addressForm = iota // MsgAddress
	externalAddress                    // MsgAddressExt
	internalAddress                    // MsgAddressInt
)

// msgAddress is an address of a message.
type msgAddress struct {
	raw       *cell.Builder // as it stands
	tag       uint64        // 0 addr_none, 1 addr_extern, 2 addr_std, 3 addr_var
	depth     uint64        // of anycast, 0 without
	prefix    uint64
	workchain int32
	length    uint64
	bits      []byte
}

// address reads an address; another form than the given one is an error.
func (r *reader) address(form addressForm) (a msgAddress) {
	if r.err != nil {
		return a
	}
	before := r.s.Copy()
	a.tag = r.bits(2)
	if form == externalAddress && a.tag > 1 || form == internalAddress && a.tag < 2 {
		r.err = errShort
		return a
	}
	switch a.tag {
	case 1:
		r.skip(uint(r.bits(9)))
	case 2, 3:
		if r.flag() { // anycast_info
			if a.depth = r.bits(5); a.depth < 1 || a.depth > 30 {
				r.err = errShort
				return a
			}
			a.prefix = r.bits(uint(a.depth))
		}
		if a.tag == 2 {
			a.workchain, a.length = int32(int8(r.bits(8))), 256
		} else {
			a.length = r.bits(9)
			a.workchain = int32(r.bits(32))
		}
		if r.err == nil {
			var err error
			if a.bits, err = r.s.LoadSlice(uint(a.length)); err != nil {
				r.err = errShort
			}
		}
	}
	if r.err == nil {
		a.raw = r.since(before)
	}
	return a
}

// rewrite checks the destination of a message and brings it into the form that it is sent with. It reports false for a destination that no
// message can reach.
func (p *phase) rewrite(a *msgAddress, anycast bool) bool {
	if a.tag < 2 {
		return true
	}
	repack := a.tag == 3 && a.length == 256 && a.workchain >= -128 && a.workchain < 128
	if a.workchain != -1 {
		w, ok := p.config.workchains[a.workchain]
		if !ok || !w.accepts || !w.validLength(a.length) {
			return false
		}
	}
	if a.depth > 0 {
		if !anycast {
			return false
		}
		if own := p.account.prefix(uint(a.depth)); own != a.prefix {
			a.prefix, repack = own, true
		}
	}
	if !repack {
		return true
	}
	b := cell.BeginCell()
	standard := a.length == 256 && a.workchain >= -128 && a.workchain < 128
	if standard {
		b.MustStoreUInt(2, 2)
	} else {
		b.MustStoreUInt(3, 2)
	}
	if a.depth > 0 {
		b.MustStoreUInt(32+a.depth, 6).MustStoreUInt(a.prefix, uint(a.depth))
	} else {
		b.MustStoreUInt(0, 1)
	}
	if standard {
		b.MustStoreInt(int64(a.workchain), 8)
	} else {
		b.MustStoreUInt(a.length, 9).MustStoreInt(int64(a.workchain), 32)
	}
	a.raw = b.MustStoreSlice(a.bits, uint(a.length))
	return true
}
