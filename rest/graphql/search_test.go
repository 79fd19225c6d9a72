package graphql_test

import (
	"net/url"
	"strings"
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
	mb.Block.RootHash, mb.Block.FileHash = chain.Hash{0xb1, 1, 2, 3, 4}, chain.Hash{0xb2, 1, 2, 3, 4}
	tx := testdb.NewTransaction(mb, testdb.Address())
	tx.Hash = chain.Hash{0xa1, 1, 2, 3, 31: 9}
	sent := testdb.NewSent(mb, &tx, testdb.Address())
	sent.Hash = chain.Hash{0xc1, 1, 2, 3, 31: 9}
	mb.Transactions, mb.Messages = append(mb.Transactions, tx), append(mb.Messages, sent)
	master, collection, item, name, wallet := testdb.Address(), testdb.Address(), testdb.Address(), testdb.Address(), testdb.Address()
	mb.States = append(mb.States, testdb.NewState(mb, master))
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
	testdb.AddContract(mb, name, func(c *chain.Contract) {
		c.NFTItem = &chain.NFTItem{Address: name, Init: true, Owner: &wallet, Content: chain.Content{}, LastTxLT: c.LT}
		c.DNS = &chain.DNSRecord{Item: name, Owner: &wallet, Domain: "sailor.t.me", LastTxLT: c.LT}
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
		{"1", []string{"BLOCK", "BLOCK"}, []string{"Masterchain block 1", "Block (0,8000000000000000,1)"}},
		{"#1", []string{"BLOCK", "BLOCK"}, []string{"Masterchain block 1", "Block (0,8000000000000000,1)"}},
		{"mooring.ton", []string{"DOMAIN"}, []string{"mooring.ton"}},
		{"Mooring", []string{"DOMAIN"}, []string{"mooring.ton"}},
		{"ROPE", []string{"JETTON", "NFT_COLLECTION"}, []string{"Rope & Anchor (ROPE)", "ropes of old ships"}},
		{"rope &", []string{"JETTON"}, []string{"Rope & Anchor (ROPE)"}},
		{"r", nil, nil},
		{"%", nil, nil},
		{"", nil, nil},
		{testdb.Hash().Hex(), nil, nil},
		{"nobody knows this", nil, nil},
		{"anchor", []string{"JETTON"}, []string{"Rope & Anchor (ROPE)"}},
		{"old sh", []string{"NFT_COLLECTION"}, []string{"ropes of old ships"}},
		{"elect", []string{"ACCOUNT"}, []string{"Elector"}},
		{wallet.Friendly(false, true), []string{"ACCOUNT"}, []string{wallet.String()}},
		{"ton://transfer/" + wallet.Friendly(true, false) + "?amount=1", []string{"ACCOUNT"}, []string{wallet.String()}},
		{"https://app.tonkeeper.com/transfer/" + wallet.Friendly(true, false) + "?amount=1", []string{"ACCOUNT"}, []string{wallet.String()}},
		{"https://explorer.example/" + wallet.Friendly(false, false) + "?section=history", []string{"ACCOUNT"}, []string{wallet.String()}},
		{"https://explorer.example/explorer/account/" + wallet.String() + "/transactions", []string{"ACCOUNT"}, []string{wallet.String()}},
		{"https://explorer.example/transaction/" + tx.Hash.Hex(), []string{"TRANSACTION"}, []string{tx.Hash.Hex()}},
		{"https://explorer.example/tx/" + url.PathEscape(tx.Hash.String()), []string{"TRANSACTION"}, []string{tx.Hash.Hex()}},
		{"http://explorer.example/#/tx/" + tx.Hash.Hex(), []string{"TRANSACTION"}, []string{tx.Hash.Hex()}},
		{"https://mooring.ton/page", []string{"DOMAIN"}, []string{"mooring.ton"}},
		{"https://t.me/sailor", []string{"DOMAIN"}, []string{"sailor.t.me"}},
		{"https://t.me/sailor/5", nil, nil},
		{"https://explorer.example/sailor", nil, nil},
		{"https://explorer.example/", nil, nil},
		{"https://explorer.example/%zz/" + tx.Hash.Hex(), nil, nil},
		{wallet.ID.Hex(), nil, nil}, // its state is not indexed
		{master.ID.Hex(), []string{"ACCOUNT"}, []string{master.String()}},
		{tx.Hash.Hex()[:8], []string{"TRANSACTION", "TRACE"}, []string{tx.Hash.Hex(), tx.Hash.Hex()}},
		{"0x" + strings.ToUpper(tx.Hash.Hex()[:63]), []string{"TRANSACTION", "TRACE"}, []string{tx.Hash.Hex(), tx.Hash.Hex()}},
		{tx.Hash.Hex()[:7], nil, nil},
		{sent.Hash.String(), []string{"TRACE"}, []string{sent.Hash.Hex()}},
		{sent.Hash.Hex()[:8], []string{"MESSAGE"}, []string{sent.Hash.Hex()}},
		{mb.Block.RootHash.Hex()[:9], []string{"BLOCK"}, []string{"Masterchain block 1"}},
		{mb.Block.FileHash.Hex()[:20], []string{"BLOCK"}, []string{"Masterchain block 1"}},
		{"(-1,8000000000000000,1)", []string{"BLOCK"}, []string{"Masterchain block 1"}},
		{"( -1, -9223372036854775808, 1 )", []string{"BLOCK"}, []string{"Masterchain block 1"}},
		{"-1:8000000000000000:1", []string{"BLOCK"}, []string{"Masterchain block 1"}},
		{"-1:8:1", []string{"BLOCK"}, []string{"Masterchain block 1"}},
		{"-1:8:2", nil, nil},
		{"-1:8:99999999999", nil, nil},
		{"-1:8:9999999999", nil, nil},
		{"-9999999999:8:1", nil, nil},
		{"-1:88888888888888888:1", nil, nil},
	} {
		kinds, titles := found(t, w, c.text)
		require.Equal(t, c.kinds, kinds, c.text)
		require.Equal(t, c.titles, titles, c.text)
	}
}

// An address with a wrong checksum finds the accounts that it may stand for, those of the index first, and where it is wrong.
func TestSearch_CorrectsMistypedAddresses(t *testing.T) {
	t.Parallel()
	w, db := emptyTestIndex(t)
	mb := testdb.Master(1)
	tx := testdb.NewTransaction(mb, testdb.Address())
	mb.Transactions = append(mb.Transactions, tx)
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	text := tx.Account.Friendly(true, false)
	swapped := strings.IndexFunc(text[4:], func(r rune) bool { return r != rune(text[4]) }) + 4
	for name, wrong := range map[string]string{
		"one character": text[:9] + strings.Map(func(r rune) rune { return map[bool]rune{true: 'B', false: 'A'}[r == 'A'] }, text[9:10]) + text[10:],
		"two swapped":   text[:swapped-1] + text[swapped:swapped+1] + text[swapped-1:swapped] + text[swapped+1:],
	} {
		var result struct {
			Search []struct {
				Kind, Title string
				Account     struct{ Address string }
				Correction  struct {
					Position, Length int
					Text             string
				}
			}
		}
		w.query(t, `query($text: String!) { search(text: $text) { kind title account { address } correction { position length text } } }`, map[string]any{"text": wrong}, &result)
		require.NotEmpty(t, result.Search, "%s: %s", name, wrong)
		hit := result.Search[0]
		require.Equal(t, "SIMILAR_ACCOUNT", hit.Kind, name)
		require.Equal(t, tx.Account.String(), hit.Account.Address, name)
		require.Equal(t, text, hit.Correction.Text, name)
		at, n := hit.Correction.Position-1, hit.Correction.Length
		require.Equal(t, text, wrong[:at]+text[at:at+n]+wrong[at+n:], name)
	}
}

// Of the addresses that a text with a mistake may stand for, those of the index are first.
func TestSearch_CorrectionsOfTheIndexAreFirst(t *testing.T) {
	t.Parallel()
	w, db := emptyTestIndex(t)
	text := chain.Address{ID: chain.Hash{1, 2, 3}}.Friendly(true, false)
	var wrong string
	var corrections []chain.AddressCorrection
	for i := 0; i < 40*26 && len(corrections) < 2; i++ { // few mistakes have two corrections
		at := 3 + i/26
		wrong = text[:at] + string(rune('a'+i%26)) + text[at+1:]
		corrections = chain.CorrectAddress(wrong)
	}
	require.Greater(t, len(corrections), 1)
	last := corrections[len(corrections)-1].Address
	mb := testdb.Master(1)
	mb.States = append(mb.States, testdb.NewState(mb, last))
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	var result struct {
		Search []struct {
			Kind, Title string
			Account     struct{ Address string }
		}
	}
	w.query(t, `query($text: String!) { search(text: $text) { kind title account { address } } }`, map[string]any{"text": wrong}, &result)
	require.Len(t, result.Search, len(corrections))
	require.Equal(t, last.String(), result.Search[0].Account.Address)
	require.Equal(t, corrections[0].Address.String(), result.Search[1].Account.Address, "the others have their order")
	for _, hit := range result.Search {
		require.Equal(t, "SIMILAR_ACCOUNT", hit.Kind)
	}
}

// A search is bounded, whatever the data: a name that many tokens have, and texts that look like everything at once.
func TestSearch_IsBounded(t *testing.T) {
	t.Parallel()
	w, db := emptyTestIndex(t)
	mb := testdb.Master(1)
	for range 25 {
		master := testdb.Address()
		testdb.AddContract(mb, master, func(c *chain.Contract) {
			c.JettonMaster = &chain.JettonMaster{Address: master, Content: chain.Content{"name": "flood"}, LastTxLT: c.LT}
		})
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	jobs, err := db.MetadataQueue().Next(t.Context(), 100)
	require.NoError(t, err)
	require.Len(t, jobs, 25)
	for _, job := range jobs {
		require.NoError(t, db.MetadataQueue().Store(t.Context(), chain.MetadataResult{
			Job: job, Metadata: &chain.Metadata{Address: job.Address, Kind: job.Kind, Valid: true, Name: strings.Repeat("flood ", 6), Symbol: "flood"},
		}))
	}
	kinds, _ := found(t, w, "flood")
	require.Len(t, kinds, 10)
	for _, text := range []string{strings.Repeat("f", 63), strings.Repeat("1", 60), strings.Repeat("(", 200), "0x" + strings.Repeat("0", 40), strings.Repeat("A", 48)} {
		kinds, _ := found(t, w, text)
		require.LessOrEqual(t, len(kinds), 30, text)
	}
}
