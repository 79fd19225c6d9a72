package body

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Opcodes of comments.
const (
	opTextComment      = 0x00000000
	opEncryptedComment = 0x2167da4b
)

// Place says where a body was found, which decides what is tried on it.
type Place uint8

const (
	// Inside is a message between accounts or out of the chain, or a payload.
	Inside Place = iota
	// Incoming is an external-in message, whose body may be a request that a wallet's owner signed.
	Incoming
)

// Opcode is the first 32 bits of a body; false when it has less.
func Opcode(root *cell.Cell) (uint32, bool) {
	var s cell.Slice
	if root == nil || root.IsSpecial() || root.BeginParseIntoWithoutTrace(&s) != nil {
		return 0, false
	}
	op, err := s.LoadUInt(32)
	return uint32(op), err == nil
}

// Decode gives a body as JSON, in the order of its layout, and the name of its opcode. ok is false, and json nil, when
// no layout fits; a name may be known all the same.
func Decode(root *cell.Cell, place Place) (json []byte, name string, ok bool) {
	if op, has := Opcode(root); has {
		name = Name(op)
	}
	json, ok = Append(nil, root, place, maxOutput/ratio)
	if !ok {
		return nil, name, false
	}
	return json, name, true
}

// Append prints a body of about size bytes at the end of b. When no layout fits it returns b as it was, and false.
func Append(b []byte, root *cell.Cell, place Place, size int) ([]byte, bool) {
	out, err := appendBody(b, root, place, size)
	return out, err == nil
}

// appendBody is [Append] with the reason.
func appendBody(b []byte, root *cell.Cell, place Place, size int) ([]byte, error) {
	var d decoder
	d.start(b, size)
	var s cell.Slice
	if !d.enter(root, &s) {
		return b, errNoLayout
	}
	if s.BitsLeft() == 0 && s.RefsNum() == 0 {
		return append(b, emptyCell...), nil
	}
	if s.BitsLeft() < 32 {
		return b, &shortError{bits: s.BitsLeft()}
	}
	d.nesting = 1
	fits := d.body(&s)
	if op, _ := s.PreloadUInt(32); !fits && place == Incoming && Name(uint32(op)) == "" {
		fits = d.wallet(&s)
	}
	switch {
	case d.over:
		return b, errTooLarge
	case !fits:
		return b, errNoLayout
	}
	return d.b, nil
}

// AppendContent prints a serialized body as the records of messages and of transfers show it: comments have a form of
// their own there. b comes back as it was, with false, when no layout fits or the bag cannot be read.
func AppendContent(b []byte, boc chain.BOC, place Place) ([]byte, bool) {
	if text, ok := shortComment(boc); ok {
		return appendComment(b, text), true
	}
	if place == Inside && !fitsSome(boc) {
		return b, false
	}
	root, err := parse(boc)
	if err != nil {
		return b, false
	}
	if text, ok := Comment(root); ok {
		return appendComment(b, []byte(text)), true
	}
	return Append(b, root, place, len(boc))
}

func appendComment(b, text []byte) []byte {
	b = appendString(append(b, `{"@type":"text_comment","comment":`...), text)
	return append(b, `,"type":"text_comment"}`...)
}

// parse reads a bag of cells without copying it: the cells must not outlive a change of boc.
func parse(boc []byte) (*cell.Cell, error) {
	return cell.FromBOCWithOptions(boc, cell.BOCParseOptions{NoCopyPayload: true, MaxCells: maxCells})
}

// Comment is the text of a body that is a text comment in UTF-8: of what follows the opcode, otherwise of the first reference.
func Comment(root *cell.Cell) (string, bool) {
	var d decoder
	d.start(nil, 0)
	var s cell.Slice
	if !d.enter(root, &s) {
		return "", false
	}
	if op, err := s.LoadUInt(32); err != nil || op != opTextComment {
		return "", false
	}
	inline := s
	if text, ok := d.snake(&inline); ok && validText(text) {
		return string(text), true
	}
	c, err := s.LoadRefCell()
	if err != nil || !d.enter(c, &s) {
		return "", false
	}
	text, ok := d.snake(&s)
	if !ok || !validText(text) {
		return "", false
	}
	return string(text), true
}
