package decode

import "tonql/internal/chain"

// address reads MsgAddress: nil for addr_none, addr_extern and what no account can have.
func (r *reader) address() *chain.Address {
	switch r.uint(2) {
	case 0b01: // addr_extern$01 len:(## 9) external_address:(bits len)
		r.skip(uint(r.uint(9)), 0)
		return nil
	case 0b10: // addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256
		depth, prefix := r.anycast()
		a := chain.Address{Workchain: int32(int8(r.uint(8))), ID: r.hash()}
		rewrite(&a.ID, depth, prefix)
		return r.complete(&a)
	case 0b11: // addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len)
		return r.addrVar()
	default: // addr_none$00
		return nil
	}
}

func (r *reader) addrVar() *chain.Address {
	depth, prefix := r.anycast()
	size := uint(r.uint(9))
	workchain := r.int32()
	if size != 256 || workchain < -128 || workchain > 127 {
		r.skip(size, 0)
		return nil
	}
	a := chain.Address{Workchain: workchain, ID: r.hash()}
	rewrite(&a.ID, depth, prefix)
	return r.complete(&a)
}

// complete returns nil for an address that could not be read completely.
func (r *reader) complete(a *chain.Address) *chain.Address {
	if r.err != nil {
		return nil
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

func rewrite(id *chain.Hash, depth uint, prefix uint64) {
	for i := range depth {
		mask := byte(0x80) >> (i % 8)
		id[i/8] &^= mask
		if prefix>>(depth-1-i)&1 == 1 {
			id[i/8] |= mask
		}
	}
}
