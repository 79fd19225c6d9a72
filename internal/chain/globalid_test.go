package chain_test

import (
	"encoding/base64"
	"slices"
	"strings"
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

// Ids are untrusted text: each kind is tried with every number of parts, and with parts of other kinds.
func TestParseGlobalID_OtherFormsAreInvalid(t *testing.T) {
	t.Parallel()
	address, hash := chain.Address{ID: chain.Hash{7}}.String(), chain.Hash{7}.Hex()
	valid := map[string]bool{
		"Account/" + address: true, "JettonMaster/" + address: true, "JettonWallet/" + address: true, "NFTItem/" + address: true, "Vesting/" + address: true,
		"Account/" + address + "/7": true, "JettonWallet/" + address + "/7": true, "NFTItem/" + address + "/7": true,
		"Transaction/" + address + "/7": true, "Message/" + address + "/7": true, "Trace/" + hash: true, "Action/" + hash + "/" + hash: true, "Block/7/7/7": true,
	}
	parts := []string{"", "7", address, hash}
	lists := [][]string{{}}
	for from := 0; len(lists[len(lists)-1]) < 3; from++ {
		for _, part := range parts {
			lists = append(lists, append(slices.Clone(lists[from]), part))
		}
	}
	for _, kind := range []string{"", "Block", "Transaction", "Message", "Account", "JettonMaster", "JettonWallet", "NFTItem", "Vesting", "Trace", "Action", "Nothing"} {
		for _, list := range lists {
			text := strings.Join(append([]string{kind}, list...), "/")
			_, err := chain.ParseGlobalID(base64.RawURLEncoding.EncodeToString([]byte(text)))
			require.Equal(t, valid[text], err == nil, text)
			if err != nil {
				require.Equal(t, chain.Invalid, chain.KindOf(err), text)
			}
		}
	}
	for _, text := range []string{
		"Transaction/" + address + "/9223372036854775808", "Transaction/" + address + "/-1", "Account/" + address + "/4294967296",
		"Nothing/7/7/7", "Block/2147483648/8000000000000000/1", "Block/0/10000000000000000/1", "Block/0/8000000000000000/4294967296", "Emulated",
	} {
		_, err := chain.ParseGlobalID(base64.RawURLEncoding.EncodeToString([]byte(text)))
		require.Equal(t, chain.Invalid, chain.KindOf(err), text)
	}
	for _, id := range []string{"", "!", strings.Repeat("A", 301), base64.URLEncoding.EncodeToString([]byte("Account/" + address))} {
		_, err := chain.ParseGlobalID(id)
		require.Equal(t, chain.Invalid, chain.KindOf(err), id)
	}
}
