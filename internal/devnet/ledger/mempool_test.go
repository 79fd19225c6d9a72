package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// The mempool accepts 20,000 messages, but not of 64 KiB each.
func TestMempool_IsBoundedByBytes(t *testing.T) {
	t.Parallel()
	p := newMempool(1000)
	message := func(n uint64) *external {
		return &external{cell: cell.BeginCell().MustStoreUInt(n, 64).MustStoreSlice(make([]byte, 100), 800).EndCell()}
	}
	p.budget = 10 * len(message(0).cell.ToBOC())
	var waiting []*external
	for n := range uint64(10) {
		e := message(n)
		require.NoError(t, p.add(e))
		waiting = append(waiting, e)
	}
	require.NoError(t, p.add(message(3)), "a message that is queued already takes no space")
	err := p.add(message(10))
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.ErrorContains(t, err, "are waiting already")
	p.remove(waiting[:4])
	for n := range uint64(4) {
		require.NoError(t, p.add(message(100+n)))
	}
	require.Error(t, p.add(message(200)))
	require.Equal(t, 10, p.len())
	p.remove(p.list())
	require.Equal(t, 10*len(message(0).cell.ToBOC()), p.budget)
}
