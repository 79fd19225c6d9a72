package body

import (
	"strconv"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// special prints the types that the language of layouts cannot say.
func (d *decoder) special(s *cell.Slice, k kind) bool {
	switch k {
	case kindText:
		text, ok := d.snake(s)
		return ok && d.text(text)
	case kindDNSText:
		return d.chunks(s)
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

// chunks prints text as DNS records keep it: a number of chunks, each with its length in bytes, one cell for each.
func (d *decoder) chunks(s *cell.Slice) bool {
	count, err := s.PreloadUInt(8)
	if err != nil || !d.put(`{"@type":"text","chunks":`) || !d.value(s, chunkSize) || !d.put(`,"rest":`) {
		return false
	}
	if count == 0 {
		return d.put(`{"@type":"text_chunk_empty"}}`)
	}
	for i := range count {
		if i > 0 {
			c, err := s.LoadRefCell()
			if err != nil || !d.put(`{"@type":"chunk_ref","ref":`) || !d.enter(c, s) {
				return false
			}
		}
		size, err := s.PreloadUInt(8)
		if err != nil || !d.put(`{"@type":"text_chunk","len":`) || !d.value(s, chunkSize) || !d.put(`,"data":`) ||
			!d.labelBits(s, uint(size)*8) || !d.put(`,"next":`) {
			return false
		}
	}
	return d.put(`{"@type":"chunk_ref_empty"}`) && d.put(strings.Repeat("}", 2*int(count)))
}

var chunkSize = &typ{kind: kindUint, n: 8}

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

// array prints as many values as the count before it says. They stand in a chain of cells, each of which begins with the next one, if there is
// one, and is filled with values of n references.
func (d *decoder) array(s *cell.Slice, t *typ) bool {
	left := d.count
	some, err := s.LoadUInt(1)
	if err != nil || some == 0 {
		return false
	}
	next, err := s.LoadRefCell()
	if err != nil {
		return false
	}
	separator := "["
	for next != nil {
		var chunk cell.Slice
		if !d.enter(next, &chunk) {
			return false
		}
		more, err := chunk.LoadUInt(1)
		if err != nil {
			return false
		}
		if next = nil; more == 1 {
			if next, err = chunk.LoadRefCell(); err != nil {
				return false
			}
		}
		values := uint(chunk.RefsNum()) / t.n
		if values == 0 || values > left || !d.arrayChunk(&chunk, t, separator) {
			return false
		}
		left, separator = left-values, ","
	}
	return left == 0 && d.put("]")
}

// arrayChunk prints the values that fill a cell; separator stands before the first one.
func (d *decoder) arrayChunk(s *cell.Slice, t *typ, separator string) bool {
	for s.RefsNum() > 0 {
		refs := s.RefsNum()
		if !d.put(separator) || !d.value(s, t.elem) || uint(refs-s.RefsNum()) != t.n {
			return false
		}
		separator = ","
	}
	return s.BitsLeft() == 0
}

// counted prints a number that the member behind it needs.
func (d *decoder) counted(s *cell.Slice, n uint) bool {
	v, err := s.LoadUInt(n)
	d.count = uint(v)
	d.b = append(strconv.AppendUint(append(d.b, '"'), v, 10), '"')
	return err == nil
}
