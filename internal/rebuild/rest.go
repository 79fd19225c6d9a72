package rebuild

import (
	"encoding/binary"
	"errors"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

var (
	errNoCell = errors.New("a cell is missing")
	errRow    = errors.New("the row has a value that no cell has")
	errRest   = errors.New("the rest of the row is malformed")
)

// AccountRest is what the cell of an account has and the other columns of its row do not have.
type AccountRest struct {
	EndLT       uint64      // last_trans_lt of AccountStorage: the end of the last transaction
	DictHash    *chain.Hash // of storage_extra_info
	Libraries   *chain.Hash // root of the account's own libraries
	FixedPrefix *uint8      // fixed_prefix_length, 5 bits
	Special     *uint8      // tick and tock, a bit each
	DataDepth   *uint16     // depth of data that the index does not store
	// Cell is the account with code, data and libraries cut off, and EndLT and the others are then empty. It is for an account
	// that the columns do not give: an address with anycast, an amount above 63 bits, an unusual dictionary.
	Cell *cell.Cell
}

// The first byte of a rest: the flags of the parts that follow in this order, and the distance of EndLT from the row's LT.
const (
	restCell      = 0x80
	restInit      = 0x40 // two bytes: whether there is a prefix and a special, the prefix, the special
	restLibraries = 0x20
	restDictHash  = 0x10
	restDataDepth = 0x08
	restDistance  = 0x07 // the largest value means that a varint follows
)

// encode appends the stored form of r for a row with lt.
func (r *AccountRest) encode(b []byte, lt uint64) []byte {
	if r.Cell != nil {
		return append(append(b, restCell), serialized(r.Cell)...)
	}
	distance := r.EndLT - lt
	at := len(b)
	b = append(b, byte(min(distance, restDistance)))
	if distance >= restDistance {
		b = binary.AppendUvarint(b, distance)
	}
	if r.DataDepth != nil {
		b[at] |= restDataDepth
		b = binary.BigEndian.AppendUint16(b, *r.DataDepth)
	}
	if r.DictHash != nil {
		b[at] |= restDictHash
		b = append(b, r.DictHash[:]...)
	}
	if r.Libraries != nil {
		b[at] |= restLibraries
		b = append(b, r.Libraries[:]...)
	}
	if r.FixedPrefix != nil || r.Special != nil {
		b[at] |= restInit
		b = append(b, maybeByte(r.FixedPrefix), maybeByte(r.Special))
	}
	return b
}

// maybeByte is 0 for nil, else 1 more than the value.
func maybeByte(v *uint8) byte {
	if v == nil {
		return 0
	}
	return *v + 1
}

// ParseAccountRest reads the stored form of the rest of a row with lt.
func ParseAccountRest(b []byte, lt uint64) (AccountRest, error) {
	var r AccountRest
	if len(b) == 0 {
		return r, errRest
	}
	head := b[0]
	if head == restCell {
		c, err := Exact(b[1:], serialized)
		if err != nil {
			return r, err
		}
		r.Cell = c
		return r, nil
	}
	p := parser{rest: b[1:]}
	distance := uint64(head & restDistance)
	if distance == restDistance {
		distance = p.uvarint()
	}
	r.EndLT = lt + distance
	if head&restDataDepth != 0 {
		r.DataDepth = new(p.uint16())
	}
	if head&restDictHash != 0 {
		r.DictHash = new(p.hash())
	}
	if head&restLibraries != 0 {
		r.Libraries = new(p.hash())
	}
	if head&restInit != 0 {
		r.FixedPrefix, r.Special = p.maybeByte(31), p.maybeByte(3)
	}
	if head&restCell != 0 || p.failed || len(p.rest) > 0 {
		return AccountRest{}, errRest
	}
	return r, nil
}

// parser reads a stored form. After a failure every read gives zero.
type parser struct {
	rest   []byte
	failed bool
}

func (p *parser) bytes(n int) []byte {
	if p.failed || len(p.rest) < n {
		p.failed = true
		return make([]byte, n)
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b
}

func (p *parser) uint16() uint16 { return binary.BigEndian.Uint16(p.bytes(2)) }

func (p *parser) uint32() uint32 { return binary.BigEndian.Uint32(p.bytes(4)) }

func (p *parser) uint64() uint64 { return binary.BigEndian.Uint64(p.bytes(8)) }

func (p *parser) hash() chain.Hash { return chain.Hash(p.bytes(32)) }

func (p *parser) uvarint() uint64 {
	v, n := binary.Uvarint(p.rest)
	if n <= 0 {
		p.failed = true
		return 0
	}
	p.bytes(n)
	return v
}

func (p *parser) maybeByte(limit uint8) *uint8 {
	v := p.bytes(1)[0]
	if v == 0 {
		return nil
	}
	if v--; v > limit {
		p.failed = true
	}
	return &v
}
