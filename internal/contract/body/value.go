package body

import (
	"encoding/hex"
	"strconv"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// plain prints numbers and bits.
func (d *decoder) plain(s *cell.Slice, t *typ) bool {
	switch t.kind {
	case kindInt:
		return d.signed(s, t.n)
	case kindRange:
		if v, err := s.PreloadUInt(t.n); err != nil || v < t.least || v > t.greatest {
			return false
		}
		return d.unsigned(s, t.n)
	case kindCount:
		return d.counted(s, t.n)
	case kindBits:
		return d.bits(s, t.n)
	case kindFlag:
		v, err := s.LoadUInt(1)
		d.b = strconv.AppendBool(d.b, v == 1)
		return err == nil
	case kindVarUint:
		return d.varUint(s, t.n)
	case kindCoins:
		d.b = append(d.b, `{"@type":"nanocoins","amount":`...)
		return d.varUint(s, 4) && d.close()
	case kindGrams:
		d.b = append(d.b, `{"@type":"nanograms","amount":`...)
		return d.varUint(s, 4) && d.close()
	case kindBytes:
		return d.bits(s, 8*d.count)
	default:
		return d.unsigned(s, t.n)
	}
}

func (d *decoder) close() bool {
	d.b = append(d.b, '}')
	return true
}

func (d *decoder) unsigned(s *cell.Slice, n uint) bool {
	if n <= 64 {
		v, err := s.LoadUInt(n)
		d.b = append(strconv.AppendUint(append(d.b, '"'), v, 10), '"')
		return err == nil
	}
	if s.LoadBigUIntInto(&d.number, n) != nil {
		return false
	}
	d.b = append(d.number.Append(append(d.b, '"'), 10), '"')
	return true
}

func (d *decoder) signed(s *cell.Slice, n uint) bool {
	if n <= 64 {
		v, err := s.LoadInt(n)
		d.b = append(strconv.AppendInt(append(d.b, '"'), v, 10), '"')
		return err == nil
	}
	v, err := s.LoadBigInt(n)
	if err != nil {
		return false
	}
	d.b = append(v.Append(append(d.b, '"'), 10), '"')
	return true
}

// varUint reads a length of n bits and a number of that many bytes.
func (d *decoder) varUint(s *cell.Slice, n uint) bool {
	size, err := s.LoadUInt(n)
	if err != nil {
		return false
	}
	d.b = strconv.AppendUint(append(d.b, `{"@type":"var_uint","len":"`...), size, 10)
	d.b = append(d.b, `","value":`...)
	return d.unsigned(s, uint(size)*8) && d.close()
}

// bits prints upper-case hex. Where n is no multiple of four, a one and zeros fill the last digit and an underscore
// says so.
func (d *decoder) bits(s *cell.Slice, n uint) bool {
	buf := d.scratch[:]
	if n > s.BitsLeft() || s.LoadSliceInto(buf, n) != nil {
		return false
	}
	d.b = append(appendBits(append(d.b, '"'), buf, n), '"')
	return true
}

// appendBits prints the first n bits of data, whose last byte must be zero behind them. It may change that byte.
func appendBits(b, data []byte, n uint) []byte {
	if n%4 != 0 {
		data[n/8] |= 0x80 >> (n % 8)
	}
	mark := len(b)
	b = hex.AppendEncode(b, data[:(n+7)/8])
	for i := mark; i < len(b); i++ {
		if b[i] >= 'a' {
			b[i] -= 'a' - 'A'
		}
	}
	b = b[:mark+int(n+3)/4]
	if n%4 != 0 {
		b = append(b, '_')
	}
	return b
}

// address prints an address of the requested kind.
func (d *decoder) address(s *cell.Slice, k kind) bool {
	tag, err := s.LoadUInt(2)
	if err != nil || k == kindInternal && tag < 2 || k == kindExternal && tag > 1 {
		return false
	}
	switch tag {
	case 0:
		d.b = append(d.b, `{"@type":"addr_none"}`...)
		return true
	case 1:
		d.b = append(d.b, `{"@type":"addr_external","len":`...)
		n, ok := d.length(s)
		d.b = append(d.b, `,"external_address":`...)
		return ok && d.bits(s, n) && d.close()
	case 2:
		d.b = append(d.b, `{"@type":"addr_std","anycast":`...)
		if !d.anycast(s) {
			return false
		}
		d.b = append(d.b, `,"workchain_id":`...)
		ok := d.signed(s, 8)
		d.b = append(d.b, `,"address":`...)
		return ok && d.bits(s, 256) && d.close()
	default:
		d.b = append(d.b, `{"@type":"addr_var","anycast":`...)
		if !d.anycast(s) {
			return false
		}
		d.b = append(d.b, `,"addr_len":`...)
		n, ok := d.length(s)
		d.b = append(d.b, `,"workchain_id":`...)
		ok = ok && d.signed(s, 32)
		d.b = append(d.b, `,"address":`...)
		return ok && d.bits(s, n) && d.close()
	}
}

// length prints and gives a length of nine bits.
func (d *decoder) length(s *cell.Slice) (uint, bool) {
	n, err := s.PreloadUInt(9)
	return uint(n), err == nil && d.unsigned(s, 9)
}

func (d *decoder) anycast(s *cell.Slice) bool {
	some, err := s.LoadUInt(1)
	if err != nil {
		return false
	}
	if some == 0 {
		d.b = append(d.b, `{"@type":"nothing_from_maybe"}`...)
		return true
	}
	d.b = append(d.b, `{"@type":"something_from_maybe","value":{"@type":"anycast_info","depth":`...)
	depth, err := s.PreloadUInt(5)
	if err != nil || depth < 1 || depth > 30 || !d.unsigned(s, 5) {
		return false
	}
	d.b = append(d.b, `,"rewrite_pfx":`...)
	return d.bits(s, uint(depth)) && d.close() && d.close()
}
