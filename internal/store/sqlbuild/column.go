package sqlbuild

import (
	"encoding/binary"
	"encoding/json"
	"math/big"
	"strings"

	"tonql/internal/chain"
)

// Columns that only records of contracts have. Their texts are untrusted input.

// Storable is text as PostgreSQL takes it: valid UTF-8 without the character NUL.
func Storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// AsJSON is v as JSON; nothing that is stored this way can fail to be written.
func AsJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return b
}

// JSON writes v as JSON.
func (c *CopyBuffer) JSON(v any) { c.Bytes(AsJSON(v)) }

// Content writes on-chain content, an empty object for nil.
func (c *CopyBuffer) Content(content chain.Content) {
	if content == nil {
		content = chain.Content{}
	}
	c.JSON(content)
}

// Amount writes a number that is NOT NULL, 0 for nil.
func (c *CopyBuffer) Amount(n *big.Int) {
	if n == nil {
		n = new(big.Int)
	}
	c.Numeric(n)
}

// AddressOrEmpty writes an address, the empty bytea for nil.
func (c *CopyBuffer) AddressOrEmpty(a *chain.Address) {
	if a == nil {
		c.Bytes(nil)
		return
	}
	c.Address(a)
}

// Addresses writes a list of addresses as one bytea.
func (c *CopyBuffer) Addresses(list []chain.Address) {
	c.Sized(func() {
		for i := range list {
			_, c.B = appendAddress(c.B, &list[i])
		}
	})
}

// BOC writes a BoC, NULL for nil.
func (c *CopyBuffer) BOC(b chain.BOC) {
	if b == nil {
		c.Null()
		return
	}
	c.Bytes(b)
}

// Texts writes an array of text, NULL for nil.
func (c *CopyBuffer) Texts(list []string) {
	const oidText = 25
	if list == nil {
		c.Null()
		return
	}
	c.Sized(func() {
		if len(list) == 0 {
			for _, v := range [...]uint32{0, 0, oidText} { // no dimension
				c.B = binary.BigEndian.AppendUint32(c.B, v)
			}
			return
		}
		for _, v := range [...]uint32{1, 0, oidText, uint32(len(list)), 1} { // as in int8s
			c.B = binary.BigEndian.AppendUint32(c.B, v)
		}
		for _, s := range list {
			c.Text(Storable(s))
		}
	})
}

// Content reads on-chain content.
func (r *Row) Content() chain.Content {
	content := chain.Content{}
	r.JSON(&content)
	return content
}

// JSON reads JSON into v; NULL leaves v as it is.
func (r *Row) JSON(v any) {
	b := r.Next()
	if b == nil {
		return
	}
	if err := json.Unmarshal(b, v); err != nil {
		r.Err = ErrRow
	}
}

// AddressOrEmpty reads an address that may be the empty bytea, nil then.
func (r *Row) AddressOrEmpty(place *chain.Address) *chain.Address {
	b := r.Next()
	switch len(b) {
	case 0:
		return nil
	case chain.AddressSize:
		SetAddress(place, b)
		return place
	default:
		r.Err = ErrRow
		return nil
	}
}

// Addresses reads a list of addresses, nil for NULL.
func (r *Row) Addresses() []chain.Address {
	b := r.Next()
	if b == nil {
		return nil
	}
	if len(b)%chain.AddressSize != 0 {
		r.Err = ErrRow
		return nil
	}
	list := make([]chain.Address, len(b)/chain.AddressSize)
	for i := range list {
		SetAddress(&list[i], b[i*chain.AddressSize:])
	}
	return list
}

// Elements walks over an array of one dimension without NULLs; false for NULL.
func (r *Row) Elements(visit func(n int, element []byte)) bool {
	const empty, header = 12, 20 // without and with a dimension
	b := r.Next()
	if b == nil {
		return false
	}
	if len(b) == empty {
		return true
	}
	if len(b) < header {
		r.Err = ErrRow
		return true
	}
	n := int(binary.BigEndian.Uint32(b[empty:]))
	b = b[header:]
	for range n {
		if len(b) < 4 || int(binary.BigEndian.Uint32(b)) > len(b)-4 {
			r.Err = ErrRow
			return true
		}
		size := int(binary.BigEndian.Uint32(b))
		visit(n, b[4:4+size])
		b = b[4+size:]
	}
	return true
}

// Texts reads an array of text, nil for NULL.
func (r *Row) Texts() []string {
	list := []string{}
	if !r.Elements(func(n int, element []byte) {
		if cap(list) == 0 {
			list = make([]string, 0, n)
		}
		list = append(list, string(element))
	}) {
		return nil
	}
	return list
}

// Int4s reads an array of int, nil for NULL.
func (r *Row) Int4s() []int32 {
	list := []int32{}
	if !r.Elements(func(n int, element []byte) {
		if len(element) != 4 {
			r.Err = ErrRow
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

// SetText reads a text, nil for NULL.
func (r *Row) SetText() *string {
	b := r.Next()
	if b == nil {
		return nil
	}
	s := string(b)
	return &s
}

// TextOrEmpty writes a text, NULL when it is empty.
func (c *CopyBuffer) TextOrEmpty(s string) {
	if s == "" {
		c.Null()
		return
	}
	c.Text(Storable(s))
}

// OptionalText writes a text, NULL for nil.
func (c *CopyBuffer) OptionalText(s *string) {
	if s == nil {
		c.Null()
		return
	}
	c.Text(Storable(*s))
}

// OptionalTime writes unix seconds, NULL for nil.
func (c *CopyBuffer) OptionalTime(at *uint32) {
	if at == nil {
		c.Null()
		return
	}
	c.Int8(int64(*at))
}

// OptionalTime reads unix seconds, nil for NULL.
func (r *Row) OptionalTime() *uint32 {
	b := r.nullable(8)
	if b == nil {
		return nil
	}
	at := uint32(binary.BigEndian.Uint64(b))
	return &at
}

// OptionalInt writes a bigint, NULL for nil.
func (c *CopyBuffer) OptionalInt(v *int) {
	if v == nil {
		c.Null()
		return
	}
	c.Int8(int64(*v))
}

// SetInt reads a bigint, nil for NULL.
func (r *Row) SetInt() *int {
	v := SetInt8(r, new(uint64))
	if v == nil {
		return nil
	}
	n := int(int64(*v))
	return &n
}

// OptionalHash is the argument for a hash that may be absent: 32 bytes, or NULL.
func OptionalHash(h *chain.Hash) []byte {
	if h == nil {
		return nil
	}
	return h[:]
}
