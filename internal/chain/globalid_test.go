package chain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestParseGlobalID_ReturnsTheKeyOfTheObject(t *testing.T) {
	t.Parallel()
	address := chain.Address{Workchain: -1, ID: chain.Hash{7}}
	block := &chain.Block{}
	block.BlockID = chain.BlockID{Workchain: 0, Shard: 0x2000000000000000, Seqno: 9}

	g, err := chain.ParseGlobalID(block.NodeID())
	require.NoError(t, err)
	require.Equal(t, chain.GlobalID{Block: &block.BlockID}, g)

	g, err = chain.ParseGlobalID((&chain.Transaction{Account: address, LT: 3}).NodeID())
	require.NoError(t, err)
	require.Equal(t, chain.GlobalID{Transaction: &chain.TransactionKey{Account: address, LT: 3}}, g)

	key := chain.MessageKey{Account: address, LT: 4}
	g, err = chain.ParseGlobalID((&chain.Message{Key: key}).NodeID())
	require.NoError(t, err)
	require.Equal(t, chain.GlobalID{Message: &key}, g)

	g, err = chain.ParseGlobalID((&chain.Account{Address: address}).NodeID())
	require.NoError(t, err)
	require.Equal(t, chain.GlobalID{Account: &address}, g)
}

func TestParseGlobalID_NamesThePastAndWhatIsEmulated(t *testing.T) {
	t.Parallel()
	address, seqno := chain.Address{ID: chain.Hash{7}}, uint32(4_000_000_000)
	for _, object := range []chain.Identified{
		&chain.Account{Address: address, McSeqno: &seqno}, &chain.JettonWallet{Address: address, McSeqno: &seqno}, &chain.NFTItem{Address: address, McSeqno: &seqno},
	} {
		g, err := chain.ParseGlobalID(object.NodeID())
		require.NoError(t, err)
		require.Equal(t, seqno, *g.At)
		if g.Contract != nil {
			require.Equal(t, address, g.Contract.Address)
		} else {
			require.Equal(t, address, *g.Account)
		}
	}
	seen := map[string]bool{}
	for _, object := range []chain.Identified{
		&chain.Transaction{Account: address, LT: 3, Hash: chain.Hash{1}, Finality: chain.Pending}, &chain.Transaction{Account: address, LT: 3, Hash: chain.Hash{2}, Finality: chain.Invalidated},
		&chain.Message{Key: chain.MessageKey{Account: address, LT: 3}, Hash: chain.Hash{1}, Emulated: true},
		&chain.Trace{ID: chain.Hash{1}, Finality: chain.Pending}, &chain.Action{TraceID: chain.Hash{1}, Finality: chain.Pending},
	} {
		id := object.NodeID()
		require.False(t, seen[id])
		seen[id] = true
		g, err := chain.ParseGlobalID(id)
		require.NoError(t, err)
		require.Equal(t, chain.GlobalID{Emulated: true}, g)
	}
}

func FuzzParseGlobalID_ErrorsAreInvalid(f *testing.F) {
	f.Add((&chain.Block{}).NodeID())
	f.Add((&chain.Account{}).NodeID())
	f.Add("QmxvY2s")
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := chain.ParseGlobalID(s); err != nil {
			require.Equal(t, chain.Invalid, chain.KindOf(err))
		}
	})
}
