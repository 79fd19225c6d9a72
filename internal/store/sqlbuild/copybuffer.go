package sqlbuild

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

// CopyBuffer builds a stream of COPY … (FORMAT binary). Call Reset before the first row, Row for each row, then one
// method for each column in the order of the COPY statement, with exactly the types of the columns. Nothing is
// allocated per value.
type CopyBuffer struct {
	B    []byte
	rows int
}

// Reset starts an empty stream.
func (c *CopyBuffer) Reset() {
	c.B = append(c.B[:0], copyHeader...)
	c.rows = 0
}

// Row starts a row.
func (c *CopyBuffer) Row(columns int) {
	c.B = binary.BigEndian.AppendUint16(c.B, uint16(columns))
	c.rows++
}

// Null writes NULL.
func (c *CopyBuffer) Null() { c.B = append(c.B, 0xff, 0xff, 0xff, 0xff) }

// Bool writes a boolean.
func (c *CopyBuffer) Bool(v bool) {
	c.B = append(c.B, 0, 0, 0, 1, 0)
	if v {
		c.B[len(c.B)-1] = 1
	}
}

// Int2 writes a smallint.
func (c *CopyBuffer) Int2(v int16) {
	c.B = append(c.B, 0, 0, 0, 2)
	c.B = binary.BigEndian.AppendUint16(c.B, uint16(v))
}

// Int4 writes an int.
func (c *CopyBuffer) Int4(v int32) {
	c.B = append(c.B, 0, 0, 0, 4)
	c.B = binary.BigEndian.AppendUint32(c.B, uint32(v))
}

// Int8 writes a bigint.
func (c *CopyBuffer) Int8(v int64) {
	c.B = append(c.B, 0, 0, 0, 8)
	c.B = binary.BigEndian.AppendUint64(c.B, uint64(v))
}

// Bytes writes a bytea.
func (c *CopyBuffer) Bytes(v []byte) {
	c.B = binary.BigEndian.AppendUint32(c.B, uint32(len(v)))
	c.B = append(c.B, v...)
}

// Text writes a text.
func (c *CopyBuffer) Text(v string) {
	c.B = binary.BigEndian.AppendUint32(c.B, uint32(len(v)))
	c.B = append(c.B, v...)
}

// Hash writes a hash, NULL for nil.
func (c *CopyBuffer) Hash(h *chain.Hash) {
	if h == nil {
		c.Null()
		return
	}
	c.Bytes(h[:])
}

// HashUnlessZero writes NULL for the zero hash.
func (c *CopyBuffer) HashUnlessZero(h *chain.Hash) {
	if h.IsZero() {
		c.Null()
		return
	}
	c.Bytes(h[:])
}

// Address writes an address, NULL for nil.
func (c *CopyBuffer) Address(a *chain.Address) {
	if a == nil {
		c.Null()
		return
	}
	c.B = append(c.B, 0, 0, 0, chain.AddressSize, byte(a.Workchain+128))
	c.B = append(c.B, a.ID[:]...)
}

// Optional writes v as a bigint, NULL when nil.
func Optional[T ~uint64 | ~int64 | ~uint32 | ~int32](c *CopyBuffer, v *T) {
	if v == nil {
		c.Null()
		return
	}
	c.Int8(int64(*v))
}

// OptionalBool writes a boolean, NULL for nil.
func (c *CopyBuffer) OptionalBool(v *bool) {
	if v == nil {
		c.Null()
		return
	}
	c.Bool(*v)
}

// OptionalInt4 writes an int, NULL for nil.
func (c *CopyBuffer) OptionalInt4(v *int32) {
	if v == nil {
		c.Null()
		return
	}
	c.Int4(*v)
}

// Currencies writes extra currencies as jsonb, NULL when there are none.
func (c *CopyBuffer) Currencies(e chain.ExtraCurrencies) {
	if len(e) == 0 {
		c.Null()
		return
	}
	c.Sized(func() {
		c.B = append(c.B, 1) // version of jsonb's binary form
		c.B = appendCurrencies(c.B, e)
	})
}

// Numeric writes a numeric, NULL for nil.
func (c *CopyBuffer) Numeric(n *big.Int) {
	if n == nil {
		c.Null()
		return
	}
	c.Sized(func() { c.B = appendNumeric(c.B, n) })
}

// Int8s writes an array of bigint without NULLs.
func (c *CopyBuffer) Int8s(n int, at func(int) int64) {
	const oidInt8 = 20
	c.Sized(func() {
		for _, v := range [...]uint32{1, 0, oidInt8, uint32(n), 1} { // dimensions, has NULLs, type, length, lower bound
			c.B = binary.BigEndian.AppendUint32(c.B, v)
		}
		if n == 0 { // an empty array has no dimension
			c.B = c.B[:len(c.B)-8]
			binary.BigEndian.PutUint32(c.B[len(c.B)-12:], 0)
		}
		for i := range n {
			c.Int8(at(i))
		}
	})
}

// Sized prefixes what write appends with its length.
func (c *CopyBuffer) Sized(write func()) {
	at := len(c.B)
	c.B = append(c.B, 0, 0, 0, 0)
	write()
	binary.BigEndian.PutUint32(c.B[at:], uint32(len(c.B)-at-4))
}

// Send copies the rows into a table; without rows it does nothing.
func (c *CopyBuffer) Send(ctx context.Context, tx pgx.Tx, table, columns string) error {
	if c.rows == 0 {
		return nil
	}
	c.B = binary.BigEndian.AppendUint16(c.B, 0xffff)
	text := "COPY " + table + " (" + columns + ") FROM STDIN WITH (FORMAT binary)"
	conn := tx.Conn()
	tracer := conn.Config().Tracer // pgx does not call it for a COPY of the connection below it
	if tracer != nil {
		ctx = tracer.TraceQueryStart(ctx, conn, pgx.TraceQueryStartData{SQL: text})
	}
	tag, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(c.B), text)
	if tracer != nil {
		tracer.TraceQueryEnd(ctx, conn, pgx.TraceQueryEndData{CommandTag: tag, Err: err})
	}
	if err != nil {
		c.B = nil // a COPY that was interrupted may still be read from it
		return fmt.Errorf("copy into %s: %w", table, err)
	}
	if tag.RowsAffected() != int64(c.rows) {
		return fmt.Errorf("copy into %s: %d rows of %d arrived", table, tag.RowsAffected(), c.rows)
	}
	return nil
}

// Part is the size, in bytes, of what is sent to PostgreSQL at once. Cells that are shared on the chain are not shared in rows, so
// the rows of one block may have any size.
const Part = 8 << 20

// SendPart copies the rows once there are [Part] bytes of them, and starts an empty stream then. Call it after each row of a
// table whose rows may be large, and [CopyBuffer.Send] after the last one.
func (c *CopyBuffer) SendPart(ctx context.Context, tx pgx.Tx, table, columns string) error {
	if len(c.B) < Part {
		return nil
	}
	if err := c.Send(ctx, tx, table, columns); err != nil {
		return err
	}
	c.Reset()
	return nil
}

// Nulls writes n NULLs.
func (c *CopyBuffer) Nulls(n int) {
	for range n {
		c.Null()
	}
}

// Fields returns the values of the only row of a buffer that was not reset, in the binary format; nil for NULL.
func (c *CopyBuffer) Fields() [][]byte {
	values := make([][]byte, binary.BigEndian.Uint16(c.B))
	rest := c.B[2:]
	for i := range values {
		length := int32(binary.BigEndian.Uint32(rest))
		if rest = rest[4:]; length < 0 {
			continue
		}
		values[i], rest = rest[:length:length], rest[length:]
	}
	return values
}
