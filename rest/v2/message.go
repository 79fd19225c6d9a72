package v2

import (
	"bytes"
	"encoding/base64"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

func appendMessage(b []byte, m *chain.Message, f form) []byte {
	b = append(append(append(b, `{"@type":"`...), f.message...), `","hash":`...)
	b = handler.AppendHash(b, &m.Hash)
	address := appendAccountAddress
	if f.flat {
		address = appendFriendly
	}
	b = address(append(b, `,"source":`...), m.Source)
	b = address(append(b, `,"destination":`...), m.Destination)
	b = appendOptional(append(b, `,"value":`...), m.Value)
	b = appendExtra(append(b, `,"extra_currencies":`...), m.ValueExtra)
	b = appendOptional(append(b, `,"fwd_fee":`...), m.FwdFee)
	b = append(b, `,"ihr_fee":"0","created_lt":`...) // nodes no longer return the IHR fee
	b = appendOptional(b, m.CreatedLT)
	b = handler.AppendHash(append(b, `,"body_hash":`...), &m.BodyHash)
	return append(appendBody(append(b, `,"msg_data":`...), m, f.flat), '}')
}

// appendOptional appends a decimal string, which is "0" for nil.
func appendOptional[T ~uint64](b []byte, v *T) []byte {
	if v == nil {
		return append(b, `"0"`...)
	}
	return handler.AppendDecimal(b, *v)
}

const (
	commentOp   = 0
	encryptedOp = 0x2167da4b
)

// appendBody appends msg_data and, if withText is set, the member message with the body as text.
func appendBody(b []byte, m *chain.Message, withText bool) []byte {
	if len(b) > handler.MaxResponse { // it is refused
		return append(b, "null"...)
	}
	boc := m.BodyBOC()
	if m.Opcode != nil && (*m.Opcode == commentOp || *m.Opcode == encryptedOp) {
		if text, ok := comment(boc); ok {
			kind := "msg.dataText"
			if *m.Opcode == encryptedOp {
				kind = "msg.dataEncryptedText"
			}
			b = append(append(append(b, `{"@type":"`...), kind...), `","text":`...)
			b = append(appendBOC(b, text), '}')
			if withText {
				b = handler.AppendString(append(b, `,"message":`...), string(text))
			}
			return b
		}
	}
	b = appendBag(append(b, `{"@type":"msg.dataRaw","body":`...), boc)
	b = append(appendBag(append(b, `,"init_state":`...), m.InitBOC()), '}')
	if !withText {
		return b
	}
	data, ok := firstCell(boc)
	if !ok {
		return b
	}
	text := ""
	if len(data) > 0 {
		text = base64.StdEncoding.EncodeToString(data) + "\n"
	}
	return handler.AppendString(append(b, `,"message":`...), text)
}

// maxParts is the maximum number of cells of a comment, which is also the limit of a message.
const maxParts = 8192

// firstCell returns the data of the first cell of a bag, filled up with zero bits to complete bytes.
func firstCell(boc chain.BOC) ([]byte, bool) {
	data, length, ok := resolvers.FirstCell(boc)
	if ok {
		if rest := length % 8; rest != 0 {
			data = bytes.Clone(data[:length/8+1])
			data[len(data)-1] &= 0xff << (8 - rest)
		}
		return data[:(length+7)/8], true
	}
	c, err := cell.FromBOC(boc)
	if err != nil {
		return nil, false
	}
	s, err := c.BeginParse()
	if err != nil {
		return nil, false
	}
	data, err = s.LoadSlice(s.BitsLeft())
	return data, err == nil
}

// comment reads the bits after the first 32 through the chain of cells, as nodes do: the chain continues in the first reference of each
// cell, and only all bits together must be complete bytes. It returns false if they are not, or a cell is exotic or cannot be read.
func comment(boc chain.BOC) ([]byte, bool) {
	c, err := cell.FromBOC(boc)
	if err != nil {
		return nil, false
	}
	var text bitText
	skip := uint(32)
	for range maxParts {
		if c.IsSpecial() {
			return nil, false
		}
		s, err := c.BeginParse()
		if err != nil || s.SkipBits(skip) != nil {
			return nil, false
		}
		count := s.BitsLeft()
		part, err := s.LoadSlice(count)
		if err != nil {
			return nil, false
		}
		text.append(part, count)
		if skip = 0; s.RefsNum() == 0 {
			return text.bytes, text.bits%8 == 0
		}
		if c, err = s.LoadRefCell(); err != nil {
			return nil, false
		}
	}
	return nil, false
}

// bitText is a text whose parts may end within a byte.
type bitText struct {
	bytes []byte // the bits after the last one are 0
	bits  uint
}

// append appends the first count bits of part.
func (t *bitText) append(part []byte, count uint) {
	if count == 0 {
		return
	}
	part = bytes.Clone(part[:(count+7)/8])
	if rest := count % 8; rest != 0 {
		part[len(part)-1] &= 0xff << (8 - rest)
	}
	if used := t.bits % 8; used != 0 {
		for _, b := range part {
			t.bytes[len(t.bytes)-1] |= b >> used
			t.bytes = append(t.bytes, b<<(8-used))
		}
	} else {
		t.bytes = append(t.bytes, part...)
	}
	t.bits += count
	t.bytes = t.bytes[:(t.bits+7)/8]
}
