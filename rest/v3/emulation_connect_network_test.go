package v3_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet/contracts"
)

// connectMessage is a message of a TON Connect request.
type connectMessage struct {
	Address   string  `json:"address"`
	Amount    string  `json:"amount"`
	Payload   *string `json:"payload,omitempty"`
	StateInit *string `json:"stateInit,omitempty"`
}

func (d *tracesClient) connect(from *address.Address, messages []connectMessage, more string) (int, []byte) {
	d.t.Helper()
	list, err := json.Marshal(messages)
	require.NoError(d.t, err)
	return d.postTo("/v1/emulateTonConnect", fmt.Sprintf(`{"from":%q,"messages":%s%s}`, from.String(), list, more))
}

// outcomes describes transactions by what does not depend on the block or on the signature: accounts, messages between them, fees of these, results.
func outcomes(txs map[string]any) (list []string) {
	for _, v := range txs {
		tx := v.(map[string]any)
		in := tx["in_msg"].(map[string]any)
		text := fmt.Sprintf("%s %s", tx["account"], tx["end_status"])
		if in["source"] != nil {
			content := in["message_content"].(map[string]any)
			text += fmt.Sprint(" ", in["source"], in["value"], in["bounce"], in["bounced"], in["fwd_fee"], content["hash"], tx["description"].(map[string]any)["compute_ph"].(map[string]any)["exit_code"])
		}
		if action, ok := tx["description"].(map[string]any)["action"].(map[string]any); ok {
			text += fmt.Sprint(" ", action["total_fwd_fees"], action["tot_msg_size"])
		}
		list = append(list, text)
	}
	return list
}

// The wallets that applications connect to are emulated with the messages that they would send, without a signature: the chain then does the same.
func TestEmulateTonConnect_IsWhatTheWalletThenSends(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	client := n.openEmulating(t, n.node)
	wallets := map[contracts.WalletVersion]*contracts.Wallet{}
	for i, version := range []contracts.WalletVersion{contracts.V3R2, contracts.V4R2, contracts.V5R1, contracts.HighloadV3} {
		key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(0x60 + i)}, ed25519.SeedSize))
		w, err := contracts.NewWallet(version, 0, key, -777)
		require.NoError(t, err)
		wallets[version] = w
		n.order(contracts.Order{Message: w.Deploy(5e9, nil)})
		n.advance(n.head() + 2)
	}
	n.advance(n.head() + 6)
	text := func(s string) *string { return &s }
	for version, w := range wallets {
		if version == contracts.HighloadV3 {
			status, body := client.connect(w.Address, []connectMessage{{Address: w.Address.String(), Amount: "1"}}, "")
			require.Equal(t, http.StatusUnprocessableEntity, status)
			require.Contains(t, string(body), "Unsupported wallet type")
			continue
		}
		plain, missing := unusedAddress(byte(0x70+version)), unusedAddress(byte(0x80+version))
		created, err := contracts.NewWallet(contracts.V4R2, 0, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(0x90 + version)}, ed25519.SeedSize)), 0)
		require.NoError(t, err)
		init, err := tlb.ToCell(created.Init)
		require.NoError(t, err)
		orders := []contracts.Order{
			{Message: contracts.Transfer(plain, 1e8, "hello")}, {Message: contracts.Call(missing, 5e7, nil)}, {Message: created.Deploy(3e7, nil)},
		}
		messages := []connectMessage{
			{Address: plain.Bounce(false).String(), Amount: "100000000", Payload: text(boc(contracts.Comment("hello")))},
			{Address: raw(missing), Amount: "50000000"},
			{Address: created.Address.String(), Amount: "30000000", StateInit: text(boc(init))},
		}
		until := n.devnet.Chain.Now() + 600
		status, response := client.connect(w.Address, messages, fmt.Sprintf(`,"with_actions":true,"include_address_book":true,"valid_until":%d000`, until))
		require.Equal(t, http.StatusOK, status, "%s: %s", version, response)
		var e emulated
		require.NoError(t, json.Unmarshal(response, &e))
		require.Contains(t, e.AddressBook, raw(w.Address))

		root, err := w.External(contracts.Ticket{ValidUntil: until}, orders...)
		require.NoError(t, err)
		hash, _ := n.sendBy(root)
		n.advance(n.head() + 8)
		found := n.get("/traces?include_actions=true&msg_hash=" + hash)["traces"].([]any)[0].(map[string]any)
		txs := map[string]any{}
		for h, tx := range e.Transactions {
			txs[h] = tx
		}
		require.ElementsMatch(t, outcomes(found["transactions"].(map[string]any)), outcomes(txs), version)
		require.Len(t, txs, 5, "three messages, and one that bounces")
		var actions []map[string]any
		for _, a := range found["actions"].([]any) {
			actions = append(actions, a.(map[string]any))
		}
		require.ElementsMatch(t, comparableActions(actions), comparableActions(e.Actions), version)

		status, response = client.connect(w.Address, messages[:1], "")
		require.Equal(t, http.StatusOK, status, "with the next seqno: %s", response)
		status, past := client.connect(w.Address, messages, fmt.Sprintf(`,"mc_block_seqno":%d`, e.Seqno))
		require.Equal(t, http.StatusOK, status, "%s", past)
		for _, c := range []struct {
			messages []connectMessage
			more     string
			want     string
		}{
			{messages, `,"valid_until":1700000000`, "does not accept the message: exit code"},
			{messages, `,"valid_until":18446744073709`, "valid_until: expected a time"},
			{nil, "", "messages: expected 1 to"},
			{make([]connectMessage, 256), "", "messages: expected 1 to 255, not 256"},
			{[]connectMessage{{Address: "x", Amount: "1"}}, "", "messages[0].address"},
			{[]connectMessage{messages[0], {Address: raw(plain), Amount: "-1"}}, "", "messages[1].amount: expected"},
			{[]connectMessage{{Address: raw(plain), Amount: "1", Payload: text("AAAA")}}, "", "messages[0].payload: not a bag"},
			{[]connectMessage{{Address: raw(plain), Amount: "1", StateInit: text("AAAA")}}, "", "messages[0].stateInit: not a bag"},
			{[]connectMessage{{Address: raw(plain), Amount: "1", Payload: text(string(bytes.Repeat([]byte{'A'}, 200_000)))}}, "", "longer than 131072 characters"},
		} {
			status, response := client.connect(w.Address, c.messages, c.more)
			require.Equal(t, http.StatusUnprocessableEntity, status, "%s", response)
			require.Contains(t, string(response), c.want)
		}
		if version != contracts.V5R1 {
			status, response = client.connect(w.Address, []connectMessage{messages[0], messages[0], messages[0], messages[0], messages[0]}, "")
			require.Equal(t, http.StatusUnprocessableEntity, status, "%s", response)
			require.Contains(t, string(response), "expected 1 to 4 for this wallet, not 5")
		}
	}
	for body, want := range map[string]string{
		`{"from":"x","messages":[]}`: `"error":"from: an address is`,
		`{"messages":[]}`:            `"error":"from is required"`,
		`{"from":"` + unusedAddress(0xaa).String() + `","mc_block_seqno":-1,"messages":[]}`: `"error":"mc_block_seqno`,
		`{"from":"` + unusedAddress(0xaa).String() + `","messages":[]}`:                     `"error":"messages: expected 1 to`,
	} {
		status, response := client.postTo("/v1/emulateTonConnect", body)
		require.Equal(t, http.StatusUnprocessableEntity, status, body)
		require.Contains(t, string(response), want, body)
	}
	status, response := client.connect(unusedAddress(0xaa), []connectMessage{{Address: raw(n.faucet.Address), Amount: "1"}}, "")
	require.Equal(t, http.StatusNotFound, status)
	require.JSONEq(t, `{"error":"Failed to fetch account state: Account not found in accounts_dict","code":404}`, string(response), "clients match on it")
	status, response = client.connect(address.MustParseRawAddr("-1:5555555555555555555555555555555555555555555555555555555555555555"), []connectMessage{{Address: raw(n.faucet.Address), Amount: "1"}}, "")
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, string(response), "Account is not a known wallet")
}
