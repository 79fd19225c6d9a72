package readers

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"
)

// Parameters are encoded byte for byte as the driver encodes them; those of other types are passed to the driver.
func TestBind_EqualsTheDriversEncoding(t *testing.T) {
	t.Parallel()
	types := pgtype.NewMap()
	for _, c := range []struct {
		oid uint32
		arg any
		own bool
	}{
		{pgtype.ByteaOID, []byte{1, 2, 3}, true},
		{pgtype.ByteaOID, []byte{}, true},
		{pgtype.ByteaOID, []byte(nil), false},
		{pgtype.Int8OID, int64(-5), true},
		{pgtype.Int8OID, 10, true},
		{pgtype.Int8OID, int32(-1), true},
		{pgtype.Int4OID, int32(-1), true},
		{pgtype.Int4OID, int64(7), true},
		{pgtype.Int2OID, int16(7), false},
		{pgtype.ByteaArrayOID, [][]byte{{1}, {}, {2, 3}}, true},
		{pgtype.ByteaArrayOID, [][]byte{}, true},
		{pgtype.ByteaArrayOID, [][]byte(nil), false},
		{pgtype.ByteaArrayOID, [][]byte{{1}, nil}, false},
		{pgtype.Int8ArrayOID, []int64{1, -1, 1 << 62}, true},
		{pgtype.Int8ArrayOID, []int64{}, true},
		{pgtype.Int4ArrayOID, []int32{1, 2}, false},
		{pgtype.TextOID, "a", false},
		{pgtype.BoolOID, true, false},
		{pgtype.NumericOID, nil, false},
	} {
		statement := &pgconn.StatementDescription{ParamOIDs: []uint32{c.oid}}
		var b bound
		require.Equal(t, c.own, b.add(c.oid, c.arg), "%d %v", c.oid, c.arg)
		require.NoError(t, b.bind(types, statement, []any{c.arg}))
		var driver pgx.ExtendedQueryBuilder
		require.NoError(t, driver.Build(types, statement, []any{c.arg}))
		require.Equal(t, driver.ParamValues, b.values, "%d %v", c.oid, c.arg)
		require.Equal(t, driver.ParamFormats, b.formats, "%d %v", c.oid, c.arg)
	}
	require.Error(t, new(bound).bind(types, &pgconn.StatementDescription{ParamOIDs: []uint32{pgtype.Int4OID}}, []any{int64(1) << 40}))
	require.Error(t, new(bound).bind(types, &pgconn.StatementDescription{}, []any{1}))
}
