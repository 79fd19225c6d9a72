package readers

import (
	"encoding/binary"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// bound are the encoded values of a statement. It encodes the few types that nearly all statements bind; the driver encodes
// the values of all other statements.
type bound struct {
	values  [][]byte
	formats []int16
	memory  []byte
	driver  pgx.ExtendedQueryBuilder
}

// binaryFormat is the format of all values and of all columns.
var binaryFormat = []int16{pgtype.BinaryFormatCode}

func (b *bound) bind(types *pgtype.Map, statement *pgconn.StatementDescription, args []any) error {
	b.values, b.formats, b.memory = b.values[:0], binaryFormat, b.memory[:0]
	if len(args) == len(statement.ParamOIDs) {
		for i, arg := range args {
			if !b.add(statement.ParamOIDs[i], arg) {
				break
			}
		}
		if len(b.values) == len(args) {
			return nil
		}
	}
	err := b.driver.Build(types, statement, args)
	b.values, b.formats = b.driver.ParamValues, b.driver.ParamFormats
	return err //nolint:wrapcheck // the caller adds the name of the query
}

// add encodes a value as the type that the statement expects. It reports false for a type that it does not encode.
func (b *bound) add(oid uint32, arg any) bool {
	start := len(b.memory)
	switch v := arg.(type) {
	case []byte:
		if oid != pgtype.ByteaOID || v == nil {
			return false
		}
		b.values = append(b.values, v)
		return true
	case int64:
		if !b.integer(oid, v) {
			return false
		}
	case int:
		if !b.integer(oid, int64(v)) {
			return false
		}
	case int32:
		if !b.integer(oid, int64(v)) {
			return false
		}
	case [][]byte:
		if oid != pgtype.ByteaArrayOID || !b.byteas(v) {
			return false
		}
	case []int64:
		if oid != pgtype.Int8ArrayOID || v == nil {
			return false
		}
		b.header(pgtype.Int8OID, len(v))
		for _, n := range v {
			b.memory = binary.BigEndian.AppendUint32(b.memory, 8)
			b.memory = binary.BigEndian.AppendUint64(b.memory, uint64(n))
		}
	default:
		return false
	}
	b.values = append(b.values, b.memory[start:len(b.memory):len(b.memory)])
	return true
}

func (b *bound) integer(oid uint32, v int64) bool {
	switch {
	case oid == pgtype.Int8OID:
		b.memory = binary.BigEndian.AppendUint64(b.memory, uint64(v))
	case oid == pgtype.Int4OID && v >= math.MinInt32 && v <= math.MaxInt32:
		b.memory = binary.BigEndian.AppendUint32(b.memory, uint32(v))
	default:
		return false
	}
	return true
}

// byteas writes an array. It reports false for an array with NULLs.
func (b *bound) byteas(list [][]byte) bool {
	if list == nil {
		return false
	}
	start := len(b.memory)
	b.header(pgtype.ByteaOID, len(list))
	for _, v := range list {
		if v == nil {
			b.memory = b.memory[:start]
			return false
		}
		b.memory = binary.BigEndian.AppendUint32(b.memory, uint32(len(v)))
		b.memory = append(b.memory, v...)
	}
	return true
}

// header begins an array of one dimension.
func (b *bound) header(element uint32, n int) {
	const dimensions, nulls, first = 1, 0, 1
	for _, v := range [...]uint32{dimensions, nulls, element, uint32(n), first} {
		b.memory = binary.BigEndian.AppendUint32(b.memory, v)
	}
}
