package store

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

// errRow means that a column does not have the form its reader expects: the statement and its reader disagree.
var errRow = errors.New("a column does not have the expected form")

// row takes the columns of one result row apart, in order and in binary form. The bytes belong to the connection until
// the next row, so every method copies. After the first misfit all methods give zero values and err tells.
type row struct {
	columns [][]byte
	err     error
}

func (r *row) next() []byte {
	if len(r.columns) == 0 {
		r.err = errRow
		return nil
	}
	column := r.columns[0]
	r.columns = r.columns[1:]
	return column
}

// fixed is the next column, which is NOT NULL and n bytes long.
func (r *row) fixed(n int) []byte {
	column := r.next()
	if len(column) != n {
		r.err = errRow
		return zeros[:n]
	}
	return column
}

// nullable is the next column, n bytes long, or nil for NULL.
func (r *row) nullable(n int) []byte {
	column := r.next()
	if column != nil && len(column) != n {
		r.err = errRow
		return nil
	}
	return column
}

var zeros [chain.AddressSize]byte

func (r *row) bool() bool   { return r.fixed(1)[0] != 0 }
func (r *row) int2() int16  { return int16(binary.BigEndian.Uint16(r.fixed(2))) }
func (r *row) int4() int32  { return int32(binary.BigEndian.Uint32(r.fixed(4))) }
func (r *row) int8() int64  { return int64(binary.BigEndian.Uint64(r.fixed(8))) }
func (r *row) lt() uint64   { return uint64(r.int8()) }
func (r *row) u32() uint32  { return uint32(r.int8()) }
func (r *row) text() string { return string(r.next()) }

// int8OrZero is a bigint, 0 for NULL.
func (r *row) int8OrZero() int64 {
	if b := r.nullable(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (r *row) int2OrZero() int16 {
	if b := r.nullable(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *row) hash() (h chain.Hash) {
	copy(h[:], r.fixed(32))
	return h
}

// hashOrZero is a hash, zero for NULL.
func (r *row) hashOrZero() (h chain.Hash) {
	copy(h[:], r.nullable(32))
	return h
}

// setHash reads a hash into place and gives its address, nil for NULL.
func (r *row) setHash(place *chain.Hash) *chain.Hash {
	b := r.nullable(32)
	if b == nil {
		return nil
	}
	copy(place[:], b)
	return place
}

func (r *row) address() (a chain.Address) {
	setAddress(&a, r.fixed(chain.AddressSize))
	return a
}

// setAddress reads an address into place and gives its address, nil for NULL.
func (r *row) setAddress(place *chain.Address) *chain.Address {
	b := r.nullable(chain.AddressSize)
	if b == nil {
		return nil
	}
	setAddress(place, b)
	return place
}

func setAddress(a *chain.Address, b []byte) {
	a.Workchain = int32(b[0]) - 128
	copy(a.ID[:], b[1:])
}

// setInt8 reads a bigint into place and gives its address, nil for NULL.
func setInt8[T ~uint64 | ~uint32](r *row, place *T) *T {
	b := r.nullable(8)
	if b == nil {
		return nil
	}
	*place = T(binary.BigEndian.Uint64(b))
	return place
}

func (r *row) setInt4(place *int32) *int32 {
	b := r.nullable(4)
	if b == nil {
		return nil
	}
	*place = int32(binary.BigEndian.Uint32(b))
	return place
}

func (r *row) setBool(place *bool) *bool {
	b := r.nullable(1)
	if b == nil {
		return nil
	}
	*place = b[0] != 0
	return place
}

// bytes copies a bytea, nil for NULL.
func (r *row) bytes() []byte {
	b := r.next()
	if b == nil {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}

func (r *row) numeric() *big.Int {
	b := r.next()
	if b == nil {
		return nil
	}
	n, ok := parseNumeric(b)
	if !ok {
		r.err = errRow
	}
	return n
}

// currencies reads extra currencies, nil for NULL.
func (r *row) currencies() chain.ExtraCurrencies {
	b := r.next()
	if b == nil {
		return nil
	}
	e, ok := parseCurrencies(b)
	if !ok {
		r.err = errRow
	}
	return e
}

// int8s reads an array of bigint without NULLs.
func (r *row) int8s() []int64 {
	const header, element = 20, 12
	b := r.next()
	if len(b) < header || (len(b)-header)%element != 0 {
		if len(b) != 12 { // an empty array has no dimension
			r.err = errRow
		}
		return nil
	}
	values := make([]int64, 0, (len(b)-header)/element)
	for b = b[header:]; len(b) > 0; b = b[element:] {
		values = append(values, int64(binary.BigEndian.Uint64(b[4:])))
	}
	return values
}

// end says whether the row fitted: no misfit, no column left.
func (r *row) end() error {
	if r.err == nil && len(r.columns) != 0 {
		return errRow
	}
	return r.err
}

// queryer is a pool, a connection or a transaction.
type queryer interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// collect runs a statement and reads every row with scan, which fills its target in place. expect is a guess of how
// many rows come.
func collect[T any](ctx context.Context, q queryer, what string, expect int, scan func(*row, *T), text string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, text, args...)
	if err != nil {
		return nil, fault(ctx, what, err)
	}
	found, err := readAll(rows, expect, scan)
	if err != nil {
		return nil, fault(ctx, what, err)
	}
	return found, nil
}

// readAll reads and closes rows.
func readAll[T any](rows pgx.Rows, expect int, scan func(*row, *T)) ([]T, error) {
	defer rows.Close()
	const most = 1024 // what a wrong guess may cost
	found := make([]T, 0, min(max(expect, 0), most))
	for rows.Next() {
		var zero T
		found = append(found, zero)
		r := row{columns: rows.RawValues()}
		scan(&r, &found[len(found)-1])
		if err := r.end(); err != nil {
			return nil, fmt.Errorf("row %d: %w", len(found), err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err //nolint:wrapcheck // the caller names what was asked
	}
	return found, nil
}

// visitRows reads and closes rows that are not kept as they are.
func visitRows(rows pgx.Rows, visit func(*row)) error {
	defer rows.Close()
	for rows.Next() {
		r := row{columns: rows.RawValues()}
		visit(&r)
		if err := r.end(); err != nil {
			return err
		}
	}
	return rows.Err() //nolint:wrapcheck // the caller names what was asked
}

// each is collect for rows that are not kept as they are.
func each(ctx context.Context, q queryer, what string, visit func(*row), text string, args ...any) error {
	rows, err := q.Query(ctx, text, args...)
	if err != nil {
		return fault(ctx, what, err)
	}
	return fault(ctx, what, visitRows(rows, visit))
}

// skip passes over n columns.
func (r *row) skip(n int) {
	for range n {
		r.next()
	}
}

// present says whether the column at distance ahead of the next one is not NULL.
func (r *row) present(ahead int) bool { return len(r.columns) > ahead && r.columns[ahead] != nil }

// time reads a timestamptz (microseconds since the year 2000), the zero time for NULL.
func (r *row) time() time.Time {
	b := r.nullable(8)
	if b == nil {
		return time.Time{}
	}
	one := row{columns: [][]byte{b}}
	return time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(one.int8()) * time.Microsecond)
}
