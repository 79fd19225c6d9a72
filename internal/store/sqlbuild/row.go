package sqlbuild

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// ErrRow is the error of a column that does not have the form that its reader expects: the statement and its reader disagree.
var ErrRow = errors.New("a column does not have the expected form")

// Row reads the columns of one result row in order, in binary form. The bytes belong to the connection until
// the next row, so every method copies. After the first misfit all methods return zero values and Err is set.
type Row struct {
	Columns [][]byte
	Err     error
}

// Next returns the bytes of the next column, nil for NULL. They are valid until the next row.
func (r *Row) Next() []byte {
	if len(r.Columns) == 0 {
		r.Err = ErrRow
		return nil
	}
	column := r.Columns[0]
	r.Columns = r.Columns[1:]
	return column
}

// fixed returns the next column, which is NOT NULL and n bytes long.
func (r *Row) fixed(n int) []byte {
	column := r.Next()
	if len(column) != n {
		r.Err = ErrRow
		return zeros[:n]
	}
	return column
}

// nullable returns the next column, n bytes long, or nil for NULL.
func (r *Row) nullable(n int) []byte {
	column := r.Next()
	if column != nil && len(column) != n {
		r.Err = ErrRow
		return nil
	}
	return column
}

var zeros [chain.AddressSize]byte

// Bool reads a boolean.
func (r *Row) Bool() bool { return r.fixed(1)[0] != 0 }

// Int2 reads a smallint.
func (r *Row) Int2() int16 { return int16(binary.BigEndian.Uint16(r.fixed(2))) }

// Int4 reads an int.
func (r *Row) Int4() int32 { return int32(binary.BigEndian.Uint32(r.fixed(4))) }

// Int8 reads a bigint.
func (r *Row) Int8() int64 { return int64(binary.BigEndian.Uint64(r.fixed(8))) }

// LT reads a bigint as an LT.
func (r *Row) LT() uint64 { return uint64(r.Int8()) }

// Uint32 reads a bigint as a uint32.
func (r *Row) Uint32() uint32 { return narrowed[uint32](r, r.Int8()) }

// Uint16 reads an int as a uint16.
func (r *Row) Uint16() uint16 { return narrowed[uint16](r, int64(r.Int4())) }

// Uint8 reads a smallint as a uint8.
func (r *Row) Uint8() uint8 { return narrowed[uint8](r, int64(r.Int2())) }

// SmallInt8 reads a smallint as an int8.
func (r *Row) SmallInt8() int8 { return narrowed[int8](r, int64(r.Int2())) }

// narrowed returns a value in a smaller type. A value that does not fit is damage, which must not look like another value.
func narrowed[T ~int8 | ~uint8 | ~uint16 | ~uint32 | ~uint64](r *Row, v int64) T {
	n := T(v)
	if int64(n) != v {
		r.Err = ErrRow
	}
	return n
}

// Text reads a text, empty for NULL.
func (r *Row) Text() string { return string(r.Next()) }

// Int8OrZero reads a bigint, 0 for NULL.
func (r *Row) Int8OrZero() int64 {
	if b := r.nullable(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// Int2OrZero reads a smallint, 0 for NULL.
func (r *Row) Int2OrZero() int16 {
	if b := r.nullable(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

// Hash reads a hash.
func (r *Row) Hash() (h chain.Hash) {
	copy(h[:], r.fixed(32))
	return h
}

// HashOrZero reads a hash, the zero hash for NULL.
func (r *Row) HashOrZero() (h chain.Hash) {
	copy(h[:], r.nullable(32))
	return h
}

// SetHash reads a hash into place and returns its address, nil for NULL.
func (r *Row) SetHash(place *chain.Hash) *chain.Hash {
	b := r.nullable(32)
	if b == nil {
		return nil
	}
	copy(place[:], b)
	return place
}

// Address reads an address.
func (r *Row) Address() (a chain.Address) {
	SetAddress(&a, r.fixed(chain.AddressSize))
	return a
}

// SetAddress reads an address into place and returns its address, nil for NULL.
func (r *Row) SetAddress(place *chain.Address) *chain.Address {
	b := r.nullable(chain.AddressSize)
	if b == nil {
		return nil
	}
	SetAddress(place, b)
	return place
}

// SetAddress reads the stored form of an address into a.
func SetAddress(a *chain.Address, b []byte) {
	a.Workchain = int32(b[0]) - 128
	copy(a.ID[:], b[1:])
}

// SetInt8 reads a bigint into place and returns its address, nil for NULL.
func SetInt8[T ~uint64 | ~uint32](r *Row, place *T) *T {
	b := r.nullable(8)
	if b == nil {
		return nil
	}
	*place = narrowed[T](r, int64(binary.BigEndian.Uint64(b)))
	return place
}

// OptionalInt8 reads a bigint, nil for NULL.
func (r *Row) OptionalInt8() *int64 {
	b := r.nullable(8)
	if b == nil {
		return nil
	}
	return new(int64(binary.BigEndian.Uint64(b)))
}

// SetInt4 reads an int into place and returns its address, nil for NULL.
func (r *Row) SetInt4(place *int32) *int32 {
	b := r.nullable(4)
	if b == nil {
		return nil
	}
	*place = int32(binary.BigEndian.Uint32(b))
	return place
}

// SetBool reads a boolean into place and returns its address, nil for NULL.
func (r *Row) SetBool(place *bool) *bool {
	b := r.nullable(1)
	if b == nil {
		return nil
	}
	*place = b[0] != 0
	return place
}

// Bytes copies a bytea, nil for NULL.
func (r *Row) Bytes() []byte {
	b := r.Next()
	if b == nil {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}

// Record reads a record of ROW(…) as a row, nil for NULL.
func (r *Row) Record() *Row {
	const count, header = 4, 8 // number of fields; of each its type and its length, -1 for NULL
	b := r.Next()
	if b == nil {
		return nil
	}
	if len(b) < count {
		r.Err = ErrRow
		return nil
	}
	record := &Row{Columns: make([][]byte, 0, binary.BigEndian.Uint32(b)&0xffff)}
	for b = b[count:]; len(b) >= header; {
		length := int(int32(binary.BigEndian.Uint32(b[4:])))
		b = b[header:]
		if length < 0 {
			record.Columns = append(record.Columns, nil)
			continue
		}
		if length > len(b) {
			break
		}
		record.Columns = append(record.Columns, b[:length:length])
		b = b[length:]
	}
	if len(b) > 0 {
		r.Err = ErrRow
	}
	return record
}

// Numeric reads a numeric, nil for NULL.
func (r *Row) Numeric() *big.Int {
	b := r.Next()
	if b == nil {
		return nil
	}
	n, ok := parseNumeric(b)
	if !ok {
		r.Err = ErrRow
	}
	return n
}

// Currencies reads extra currencies, nil for NULL.
func (r *Row) Currencies() chain.ExtraCurrencies {
	b := r.Next()
	if b == nil {
		return nil
	}
	e, ok := parseCurrencies(b)
	if !ok {
		r.Err = ErrRow
	}
	return e
}

// Int8s reads an array of bigint without NULLs.
func (r *Row) Int8s() []int64 {
	const header, element = 20, 12
	b := r.Next()
	if len(b) < header || (len(b)-header)%element != 0 {
		if len(b) != 12 { // an empty array has no dimension
			r.Err = ErrRow
		}
		return nil
	}
	values := make([]int64, 0, (len(b)-header)/element)
	for b = b[header:]; len(b) > 0; b = b[element:] {
		values = append(values, int64(binary.BigEndian.Uint64(b[4:])))
	}
	return values
}

// End reports whether the row fitted: no misfit, no column left.
func (r *Row) end() error {
	if r.Err == nil && len(r.Columns) != 0 {
		return ErrRow
	}
	return r.Err
}

// Queryer is a pool, a connection or a transaction.
type Queryer interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Source is a pool, a connection, a transaction or a snapshot that also runs batches.
type Source interface {
	Queryer
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// TxSource is a Source that begins transactions, each of which reads one state of the index.
type TxSource interface {
	Source
	BeginTx(ctx context.Context, opts pgx.TxOptions) (pgx.Tx, error)
}

// Collect runs a statement and reads every row with scan, which fills its target in place. expect is an estimate of the
// number of rows.
func Collect[T any](ctx context.Context, q Queryer, what string, expect int, scan func(*Row, *T), text string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, text, args...)
	if err != nil {
		return nil, Fault(ctx, what, err)
	}
	found, err := ReadAll(rows, expect, scan)
	if err != nil {
		return nil, Fault(ctx, what, err)
	}
	return found, nil
}

// ReadAll reads all rows with scan and closes them. expect is an estimate of their number.
func ReadAll[T any](rows pgx.Rows, expect int, scan func(*Row, *T)) ([]T, error) {
	defer rows.Close()
	const maxExpect = 4096 // limits the cost of a wrong estimate
	found := make([]T, 0, min(max(expect, 0), maxExpect))
	for rows.Next() {
		var zero T
		found = append(found, zero)
		r := Row{Columns: rows.RawValues()}
		scan(&r, &found[len(found)-1])
		if err := r.end(); err != nil {
			return nil, fmt.Errorf("row %d: %w", len(found), err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err //nolint:wrapcheck // the caller adds the name of the query
	}
	return found, nil
}

// VisitRows reads and closes rows, and calls visit with each.
func VisitRows(rows pgx.Rows, visit func(*Row)) error {
	defer rows.Close()
	for rows.Next() {
		r := Row{Columns: rows.RawValues()}
		visit(&r)
		if err := r.end(); err != nil {
			return err
		}
	}
	return rows.Err() //nolint:wrapcheck // the caller adds the name of the query
}

// Each runs a statement and calls visit with each row.
func Each(ctx context.Context, q Queryer, what string, visit func(*Row), text string, args ...any) error {
	rows, err := q.Query(ctx, text, args...)
	if err != nil {
		return Fault(ctx, what, err)
	}
	return Fault(ctx, what, VisitRows(rows, visit))
}

// Skip skips n columns.
func (r *Row) Skip(n int) {
	for range n {
		r.Next()
	}
}

// Present reports whether the column at distance ahead of the next one is not NULL.
func (r *Row) Present(ahead int) bool { return len(r.Columns) > ahead && r.Columns[ahead] != nil }

// Time reads a timestamptz (microseconds since the year 2000), the zero time for NULL.
func (r *Row) Time() time.Time {
	b := r.nullable(8)
	if b == nil {
		return time.Time{}
	}
	one := Row{Columns: [][]byte{b}}
	return time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(one.Int8()) * time.Microsecond)
}
