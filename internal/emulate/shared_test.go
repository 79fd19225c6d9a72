package emulate_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
	"tonql/internal/emulate"
)

// What many requests share is computed in a goroutine of its own: a panic there, in a library that reads untrusted cells, would end the program.
func TestShared_APanicIsAnError(t *testing.T) {
	t.Parallel()
	var g singleflight.Group
	for range 3 {
		_, err := emulate.Shared(t.Context(), &g, "a", func(context.Context) (int, error) { panic("hostile") })
		require.Equal(t, chain.Internal, chain.KindOf(err))
		require.ErrorContains(t, err, "hostile")
	}
	got, err := emulate.Shared(t.Context(), &g, "a", func(context.Context) (int, error) { return 7, nil })
	require.NoError(t, err)
	require.Equal(t, 7, got)
}
