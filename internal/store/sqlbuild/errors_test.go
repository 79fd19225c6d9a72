package sqlbuild

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// The operator reacts differently to each, so the messages differ.
func TestServerFault_ResourcesAreNamed(t *testing.T) {
	t.Parallel()
	for code, message := range map[string]string{
		"53100": "the disk of the database is full; nothing can be written until space is freed",
		"53200": "the database is short of memory",
		"53300": "the database accepts no more connections",
		"53400": "the database cannot be reached now",
		"57P03": "the database cannot be reached now",
		"58030": "the database cannot read or write its disk",
	} {
		err := serverFault("transactions", &pgconn.PgError{Code: code, Message: "could not extend file \"base/1/2\""})
		require.Equal(t, chain.Unavailable, chain.KindOf(err), code)
		require.Contains(t, chain.PublicMessage(err), message, code)
		require.Equal(t, code == "57P03", IsConnectionLost(err), code)
		require.NotContains(t, chain.PublicMessage(err), "base/1/2", code)
	}
}

// A full disk of a cold server, whose errors postgres_fdw passes on, is not that of the database.
func TestServerFault_FullDiskOfAColdServerIsNamed(t *testing.T) {
	t.Parallel()
	err := serverFault("move of blocks", &pgconn.PgError{
		Code: "53100", Message: "could not extend file \"base/1/2\"", Where: "remote SQL command: INSERT INTO public.actions", Routine: "pgfdw_report_error",
	})
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.Contains(t, chain.PublicMessage(err), "the disk of a cold server is full")
}

// A server with a full disk refuses new connections by an internal error of its own.
func TestServerFault_RefusedConnectionOfAFullDiskIsNamed(t *testing.T) {
	t.Parallel()
	err := Fault(t.Context(), "ranges", fmt.Errorf("connect: %w", &pgconn.PgError{Severity: "FATAL", Code: "XX000", Message: "could not write init file"}))
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.Contains(t, chain.PublicMessage(err), "the disk of the database is full")
	err = serverFault("ranges", &pgconn.PgError{Code: "XX000", Message: "cache lookup failed"})
	require.Equal(t, chain.Internal, chain.KindOf(err))
}

// Each error of the server is one of the request, of the operator, one that another try may not have, or internal.
func TestServerFault_KindFollowsTheCode(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct {
		kind      chain.Kind
		transient bool
		lost      bool
		message   string
	}{
		"57014": {kind: chain.Unavailable, lost: false, message: "took longer than allowed"},
		"42P01": {kind: chain.Unavailable, message: "run the migrations"},
		"3D000": {kind: chain.Unavailable, message: "does not exist"},
		"22021": {kind: chain.Invalid, message: "not valid UTF-8"},
		"22P05": {kind: chain.Invalid, message: "not valid UTF-8"},
		"28P01": {kind: chain.Unavailable, message: "refuses the user"},
		"28000": {kind: chain.Unavailable, message: "refuses the user"},
		"40001": {kind: chain.Unavailable, transient: true, message: "has cancelled this query"},
		"40P01": {kind: chain.Unavailable, transient: true, message: "has cancelled this query"},
		"25006": {kind: chain.Unavailable, message: "a standby of the database"},
		"HV00N": {kind: chain.Unavailable, message: "is on another server"},
		"08006": {kind: chain.Unavailable, transient: true, lost: true, message: "cannot be reached now"},
		"57P01": {kind: chain.Unavailable, transient: true, lost: true, message: "cannot be reached now"},
		"23505": {kind: chain.Internal}, "23514": {kind: chain.Internal}, "XX000": {kind: chain.Internal}, "": {kind: chain.Internal}, "08": {kind: chain.Internal},
	} {
		pg := &pgconn.PgError{Code: code, Message: "the text of the server"}
		err := serverFault("transactions", pg)
		require.ErrorIs(t, err, pg, code)
		require.Equal(t, want.kind, chain.KindOf(err), code)
		require.Equal(t, want.transient, chain.IsTransient(err), code)
		require.Equal(t, want.lost, IsConnectionLost(err), code)
		require.Contains(t, chain.PublicMessage(err), want.message, code)
		require.NotContains(t, chain.PublicMessage(err), pg.Message, code)
		require.Equal(t, want.kind == chain.Invalid, errors.Is(err, chain.ErrText), code)
	}
}
