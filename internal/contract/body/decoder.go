package body

import (
	"encoding/base64"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Bounds of one decoding.
const (
	// MaxNesting is how many bodies may stand inside one another: a payload of a payload and so on.
	MaxNesting = 12
	// maxCells bounds the cells visited; a cell that is shared counts at each visit.
	maxCells = 8192
	// maxDepth bounds the members open at once. The longest list of actions, 255, takes three levels for each.
	maxDepth = 1000
	// A printed body takes at most minOutput, or ratio bytes for each byte of the body, and never more than maxOutput.
	// A message on its way out grows about fifteenfold.
	minOutput = 16 << 10
	maxOutput = 512 << 10
	ratio     = 32
	// Work is what was written, with what was dropped again because a layout did not fit.
	workPerOutput = 4
)

// decoder prints one body at the end of b. Its methods return false when the cells do not fit; the caller then drops
// what was written. over says that a bound was hit, so that nothing else is tried.
type decoder struct {
	b       []byte
	end     int  // b may not grow beyond this
	work    int  // bytes that may still be written
	cells   int  // cells that may still be visited
	depth   int  // members open
	nesting int  // bodies open
	count   uint // the last number that counts the member behind it
	over    bool
	scratch [128]byte // bits of one cell
	number  big.Int
}

// start prepares d to print a body of size bytes behind b.
func (d *decoder) start(b []byte, size int) {
	room := min(max(minOutput, size*ratio), maxOutput)
	d.b, d.end, d.work, d.cells = b, len(b)+room, room*workPerOutput, maxCells
	d.depth, d.nesting, d.count, d.over = 0, 0, 0, false
}

// wrote charges what was written since mark.
func (d *decoder) wrote(mark int) bool {
	d.work -= len(d.b) - mark
	if len(d.b) > d.end || d.work < 0 {
		d.over = true
	}
	return !d.over
}

func (d *decoder) put(text string) bool {
	mark := len(d.b)
	d.b = append(d.b, text...)
	return d.wrote(mark)
}

// enter opens a cell for reading; exotic cells fit no layout.
func (d *decoder) enter(c *cell.Cell, s *cell.Slice) bool {
	if d.cells--; d.cells < 0 {
		d.over = true
	}
	return !d.over && c != nil && !c.IsSpecial() && c.BeginParseIntoWithoutTrace(s) == nil
}

// body prints what s holds as a message body, chosen by its first 32 bits, or as a request with a signature before its opcode. Nothing is
// written when no layout fits.
func (d *decoder) body(s *cell.Slice) bool {
	op, err := s.PreloadUInt(32)
	if err != nil {
		return false
	}
	if s.BitsLeft() >= signatureBits+32 && d.signedRequest(s) {
		return true
	}
	for _, c := range bodies.candidates(uint32(op)) {
		if d.attempt(c, s, false) {
			return true
		}
	}
	return false
}

// signatureBits is the length of the signature that a request begins with.
const signatureBits = 512

// signedRequest prints what s holds as a request to Telegram's wallet.
func (d *decoder) signedRequest(s *cell.Slice) bool {
	request := *s
	if request.SkipBits(signatureBits) != nil {
		return false
	}
	if op, err := request.PreloadUInt(32); err != nil || !tgOpcodes[uint32(op)] {
		return false
	}
	return d.attempt(tgWallets.constructors[0], s, true)
}

// wallet prints what s holds as a signed request to a wallet, chosen by its structure.
func (d *decoder) wallet(s *cell.Slice) bool {
	for _, c := range wallets.constructors {
		if d.attempt(c, s, true) {
			return true
		}
	}
	return false
}

// attempt prints one constructor, or nothing. complete demands that the cell is read to its end.
func (d *decoder) attempt(c *constructor, s *cell.Slice, complete bool) bool {
	if d.over || s.BitsLeft() < c.least.bits || s.RefsNum() < c.least.refs {
		return false
	}
	mark, saved := len(d.b), *s
	if d.constructor(c, s) && (!complete || s.BitsLeft() == 0 && s.RefsNum() == 0) {
		return true
	}
	d.b, *s = d.b[:mark], saved
	return false
}

func (d *decoder) constructor(c *constructor, s *cell.Slice) bool {
	if c.bits > 0 {
		if tag, err := s.LoadUInt(c.bits); err != nil || tag != c.tag {
			return false
		}
	}
	if !d.put(c.open) {
		return false
	}
	for i := range c.fields {
		f := &c.fields[i]
		if !d.put(f.key) || !d.value(s, f.typ) {
			return false
		}
	}
	return d.put("}")
}

// value prints one value of type t and takes it from s.
func (d *decoder) value(s *cell.Slice, t *typ) bool {
	if d.depth++; d.depth > maxDepth {
		d.over = true
	}
	if d.over {
		return false
	}
	fits := d.read(s, t)
	d.depth--
	return fits
}

func (d *decoder) read(s *cell.Slice, t *typ) bool {
	switch t.kind {
	case kindUint, kindInt, kindRange, kindCount, kindBits, kindFlag, kindVarUint, kindCoins, kindGrams, kindBytes:
		mark := len(d.b)
		return d.plain(s, t) && d.wrote(mark)
	case kindAddress, kindInternal, kindExternal:
		mark := len(d.b)
		return d.address(s, t.kind) && d.wrote(mark)
	case kindRest:
		return d.rest(s) && s.SkipBitsAndRefs(s.BitsLeft(), s.RefsNum()) == nil
	case kindCell:
		return d.raw(s) && s.SkipBitsAndRefs(s.BitsLeft(), s.RefsNum()) == nil
	case kindRef:
		return d.ref(s, t.elem)
	case kindMaybe:
		return d.choice(s, `{"@type":"nothing_from_maybe"`, nil, `{"@type":"something_from_maybe","value":`, t.elem)
	case kindEither:
		return d.choice(s, `{"@type":"first_from_either","value":`, t.elem, `{"@type":"second_from_either","value":`, t.other)
	case kindMap, kindMapE:
		return d.dictionary(s, t)
	case kindArray:
		return d.array(s, t)
	case kindGroup:
		return d.oneOf(t.group, s)
	default:
		return d.special(s, t.kind)
	}
}

// oneOf prints the first constructor of the group that fits.
func (d *decoder) oneOf(g *group, s *cell.Slice) bool {
	for _, c := range g.constructors {
		if d.attempt(c, s, false) {
			return true
		}
	}
	return false
}

// ref prints elem, which fills a cell of its own.
func (d *decoder) ref(s *cell.Slice, elem *typ) bool {
	c, err := s.LoadRefCell()
	if err != nil {
		return false
	}
	if c.IsSpecial() {
		return elem.kind == kindRest && d.bag(c)
	}
	var inner cell.Slice
	return d.enter(c, &inner) && d.value(&inner, elem)
}

// choice reads one bit and prints the case it chooses; a nil type closes the object at once.
func (d *decoder) choice(s *cell.Slice, zero string, ifZero *typ, one string, ifOne *typ) bool {
	bit, err := s.LoadUInt(1)
	if err != nil {
		return false
	}
	text, t := zero, ifZero
	if bit == 1 {
		text, t = one, ifOne
	}
	return d.put(text) && (t == nil || d.value(s, t)) && d.put("}")
}

// rest prints what is left of s: as a body when it is one and not too deep inside others, else as it is.
func (d *decoder) rest(s *cell.Slice) bool {
	if d.nesting < MaxNesting && !s.IsSpecial() {
		if s.BitsLeft() == 0 && s.RefsNum() == 0 {
			return d.put(emptyCell)
		}
		d.nesting++
		inner := *s
		fits := d.body(&inner)
		d.nesting--
		if fits || d.over {
			return fits
		}
	}
	return d.raw(s)
}

// emptyCell is how a body without bits and references is printed.
const emptyCell = `{"@type":"empty_cell"}`

// raw prints what is left of s as a bag of cells.
func (d *decoder) raw(s *cell.Slice) bool {
	c, err := s.ToCell()
	return err == nil && d.bag(c)
}

func (d *decoder) bag(c *cell.Cell) bool {
	boc, err := c.ToBOCWithOptionsErr(cell.BOCSerializeOptions{})
	if err != nil {
		return false
	}
	mark := len(d.b)
	d.b = append(base64.StdEncoding.AppendEncode(append(d.b, '"'), boc), '"')
	return d.wrote(mark)
}
