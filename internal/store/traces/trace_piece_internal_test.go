package traces

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// The content of a piece follows from what is added: of a trace that somebody continues for ever, each block costs the same.
func TestPiece_ContentIsBoundedByWhatIsAdded(t *testing.T) {
	t.Parallel()
	account := chain.Address{ID: chain.Hash{1}}
	var all []chain.TraceTransaction
	in := &chain.Message{Kind: chain.ExternalIn}
	for lt := range uint64(200) {
		out := &chain.Message{Kind: chain.InternalMessage, Key: chain.MessageKey{Account: account, LT: 10*lt + 1}, Source: &account, Destination: &account}
		all = append(all, chain.TraceTransaction{Transaction: &chain.Transaction{Account: account, LT: 10 * lt}, In: in, Out: []*chain.Message{out}})
		in = out
	}
	lts := func(fresh ...chain.TraceTransaction) (list []uint64) {
		content, err := (&Piece{Fresh: fresh, cached: all}).Content(t.Context(), nil)
		require.NoError(t, err)
		for i := range content {
			list = append(list, content[i].LT)
		}
		return list
	}
	require.Equal(t, []uint64{1990, 1980, 1970}, lts(all[199]))
	require.Equal(t, []uint64{1980, 1990, 1970, 1960}, lts(all[198], all[199]), "each once")
	require.Equal(t, []uint64{0}, lts(all[0]), "the root")
	require.Len(t, lts(all...), 200)
}
