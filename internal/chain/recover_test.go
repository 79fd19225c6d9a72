package chain_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestRecover_PanicsBecomeInternalErrors(t *testing.T) {
	t.Parallel()
	run := func(f func() error) (err error) {
		defer chain.Recover(&err)
		return f()
	}
	failed := errors.New("failed")
	require.ErrorIs(t, run(func() error { return failed }), failed)
	require.NoError(t, run(func() error { return nil }))
	var none *chain.Block
	err := run(func() error { none.Seqno++; return nil })
	require.ErrorContains(t, err, "nil pointer")
	require.ErrorContains(t, err, "recover_test.go", "where it was")
	require.Equal(t, chain.Internal, chain.KindOf(err))
	require.NotContains(t, chain.PublicMessage(err), "nil pointer")
}
