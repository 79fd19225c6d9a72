package rawtx

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	tvm "github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// maxDepth is the largest depth of a cell.
const maxDepth = 1024

var errDepth = errors.New("cells are deeper than 1024")

// errSpecial is the reason to leave a part to the library: cells with a level have several hashes, and proofs have rules of their own.
var errSpecial = errors.New("cell of a proof")

// hashes are the hashes of the cells of a bag, computed when they are needed.
type hashes struct {
	bag    *bag
	cells  []cellHash
	buffer []byte
	order  order
}

func (h *hashes) reset(b *bag) {
	h.bag = b
	if cap(h.cells) < b.count {
		h.cells = make([]cellHash, b.count)
		return
	}
	h.cells = h.cells[:b.count]
	clear(h.cells)
}

// cell returns the hash of a cell of the bag, at depth below the first.
func (h *hashes) cell(index, depth int) (*cellHash, error) {
	found := &h.cells[index]
	if found.done {
		return found, nil
	}
	p, err := h.bag.partOf(index)
	if err != nil {
		return nil, err
	}
	made, err := h.of(&p, depth)
	if err != nil {
		return nil, err
	}
	*found = made
	return found, nil
}

// of returns the hash of a part.
func (h *hashes) of(p *part, depth int) (cellHash, error) {
	made := cellHash{done: true}
	d1 := h.bag.descriptor(p)
	if depth > maxDepth {
		return made, errDepth
	}
	if d1&maskLevel != 0 || p.special && !p.library() {
		return made, errSpecial
	}
	var below [maxRefs]*cellHash
	for i := range p.refsLen {
		child, err := h.cell(p.refs[i], depth+1)
		if err != nil {
			return made, err
		}
		below[i], made.depth = child, max(made.depth, child.depth+1)
	}
	if made.depth > maxDepth {
		return made, errDepth
	}
	b := append(h.buffer[:0], d1, byte(p.count/8+(p.count+7)/8))
	b = appendTagged(b, &p.span)
	for _, child := range below[:p.refsLen] {
		b = binary.BigEndian.AppendUint16(b, uint16(child.depth))
	}
	for _, child := range below[:p.refsLen] {
		b = append(b, child.hash[:]...)
	}
	h.buffer, made.hash = b, sha256.Sum256(b)
	return made, nil
}

// appendTagged appends the data of a cell: bits that do not end with a byte are followed by a one and zeros.
func appendTagged(to []byte, b *span) []byte {
	to = b.appendTo(to)
	if rest := b.count % 8; rest != 0 {
		to[len(to)-1] |= 0x80 >> rest
	}
	return to
}

// normalised returns the hash of an external-in message as TEP-467 rewrites it: source and state-init dropped, no import fee, body in
// a reference. It names the message whatever its relay made of the free fields.
func normalised(destination *span, body *cellHash) chain.Hash {
	const head = 0b1000_0000 // ext_in_msg_info$10, src:addr_none$00
	count := 4 + destination.count + 6
	data := make([]byte, 2+(count+7)/8, 2+(count+7)/8+2+32)
	data[0], data[1] = 1, byte(count/8+(count+7)/8)
	content := data[2:]
	written := destination.appendTo(nil)
	content[0] = head
	for i, b := range written { // after four bits
		content[i] |= b >> 4
		if i+1 < len(content) {
			content[i+1] = b << 4
		}
	}
	set := func(at int) { content[at/8] |= 0x80 >> (at % 8) }
	set(count - 1) // after import_fee:0 and no init: body in a reference
	if count%8 != 0 {
		set(count)
	}
	data = binary.BigEndian.AppendUint16(data, uint16(body.depth))
	return sha256.Sum256(append(data, body.hash[:]...))
}

// content returns the bag of cells and the hash of a part; no bag of cells if only the hash is needed.
func (h *hashes) content(p *part, onlyHash bool) (chain.BOC, cellHash, error) {
	made, err := h.hash(p)
	if err == nil {
		if onlyHash {
			return nil, made, nil
		}
		var boc chain.BOC
		if boc, err = h.order.bagOf(h.bag, p); err == nil {
			return boc, made, nil
		}
	}
	if !errors.Is(err, errSpecial) {
		return nil, made, err
	}
	root, err := h.library(p)
	if err != nil {
		return nil, made, err
	}
	var boc chain.BOC
	if !onlyHash {
		boc = root.ToBOCWithOptions(tvm.BOCSerializeOptions{WithCRC32C: true})
	}
	return boc, cellHash{hash: chain.Hash(root.HashKey()), depth: int(root.Depth())}, nil
}

// hash returns the hash of a part, errSpecial when cells of proofs are below it.
func (h *hashes) hash(p *part) (cellHash, error) {
	if p.index >= 0 {
		found, err := h.cell(p.index, 0)
		if err != nil {
			return cellHash{}, err
		}
		return *found, nil
	}
	return h.of(p, 0)
}

// message returns the hash of the cell of a message.
func (h *hashes) message(index int) (chain.Hash, error) {
	found, err := h.cell(index, 0)
	if err == nil {
		return found.hash, nil
	}
	if !errors.Is(err, errSpecial) {
		return chain.Hash{}, err
	}
	p, err := h.bag.partOf(index)
	if err != nil {
		return chain.Hash{}, err
	}
	root, err := h.library(&p)
	if err != nil {
		return chain.Hash{}, err
	}
	return chain.Hash(root.HashKey()), nil
}

// library builds the cells of a part by the library.
func (h *hashes) library(p *part) (*tvm.Cell, error) {
	boc, err := h.bag.extract(p)
	if err != nil {
		return nil, err
	}
	root, err := tvm.FromBOC(boc)
	if err != nil {
		return nil, fmt.Errorf("cells of a message: %w", err)
	}
	return root, nil
}
