package v3

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// Each kind of error has one status, also below other errors. Those that a handler made with a status of its own have that.
func TestStatusOf_EveryKind(t *testing.T) {
	t.Parallel()
	for kind, want := range map[chain.Kind]int{
		chain.Invalid: 422, chain.TooLarge: 422, chain.NotFound: 404, chain.Behind: 404, chain.RangeDropped: 410, chain.Unavailable: 503, chain.Internal: 500,
	} {
		require.Equal(t, want, statusOf(fmt.Errorf("account: %w", &chain.Error{Kind: kind, Message: "x"})), kind)
	}
	require.Equal(t, 500, statusOf(errors.New("x")))
	require.Equal(t, 413, statusOf(&chain.Error{Kind: chain.Invalid, Message: "x", Err: &http.MaxBytesError{Limit: 1}}))
	require.Equal(t, 409, statusOf(fmt.Errorf("account: %w", &statusError{status: 409, cause: chain.NotFoundf("x")})))
}
