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
