package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// copyHeader starts a stream of COPY … (FORMAT binary): signature, flags, length of the header's extension.
const copyHeader = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// copyBuffer builds such a stream. Rows are started with row and filled column by column in the order of the COPY
// statement, with exactly the types of the columns; nothing is allocated per value. Reusable after reset.
type copyBuffer struct {
	b    []byte
	rows int
}

func (c *copyBuffer) reset() {
	c.b = append(c.b[:0], copyHeader...)
	c.rows = 0
}

func (c *copyBuffer) row(columns int) {
	c.b = binary.BigEndian.AppendUint16(c.b, uint16(columns))
	c.rows++
}

func (c *copyBuffer) null() { c.b = append(c.b, 0xff, 0xff, 0xff, 0xff) }

func (c *copyBuffer) bool(v bool) {
	c.b = append(c.b, 0, 0, 0, 1, 0)
	if v {
		c.b[len(c.b)-1] = 1
	}
}

func (c *copyBuffer) int2(v int16) {
	c.b = append(c.b, 0, 0, 0, 2)
	c.b = binary.BigEndian.AppendUint16(c.b, uint16(v))
}

func (c *copyBuffer) int4(v int32) {
	c.b = append(c.b, 0, 0, 0, 4)
	c.b = binary.BigEndian.AppendUint32(c.b, uint32(v))
}

func (c *copyBuffer) int8(v int64) {
	c.b = append(c.b, 0, 0, 0, 8)
	c.b = binary.BigEndian.AppendUint64(c.b, uint64(v))
}

func (c *copyBuffer) bytes(v []byte) {
	c.b = binary.BigEndian.AppendUint32(c.b, uint32(len(v)))
	c.b = append(c.b, v...)
}

func (c *copyBuffer) text(v string) {
	c.b = binary.BigEndian.AppendUint32(c.b, uint32(len(v)))
	c.b = append(c.b, v...)
}

func (c *copyBuffer) hash(h *chain.Hash) {
	if h == nil {
		c.null()
		return
	}
	c.bytes(h[:])
}

// hashUnlessZero writes NULL for the zero hash.
func (c *copyBuffer) hashUnlessZero(h *chain.Hash) {
	if h.IsZero() {
		c.null()
		return
	}
	c.bytes(h[:])
}

func (c *copyBuffer) address(a *chain.Address) {
	if a == nil {
		c.null()
		return
	}
	c.b = append(c.b, 0, 0, 0, chain.AddressSize, byte(a.Workchain+128))
	c.b = append(c.b, a.ID[:]...)
}

// optional writes v as a bigint, NULL when nil.
func optional[T ~uint64 | ~int64 | ~uint32 | ~int32](c *copyBuffer, v *T) {
	if v == nil {
		c.null()
		return
	}
	c.int8(int64(*v))
}

func (c *copyBuffer) optionalBool(v *bool) {
	if v == nil {
		c.null()
		return
	}
	c.bool(*v)
}

func (c *copyBuffer) optionalInt4(v *int32) {
	if v == nil {
		c.null()
		return
	}
	c.int4(*v)
}

// currencies writes extra currencies as jsonb, NULL when there are none.
func (c *copyBuffer) currencies(e chain.ExtraCurrencies) {
	if len(e) == 0 {
		c.null()
		return
	}
	c.sized(func() {
		c.b = append(c.b, 1) // version of jsonb's binary form
		c.b = appendCurrencies(c.b, e)
	})
}

func (c *copyBuffer) numeric(n *big.Int) {
	if n == nil {
		c.null()
		return
	}
	c.sized(func() { c.b = appendNumeric(c.b, n) })
}

// int8s writes an array of bigint without NULLs.
func (c *copyBuffer) int8s(n int, at func(int) int64) {
	const oidInt8 = 20
	c.sized(func() {
		for _, v := range [...]uint32{1, 0, oidInt8, uint32(n), 1} { // dimensions, has NULLs, type, length, lower bound
			c.b = binary.BigEndian.AppendUint32(c.b, v)
		}
		if n == 0 { // an empty array has no dimension
			c.b = c.b[:len(c.b)-8]
			binary.BigEndian.PutUint32(c.b[len(c.b)-12:], 0)
		}
		for i := range n {
			c.int8(at(i))
		}
	})
}

// sized prefixes what write appends with its length.
func (c *copyBuffer) sized(write func()) {
	at := len(c.b)
	c.b = append(c.b, 0, 0, 0, 0)
	write()
	binary.BigEndian.PutUint32(c.b[at:], uint32(len(c.b)-at-4))
}

// send copies the rows into a table; without rows it does nothing.
func (c *copyBuffer) send(ctx context.Context, tx pgx.Tx, table, columns string) error {
	if c.rows == 0 {
		return nil
	}
	c.b = binary.BigEndian.AppendUint16(c.b, 0xffff)
	tag, err := tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(c.b),
		"COPY "+table+" ("+columns+") FROM STDIN WITH (FORMAT binary)")
	if err != nil {
		return fmt.Errorf("copy into %s: %w", table, err)
	}
	if tag.RowsAffected() != int64(c.rows) {
		return fmt.Errorf("copy into %s: %d rows of %d arrived", table, tag.RowsAffected(), c.rows)
	}
	return nil
}

func (c *copyBuffer) nulls(n int) {
	for range n {
		c.null()
	}
}
