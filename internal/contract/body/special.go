package body

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// special prints the types that the language of layouts cannot say.
func (d *decoder) special(s *cell.Slice, k kind) bool {
	switch k {
	case kindText:
		text, ok := d.snake(s)
		return ok && d.text(text)
	case kindDNSText:
		text, ok := d.chunks(s)
		return ok && d.text(text)
	case kindOutList:
		return d.outList(s)
	case kindExtensions:
		return d.extensions(s)
	default:
		return false
	}
}

func (d *decoder) text(text []byte) bool {
	if !validText(text) {
		return false
	}
	mark := len(d.b)
	d.b = appendString(d.b, text)
	return d.wrote(mark)
}

// snake reads bytes to the end of the cell and on through the chain of its references. Bits that do not fill a byte
// count as one filled with zeros.
func (d *decoder) snake(s *cell.Slice) ([]byte, bool) {
	var data []byte
	for {
		n := s.BitsLeft()
		size := int(n+7) / 8
		if data == nil {
			data = make([]byte, 0, size)
		}
		data = append(data, d.scratch[:size]...)
		if s.LoadSliceInto(data[len(data)-size:], n) != nil || len(data) > maxOutput {
			return nil, false
		}
		switch s.RefsNum() {
		case 0:
			return data, true
		case 1:
			c, err := s.LoadRefCell()
			if err != nil || !d.enter(c, s) {
				return nil, false
			}
		default:
			return nil, false
		}
	}
}

// chunks reads text as DNS records keep it: a number of chunks, each with its length in bytes, one cell for each.
func (d *decoder) chunks(s *cell.Slice) ([]byte, bool) {
	count, err := s.LoadUInt(8)
	if err != nil {
		return nil, false
	}
	text := []byte{}
	for i := range count {
		if i > 0 {
			c, err := s.LoadRefCell()
			if err != nil || !d.enter(c, s) {
				return nil, false
			}
		}
		size, err := s.LoadUInt(8)
		if err != nil || s.LoadSliceInto(d.scratch[:], uint(size)*8) != nil {
			return nil, false
		}
		text = append(text, d.scratch[:size]...)
	}
	return text, true
}

// outList prints a list of actions: the list before the last one in a reference, then the last.
func (d *decoder) outList(s *cell.Slice) bool {
	if s.BitsLeft() == 0 && s.RefsNum() == 0 {
		return d.put(`{"@type":"out_list_empty"}`)
	}
	return d.put(`{"@type":"out_list","prev":`) && d.ref(s, outListType) &&
		d.put(`,"action":`) && d.oneOf(outActions, s) && d.put("}")
}

var (
	outListType    = &typ{kind: kindOutList}
	extensionsType = &typ{kind: kindExtensions}
)

// extensions prints changes to a wallet's extensions: the first one here, the others in a reference.
func (d *decoder) extensions(s *cell.Slice) bool {
	mark := len(d.b)
	if !d.put(`{"@type":"extended_list_action","action":`) || !d.oneOf(extensions, s) {
		return false
	}
	if s.RefsNum() > 0 {
		return d.put(`,"prev":`) && d.ref(s, extensionsType) && d.put("}")
	}
	// The last one has a name of its own, which is shorter.
	const long, short = `{"@type":"extended_list_action"`, `{"@type":"extended_list_last"`
	n := copy(d.b[mark:], short)
	d.b = append(d.b[:mark+n], d.b[mark+len(long):]...)
	return d.put("}")
}
