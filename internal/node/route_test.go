package node_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/node"
)

// named is a node that only has a name: the seqno of its head.
type named struct {
	chain.Node
	seqno uint32
}

func (n named) Head(context.Context) (chain.BlockIDExt, error) {
	return chain.BlockIDExt{BlockID: chain.BlockID{Seqno: n.seqno}}, nil
}

type poolName struct{}

func TestRoute_CallsGoToTheChosenPool(t *testing.T) {
	t.Parallel()
	r := node.Route(named{seqno: 1}, map[string]chain.Node{"alice": named{seqno: 2}}, func(ctx context.Context) string {
		name, _ := ctx.Value(poolName{}).(string)
		return name
	})
	for name, want := range map[string]uint32{"": 1, "alice": 2} {
		head, err := r.Head(context.WithValue(t.Context(), poolName{}, name))
		require.NoError(t, err)
		require.Equal(t, want, head.Seqno)
	}
	_, err := r.Head(context.WithValue(t.Context(), poolName{}, "bob"))
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.ErrorContains(t, err, "private liteservers")
}
