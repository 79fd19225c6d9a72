package rawtx

import "tonql/internal/chain"

// address reads MsgAddress into place and returns its address: nil for addr_none, addr_extern and what no account can have.
func (r *reader) address(place *chain.Address) *chain.Address {
	switch r.uint(2) {
	case 0b01: // addr_extern$01 len:(## 9) external_address:(bits len)
		r.skip(uint(r.uint(9)))
		return nil
	case 0b10: // addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256
		depth, prefix := r.anycast()
		place.Workchain, place.ID = int32(int8(r.uint(8))), r.hash()
		return r.rewritten(place, depth, prefix)
	case 0b11: // addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len)
		return r.addrVar(place)
	default: // addr_none$00
		return nil
	}
}

func (r *reader) addrVar(place *chain.Address) *chain.Address {
	depth, prefix := r.anycast()
	size := uint(r.uint(9))
	workchain := r.int32()
	if size != 256 || workchain < -128 || workchain > 127 {
		r.skip(size)
		return nil
	}
	place.Workchain, place.ID = workchain, r.hash()
	return r.rewritten(place, depth, prefix)
}

// rewritten returns an address after its anycast prefix has replaced the first bits, nil if it could not be read completely.
func (r *reader) rewritten(a *chain.Address, depth uint, prefix uint64) *chain.Address {
	if r.err != nil {
		return nil
	}
	for i := range depth {
		mask := byte(0x80) >> (i % 8)
		a.ID[i/8] &^= mask
		if prefix>>(depth-1-i)&1 == 1 {
			a.ID[i/8] |= mask
		}
	}
	return a
}

// anycast reads (Maybe Anycast): how many leading bits of the account id are replaced, and by what.
func (r *reader) anycast() (depth uint, prefix uint64) {
	if !r.bit() {
		return 0, 0
	}
	depth = uint(r.uint(5))
	return depth, r.uint(depth)
}
