package graphql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// found returns kinds and titles of the results of a search.
func found(t *testing.T, w *testIndex, text string) (kinds, titles []string) {
	t.Helper()
	var result struct {
		Search []struct {
			Kind, Title string
			Account     *struct {
				Address    string
				Domain     *string
				Interfaces []string
				Metadata   *struct{ Name, Symbol string }
			}
			Token *struct{ Name string }
		}
	}
	w.query(t, `query($text: String!) { search(text: $text) { kind title account { address domain interfaces metadata { name symbol } }
		block { seqno } transaction { hash } message { hash } trace { hash } token { name } } }`, map[string]any{"text": text}, &result)
	for _, hit := range result.Search {
		kinds, titles = append(kinds, hit.Kind), append(titles, hit.Title)
	}
	return kinds, titles
}

func TestSearch_FindsAddressesHashesNumbersAndNames(t *testing.T) {
	t.Parallel()
	w, db := emptyTestIndex(t)
	mb := testdb.Master(1)
	tx := testdb.NewTransaction(mb, testdb.Address())
	mb.Transactions = append(mb.Transactions, tx)
	master, collection, item, wallet := testdb.Address(), testdb.Address(), testdb.Address(), testdb.Address()
	testdb.AddContract(mb, master, func(c *chain.Contract) {
		c.JettonMaster = &chain.JettonMaster{Address: master, Content: chain.Content{"name": "Rope & Anchor", "symbol": "ROPE"}, LastTxLT: c.LT}
	})
	testdb.AddContract(mb, collection, func(c *chain.Contract) {
		c.NFTCollection = &chain.NFTCollection{Address: collection, Content: chain.Content{"name": "ropes of old ships"}, LastTxLT: c.LT}
	})
	testdb.AddContract(mb, item, func(c *chain.Contract) {
		c.NFTItem = &chain.NFTItem{Address: item, Init: true, Owner: &wallet, Content: chain.Content{}, LastTxLT: c.LT}
		c.DNS = &chain.DNSRecord{Item: item, Owner: &wallet, Domain: "mooring.ton", Wallet: &wallet, LastTxLT: c.LT}
	})
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	jobs, err := db.MetadataQueue().Next(t.Context(), 10)
	require.NoError(t, err)
	for _, job := range jobs {
		name := job.Content["name"]
		symbol := job.Content["symbol"]
		require.NoError(t, db.MetadataQueue().Store(t.Context(), chain.MetadataResult{
			Job: job, Metadata: &chain.Metadata{Address: job.Address, Kind: job.Kind, Valid: true, Name: name, Symbol: symbol},
		}))
	}

	for _, c := range []struct {
		text   string
		kinds  []string
		titles []string
	}{
		{wallet.String(), []string{"ACCOUNT"}, []string{wallet.String()}},
		{"  " + wallet.String() + "\n", []string{"ACCOUNT"}, []string{wallet.String()}},
		{tx.Hash.String(), []string{"TRANSACTION"}, []string{tx.Hash.Hex()}},
		{tx.Hash.Hex(), []string{"TRANSACTION"}, []string{tx.Hash.Hex()}},
		{mb.Block.RootHash.Hex(), []string{"BLOCK"}, []string{mb.Block.RootHash.Hex()}},
		{"1", []string{"BLOCK"}, []string{"Masterchain block 1"}},
		{"#1", []string{"BLOCK"}, []string{"Masterchain block 1"}},
		{"mooring.ton", []string{"DOMAIN"}, []string{"mooring.ton"}},
		{"Mooring", []string{"DOMAIN"}, []string{"mooring.ton"}},
		{"ROPE", []string{"JETTON", "NFT_COLLECTION"}, []string{"Rope & Anchor (ROPE)", "ropes of old ships"}},
		{"rope &", []string{"JETTON"}, []string{"Rope & Anchor (ROPE)"}},
		{"r", nil, nil},
		{"%", nil, nil},
		{"", nil, nil},
		{testdb.Hash().Hex(), nil, nil},
		{"nobody knows this", nil, nil},
	} {
		kinds, titles := found(t, w, c.text)
		require.Equal(t, c.kinds, kinds, c.text)
		require.Equal(t, c.titles, titles, c.text)
	}
}
