package store

import (
	"encoding/binary"
	"encoding/json"
	"math/big"
	"strings"

	"tonql/internal/chain"
)

// Columns that only records of contracts have. Their texts were written by strangers and may hold anything.

// storable is text as PostgreSQL takes it: valid UTF-8 without the character NUL.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// asJSON is v as JSON; nothing that is stored this way can fail to be written.
func asJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return b
}

func (c *copyBuffer) json(v any) { c.bytes(asJSON(v)) }

// content writes on-chain content, an empty object for nil.
func (c *copyBuffer) content(content chain.Content) {
	if content == nil {
		content = chain.Content{}
	}
	c.json(content)
}

// amount writes a number that is NOT NULL, 0 for nil.
func (c *copyBuffer) amount(n *big.Int) {
	if n == nil {
		n = new(big.Int)
	}
	c.numeric(n)
}

// addressOrEmpty writes an address, the empty bytea for nil.
func (c *copyBuffer) addressOrEmpty(a *chain.Address) {
	if a == nil {
		c.bytes(nil)
		return
	}
	c.address(a)
}

// addresses writes a list of addresses as one bytea.
func (c *copyBuffer) addresses(list []chain.Address) {
	c.sized(func() {
		for i := range list {
			_, c.b = appendAddress(c.b, &list[i])
		}
	})
}

// boc writes a BoC, NULL for nil.
func (c *copyBuffer) boc(b chain.BOC) {
	if b == nil {
		c.null()
		return
	}
	c.bytes(b)
}

// texts writes an array of text, NULL for nil.
func (c *copyBuffer) texts(list []string) {
	const oidText = 25
	if list == nil {
		c.null()
		return
	}
	c.sized(func() {
		if len(list) == 0 {
			for _, v := range [...]uint32{0, 0, oidText} { // no dimension
				c.b = binary.BigEndian.AppendUint32(c.b, v)
			}
			return
		}
		for _, v := range [...]uint32{1, 0, oidText, uint32(len(list)), 1} { // as in int8s
			c.b = binary.BigEndian.AppendUint32(c.b, v)
		}
		for _, s := range list {
			c.text(storable(s))
		}
	})
}

// content reads on-chain content.
func (r *row) content() chain.Content {
	content := chain.Content{}
	r.json(&content)
	return content
}

// json reads JSON into v; NULL leaves v as it is.
func (r *row) json(v any) {
	b := r.next()
	if b == nil {
		return
	}
	if err := json.Unmarshal(b, v); err != nil {
		r.err = errRow
	}
}

// addressOrEmpty reads an address that may be the empty bytea, nil then.
func (r *row) addressOrEmpty(place *chain.Address) *chain.Address {
	b := r.next()
	switch len(b) {
	case 0:
		return nil
	case chain.AddressSize:
		setAddress(place, b)
		return place
	default:
		r.err = errRow
		return nil
	}
}

// addresses reads a list of addresses, nil for NULL.
func (r *row) addresses() []chain.Address {
	b := r.next()
	if b == nil {
		return nil
	}
	if len(b)%chain.AddressSize != 0 {
		r.err = errRow
		return nil
	}
	list := make([]chain.Address, len(b)/chain.AddressSize)
	for i := range list {
		setAddress(&list[i], b[i*chain.AddressSize:])
	}
	return list
}

// elements walks over an array of one dimension without NULLs; false for NULL.
func (r *row) elements(visit func(n int, element []byte)) bool {
	const bare, header = 12, 20 // without and with a dimension
	b := r.next()
	if b == nil {
		return false
	}
	if len(b) == bare {
		return true
	}
	if len(b) < header {
		r.err = errRow
		return true
	}
	n := int(binary.BigEndian.Uint32(b[bare:]))
	b = b[header:]
	for range n {
		if len(b) < 4 || int(binary.BigEndian.Uint32(b)) > len(b)-4 {
			r.err = errRow
			return true
		}
		size := int(binary.BigEndian.Uint32(b))
		visit(n, b[4:4+size])
		b = b[4+size:]
	}
	return true
}

// texts reads an array of text, nil for NULL.
func (r *row) texts() []string {
	list := []string{}
	if !r.elements(func(n int, element []byte) {
		if cap(list) == 0 {
			list = make([]string, 0, n)
		}
		list = append(list, string(element))
	}) {
		return nil
	}
	return list
}

// int4s reads an array of int, nil for NULL.
func (r *row) int4s() []int32 {
	list := []int32{}
	if !r.elements(func(n int, element []byte) {
		if len(element) != 4 {
			r.err = errRow
			return
		}
		if cap(list) == 0 {
			list = make([]int32, 0, n)
		}
		list = append(list, int32(binary.BigEndian.Uint32(element)))
	}) {
		return nil
	}
	return list
}

// setText reads a text, nil for NULL.
func (r *row) setText() *string {
	b := r.next()
	if b == nil {
		return nil
	}
	s := string(b)
	return &s
}

// textOrEmpty writes a text, NULL when it is empty.
func (c *copyBuffer) textOrEmpty(s string) {
	if s == "" {
		c.null()
		return
	}
	c.text(storable(s))
}

// optionalText writes a text, NULL for nil.
func (c *copyBuffer) optionalText(s *string) {
	if s == nil {
		c.null()
		return
	}
	c.text(storable(*s))
}

// optionalTime writes unix seconds, NULL for nil.
func (c *copyBuffer) optionalTime(at *uint32) {
	if at == nil {
		c.null()
		return
	}
	c.int8(int64(*at))
}

// optionalTime reads unix seconds, nil for NULL.
func (r *row) optionalTime() *uint32 {
	b := r.nullable(8)
	if b == nil {
		return nil
	}
	at := uint32(binary.BigEndian.Uint64(b))
	return &at
}

// optionalInt writes a bigint, NULL for nil.
func (c *copyBuffer) optionalInt(v *int) {
	if v == nil {
		c.null()
		return
	}
	c.int8(int64(*v))
}

// setInt reads a bigint, nil for NULL.
func (r *row) setInt() *int {
	v := setInt8(r, new(uint64))
	if v == nil {
		return nil
	}
	n := int(int64(*v))
	return &n
}
