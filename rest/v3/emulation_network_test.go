package v3_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/access"
	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v3 "tonql/rest/v3"
)

// emulated is a response of emulateTrace.
type emulated struct {
	Seqno        uint32                    `json:"mc_block_seqno"`
	Trace        map[string]any            `json:"trace"`
	Transactions map[string]map[string]any `json:"transactions"`
	Actions      []map[string]any          `json:"actions"`
	Code         map[string]string         `json:"code_cells"`
	Data         map[string]string         `json:"data_cells"`
	AddressBook  map[string]any            `json:"address_book"`
	Metadata     map[string]any            `json:"metadata"`
	Seed         string                    `json:"rand_seed"`
	Incomplete   *bool                     `json:"is_incomplete"`
}

// postEmulation sends a request to emulateTrace and returns status and body.
func (d *tracesClient) postEmulation(body string) (int, []byte) {
	d.t.Helper()
	return d.postTo("/v1/emulateTrace", body)
}

// postTo sends a request to a route of the emulation API.
func (d *tracesClient) postTo(path, body string) (int, []byte) {
	d.t.Helper()
	r := httptest.NewRequest(http.MethodPost, v3.EmulationPrefix+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	ticket := new(access.Ticket)
	w := httptest.NewRecorder()
	v3.NewEmulation(d.svc, v3.Options{Charge: access.Charge}).ServeHTTP(w, r.WithContext(access.WithTicket(r.Context(), ticket)))
	if w.Code == http.StatusOK {
		require.InDelta(d.t, 6, ticket.Cost(), 0, "as GraphQL's simulate")
	}
	requireEmulationFits(d.t, path, w)
	return w.Code, w.Body.Bytes()
}

// requireEmulationFits validates a response of a route against the document of the emulation API.
func requireEmulationFits(t testing.TB, path string, w *httptest.ResponseRecorder) {
	t.Helper()
	document, err := emulations()
	require.NoError(t, err)
	schema := document.failure
	if w.Code == http.StatusOK {
		schema = document.responses["POST "+strings.ToLower(v3.EmulationPrefix+path)]
	}
	response, err := jsonschema.UnmarshalJSON(bytes.NewReader(w.Body.Bytes()))
	require.NoError(t, err, "%s", w.Body)
	require.NoError(t, schema.Validate(response), "%s", w.Body)
}

// The emulation API serves its document and its page; the document has what the routes read, and no record of /api/v3 that they do not use.
func TestEmulation_ServesItsDocument(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	h := v3.NewEmulation(resolvers.New(testdb.New(t).Reader(), nil, resolvers.Options{Network: "test"}), v3.Options{})
	do := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, v3.EmulationPrefix+path, http.NoBody))
		return w
	}
	var document struct {
		OpenAPI    string
		Paths      map[string]map[string]struct{ Parameters []map[string]any }
		Components struct{ Schemas map[string]any }
	}
	w := do("/openapi.json")
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &document))
	require.Equal(t, "3.1.0", document.OpenAPI)
	require.Len(t, document.Paths, len(v3.EmulationRoutes()))
	for _, r := range v3.EmulationRoutes() {
		operation, ok := document.Paths[v3.EmulationPrefix+r.Path][strings.ToLower(r.Method)]
		require.True(t, ok, r.Path)
		require.Equal(t, "supported_action_types", operation.Parameters[0]["name"])
	}
	for name := range document.Components.Schemas {
		require.Contains(t, w.Body.String(), `"#/components/schemas/`+name+`"`, "a record without a reference")
	}
	require.Contains(t, document.Components.Schemas, "Transaction")
	require.NotContains(t, document.Components.Schemas, "NFTSale")
	require.Equal(t, http.StatusOK, do("/openapi-3.0.json").Code)
	for _, path := range []string{"/", "/index.html"} {
		page := do(path)
		require.Equal(t, "text/html; charset=utf-8", page.Header().Get("Content-Type"), path)
		require.Contains(t, page.Body.String(), "/api/emulate/v1/emulateTrace")
	}
}

func (d *tracesClient) emulate(body string) (e emulated) {
	d.t.Helper()
	status, response := d.postEmulation(body)
	require.Equal(d.t, http.StatusOK, status, "%s", response)
	require.NoError(d.t, json.Unmarshal(response, &e))
	return e
}

// shape is a trace as a tree of what does not depend on the block: accounts, opcodes, results of the computation.
func shape(node map[string]any, txs map[string]any) string {
	tx := txs[node["tx_hash"].(string)].(map[string]any)
	var children []string
	for _, child := range node["children"].([]any) {
		children = append(children, shape(child.(map[string]any), txs))
	}
	compute := tx["description"].(map[string]any)["compute_ph"].(map[string]any)
	return fmt.Sprintf("%s %v %v (%s)", tx["account"], tx["in_msg"].(map[string]any)["opcode"], compute["exit_code"], strings.Join(children, ", "))
}

// forge replaces the signature of an external message to a wallet.
func forge(t *testing.T, message *cell.Cell) *cell.Cell {
	t.Helper()
	var m tlb.ExternalMessage
	require.NoError(t, tlb.Parse(&m, message))
	body, err := m.Body.BeginParse()
	require.NoError(t, err)
	_, err = body.LoadSlice(512)
	require.NoError(t, err)
	m.Body = cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreBuilder(body.ToBuilder()).EndCell()
	root, err := tlb.ToCell(&m)
	require.NoError(t, err)
	return root
}

// emulateTrace returns what the chain does when the message is sent: the same transactions and actions, the states with their code and data.
func TestEmulateTrace_IsWhatTheChainThenDoes(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	client := n.openEmulating(t, n.node)
	j := n.mint()
	transfer := contracts.JettonTransfer{
		Amount: tlb.FromNanoTONU(5e9), Destination: unusedAddress(7), Response: n.faucet.Address, ForwardValue: 1,
		ForwardPayload: contracts.Comment("five"),
	}
	root := n.sign(n.seqno, contracts.Order{Message: contracts.Call(j.wallet.Address, 1e8, transfer.Body())})

	plain := client.emulate(`{"boc":"` + boc(root) + `"}`)
	require.Equal(t, n.head(), plain.Seqno)
	require.Empty(t, plain.Actions)
	require.NotNil(t, plain.Actions, "an empty list")
	require.Nil(t, plain.Code)
	require.Nil(t, plain.AddressBook)
	require.Nil(t, plain.Metadata)
	seed, err := base64.StdEncoding.DecodeString(plain.Seed)
	require.NoError(t, err, "as published, which clients convert to hex")
	require.Len(t, seed, 32)
	require.False(t, *plain.Incomplete)

	all := client.emulate(`{"boc":"` + boc(root) + `","with_actions":true,"include_code_data":true,"include_address_book":true,"include_metadata":true}`)
	require.Contains(t, all.Metadata, raw(j.master.Address))
	for _, tx := range all.Transactions {
		require.Equal(t, true, tx["emulated"])
		require.Contains(t, all.AddressBook, tx["account"])
		for _, name := range []string{"account_state_before", "account_state_after"} {
			state := tx[name].(map[string]any)
			if state["account_status"] != "active" {
				continue
			}
			for hash, cells := range map[any]map[string]string{state["code_hash"]: all.Code, state["data_hash"]: all.Data} {
				bag, err := base64.StdEncoding.DecodeString(cells[hash.(string)])
				require.NoError(t, err)
				c, err := cell.FromBOC(bag)
				require.NoError(t, err)
				require.Equal(t, hash, base64.StdEncoding.EncodeToString(c.Hash()))
			}
		}
	}

	hash, _ := n.sendBy(root)
	n.advance(n.head() + 8)
	found := n.get("/traces?include_actions=true&msg_hash=" + hash)["traces"].([]any)[0].(map[string]any)
	want := shape(found["trace"].(map[string]any), found["transactions"].(map[string]any))
	for _, e := range []emulated{plain, all} {
		txs := map[string]any{}
		for h, tx := range e.Transactions {
			txs[h] = tx
		}
		require.Equal(t, want, shape(e.Trace, txs))
	}
	var actions []map[string]any
	for _, a := range found["actions"].([]any) {
		actions = append(actions, a.(map[string]any))
	}
	require.ElementsMatch(t, comparableActions(actions), comparableActions(all.Actions))
	requireLatestFirst(t, all.Actions)

	past := client.emulate(fmt.Sprintf(`{"boc":%q,"mc_block_seqno":%d}`, boc(root), plain.Seqno))
	require.Equal(t, plain.Trace, past.Trace, "as of the block before it was sent")
	status, response := client.postEmulation(`{"boc":"` + boc(root) + `"}`)
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, string(response), "does not accept the message: exit code", "its seqno was used")
	n.seqno++
	forged := boc(forge(t, n.sign(n.seqno, contracts.Order{Message: contracts.Transfer(unusedAddress(8), 1e9, "")})))
	status, _ = client.postEmulation(`{"boc":"` + forged + `"}`)
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Len(t, client.emulate(`{"boc":"`+forged+`","ignore_chksig":true}`).Transactions, 2)
}

// Tokens that a trace deploys, of which the index has nothing, have what they say of themselves: wallets show it before the message is signed.
func TestEmulateTrace_DeployedTokensHaveMetadata(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	client := n.openEmulating(t, n.node)
	n.advance(2)
	coin := contracts.JettonMaster(n.faucet.Address, contracts.OnchainContent(map[string]string{
		"name": "Coin", "symbol": "CN", "decimals": "6", "image": "javascript:alert(1)",
	}), contracts.JettonWalletCode())
	collection := contracts.NFTCollection(n.faucet.Address, contracts.OffchainContent("https://example.org/all.json"), "https://example.org/", contracts.NFTItemCode(), contracts.Royalty{Numerator: 0, Denominator: 100, Destination: n.faucet.Address})
	item := contracts.NFTItem(collection.Address, 0, contracts.NFTItemCode())
	mint := contracts.NFTMint(1, 0, 5e7, n.faucet.Address, "0.json")
	root := n.sign(n.seqno,
		contracts.Order{Message: coin.Deploy(1e9, nil)}, contracts.Order{Message: collection.Deploy(1e9, nil)}, contracts.Order{Message: contracts.Call(collection.Address, 2e8, mint)},
	)
	all := client.emulate(`{"boc":"` + boc(root) + `","include_metadata":true}`)
	for a, want := range map[string]map[string]any{
		raw(coin.Address):       {"type": "jetton_masters", "name": "Coin", "symbol": "CN", "extra": map[string]any{"decimals": "6"}},
		raw(collection.Address): {"type": "nft_collections", "extra": map[string]any{"uri": "https://example.org/all.json"}},
		raw(item.Address):       {"type": "nft_items", "nft_index": "0", "extra": map[string]any{"uri": "https://example.org/0.json"}},
	} {
		require.Equal(t, map[string]any{"is_indexed": false, "token_info": []any{want}}, all.Metadata[a])
	}
	require.Nil(t, client.emulate(`{"boc":"`+boc(root)+`","with_actions":true}`).Metadata)
}

// Requests that cannot be executed are refused with the reason.
func TestEmulateTrace_RefusesWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	client := n.openEmulating(t, n.node)
	n.advance(2)
	for body, want := range map[string]string{
		`{}`:                                 "boc is required",
		`{"boc":5}`:                          `"boc: expected a string, not a number"`,
		`{"boc":"","with_actions":"yes"}`:    `"with_actions: expected true or false, not a string"`,
		`{"mc_block_seqno":1.5}`:             `"mc_block_seqno: expected an integer of 64 bits, not 1.5"`,
		`{"boc":"%"}`:                        "boc: not base64",
		`{"boc":"AAAA"}`:                     "not a bag of cells",
		`{"boc":"te6ccgEBAQEAAgAAAA=="}`:     "message",
		`{"boc":"AAAA","mc_block_seqno":-1}`: "mc_block_seqno: not a positive number",
	} {
		status, response := client.postEmulation(body)
		require.Equal(t, http.StatusUnprocessableEntity, status, body)
		require.Contains(t, string(response), want, body)
	}
	// An account that has coins and no code.
	message, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: address.MustParseRawAddr("-1:" + strings.Repeat("0", 64)), Body: cell.BeginCell().EndCell()})
	require.NoError(t, err)
	status, response := client.postEmulation(`{"boc":"` + boc(message) + `"}`)
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.JSONEq(t, `{"error":"the account does not accept the message: no code was executed, because the account has none or too few coins","code":422}`, string(response))
	r := httptest.NewRequest(http.MethodGet, v3.EmulationPrefix+"/v1/emulateTrace", nil)
	w := httptest.NewRecorder()
	v3.NewEmulation(client.svc, v3.Options{}).ServeHTTP(w, r)
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
}
