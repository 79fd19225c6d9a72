package multisig_test

import (
	"encoding/base64"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/multisig"
	"tonql/internal/devnet/contracts"
)

// sendAction makes the action that sends body to the party "to".
func sendAction(t testing.TB, body *cell.Cell) *cell.Cell {
	t.Helper()
	msg, err := tlb.ToCell(contracts.Call(contracttest.Party("to"), 1_500_000_000, body))
	require.NoError(t, err)
	return cell.BeginCell().MustStoreUInt(0xf1381e5b, 32).MustStoreUInt(3, 8).MustStoreRef(msg).EndCell()
}

func orderOf(t testing.TB, actions ...*cell.Cell) *cell.Cell {
	t.Helper()
	d := cell.NewDict(8)
	for i, a := range actions {
		require.NoError(t, d.SetIntKey(big.NewInt(int64(i)), cell.BeginCell().MustStoreRef(a).EndCell()))
	}
	return d.AsCell()
}

func b64(c *cell.Cell) string { return base64.StdEncoding.EncodeToString(c.ToBOC()) }

func withOpcode(code uint64) *cell.Builder { return cell.BeginCell().MustStoreUInt(code, 32) }

func withQuery(code uint64) *cell.Builder { return withOpcode(code).MustStoreUInt(9, 64) }

func TestParseOrder_DecodesEveryKindOfBody(t *testing.T) {
	t.Parallel()
	amount := tlb.MustFromNano(big.NewInt(1000), 9)
	x, y, to := contracttest.Address("x").String(), contracttest.Address("y").String(), contracttest.Address("to").String()
	jetton := contracts.JettonTransfer{QueryID: 9, Amount: amount, Destination: contracttest.Party("x"), Response: contracttest.Party("y"), ForwardValue: 1}
	withPayload := func(c *cell.Cell) *cell.Cell {
		j := jetton
		j.ForwardPayload = c
		return j.Body()
	}
	transfer := func(comment, encrypted, payload, kind, swap string) string {
		return `{"query_id":9,"amount":"1000","destination":"` + x + `","response":"` + y + `","custom_payload":null,` +
			`"forward_amount":"1","comment":"` + comment + `","encrypted_comment":` + encrypted + `,"forward_payload":` + payload +
			`,"payload_sum_type":"` + kind + `","stonfi_swap_body":` + swap + `}`
	}
	hello := contracts.Comment("hello")
	secret := withOpcode(0x2167da4b).MustStoreSlice([]byte{1, 2, 3}, 24).EndCell()
	swap := withOpcode(0x25938561).MustStoreAddr(contracttest.Party("x")).MustStoreCoins(1_500_000_000).MustStoreAddr(contracttest.Party("y")).EndCell()
	odd := withOpcode(0x12345678).EndCell()
	inner := cell.BeginCell().MustStoreUInt(0x178d4519, 32).MustStoreUInt(8, 64).MustStoreCoins(500).EndCell()
	status := withOpcode(0xeed236d3).EndCell()
	vested, err := tlb.ToCell(contracts.Transfer(contracttest.Party("x"), 5, "hi"))
	require.NoError(t, err)
	for _, tc := range []struct {
		name, kind string
		body       *cell.Cell
		want       string
	}{
		{"empty", "ton_transfer", cell.BeginCell().EndCell(), `{"comment":"","encrypted":false}`},
		{"a few bits", "ton_transfer", cell.BeginCell().MustStoreUInt(1, 31).EndCell(), `{"comment":"","encrypted":false}`},
		{"comment", "ton_transfer", hello, `{"comment":"hello","encrypted":false}`},
		{"secret", "ton_transfer", secret, `{"comment":"AQID","encrypted":true}`},
		{
			"nft", "nft_transfer", contracts.NFTTransfer{QueryID: 9, NewOwner: contracttest.Party("x"), ForwardValue: 1, ForwardPayload: hello}.Body(),
			`{"query_id":9,"new_owner":"` + x + `","response_destination":null,"custom_payload":null,"forward_amount":"1","forward_payload":"` + b64(hello) + `"}`,
		},
		{"jetton", "jetton_transfer", jetton.Body(), transfer("", "false", "null", "", "null")},
		{"jetton with comment", "jetton_transfer", withPayload(hello), transfer("hello", "false", `"`+b64(hello)+`"`, "TextComment", "null")},
		{"jetton with secret", "jetton_transfer", withPayload(secret), transfer("AQID", "true", `"`+b64(secret)+`"`, "EncryptedTextComment", "null")},
		{
			"jetton swapped", "jetton_transfer", withPayload(swap),
			transfer("", "false", `"`+b64(swap)+`"`, "StonfiSwap", `{"jetton_wallet":"`+x+`","min_amount":"1.5","user_address":"`+y+`"}`),
		},
		{"jetton with another payload", "jetton_transfer", withPayload(odd), transfer("", "false", `"`+b64(odd)+`"`, "Unknown", "null")},
		{"burn", "jetton_burn", contracts.JettonBurn(9, amount, contracttest.Party("x")), `{"query_id":9,"amount":"1000","response_destination":"` + x + `"}`},
		{
			"mint", "jetton_mint", withQuery(0x642b7d07).MustStoreAddr(contracttest.Party("x")).MustStoreCoins(7).MustStoreRef(inner).EndCell(),
			`{"opcode":1680571655,"query_id":9,"to_address":"` + x + `","ton_amount":"7","master_msg_query_id":8,"master_msg_jetton_amount":"500"}`,
		},
		{
			"mint of the first minters", "jetton_mint", withQuery(0x15).MustStoreAddr(contracttest.Party("x")).MustStoreCoins(7).MustStoreRef(inner).EndCell(),
			`{"opcode":21,"query_id":9,"to_address":"` + x + `","ton_amount":"7","master_msg_query_id":8,"master_msg_jetton_amount":"500"}`,
		},
		{"top up", "jetton_top_up", withQuery(0x9fd3).EndCell(), `{"query_id":9}`},
		{"change admin", "jetton_change_admin", withQuery(0x6501f354).MustStoreAddr(contracttest.Party("x")).EndCell(), `{"query_id":9,"new_admin_address":"` + x + `"}`},
		{"claim admin", "jetton_claim_admin", withQuery(0xfb88e119).EndCell(), `{"query_id":9}`},
		{"change content", "jetton_change_content", withQuery(0xcb862902).MustStoreStringSnake("https://new").EndCell(), `{"query_id":9,"new_metadata_url":"https://new"}`},
		{
			"call to", "jetton_call_to", withQuery(0x235caf52).MustStoreAddr(contracttest.Party("x")).MustStoreCoins(7).MustStoreRef(status).EndCell(),
			`{"query_id":9,"to_address":"` + x + `","ton_amount":"7","action_type":"JettonSetStatus","action_data":"` + b64(status) + `"}`,
		},
		{"set status", "jetton_set_status", withQuery(0xeed236d3).MustStoreUInt(3, 4).EndCell(), `{"query_id":9,"new_status":3}`},
		{"withdraw", "single_nominator_withdraw", withQuery(0x1000).MustStoreCoins(7).EndCell(), `{"query_id":9,"coins":"7"}`},
		{"change validator", "single_nominator_change_validator", withQuery(0x1001).MustStoreAddr(contracttest.Party("x")).EndCell(), `{"query_id":9,"validator_address":"` + x + `"}`},
		{
			"vesting", "vesting_internal_transfer", withQuery(0x75097f5d).MustStoreUInt(3, 8).MustStoreRef(vested).EndCell(),
			`{"query_id":9,"send_mode":3,"destination":"` + x + `","value":"5","message_body":"` + b64(contracts.Comment("hi")) + `","comment":"hi"}`,
		},
		{"another opcode", "unknown", odd, `{"opcode":305419896,"data":"` + b64(odd) + `"}`},
		{"cut short", "unknown", withOpcode(0x0f8a7ea5).EndCell(), `{"opcode":0,"data":"` + b64(withOpcode(0x0f8a7ea5).EndCell()) + `"}`},
	} {
		actions, err := multisig.ParseOrder(orderOf(t, sendAction(t, tc.body)))
		require.NoError(t, err, tc.name)
		require.Len(t, actions, 1, tc.name)
		a := actions[0]
		require.True(t, a.Parsed, "%s: %s", tc.name, a.Error)
		require.Equal(t, tc.kind, a.BodyType, tc.name)
		require.JSONEq(t, tc.want, string(a.Body), tc.name)
		require.Equal(t, to, a.Destination.String(), tc.name)
		require.Equal(t, int64(1_500_000_000), a.Value.Int64(), tc.name)
		require.Equal(t, uint8(3), a.SendMode)
		require.Equal(t, chain.BOC(tc.body.ToBOC()), a.BodyRaw, tc.name)
		require.Contains(t, a.Addresses, contracttest.Address("to"), tc.name)
	}
}

func TestParseOrder_BadActionsAreUnknown(t *testing.T) {
	t.Parallel()
	update := withOpcode(0x1d0cfbd3).MustStoreUInt(2, 8).MustStoreRef(members(t, "a", "b")).MustStoreMaybeRef(members(t, "p")).EndCell()
	badUpdate := withOpcode(0x1d0cfbd3).MustStoreUInt(2, 8).MustStoreRef(contracttest.Asm("ffff")).MustStoreMaybeRef(nil).EndCell()
	external := withOpcode(0xf1381e5b).MustStoreUInt(0, 8).MustStoreRef(cell.BeginCell().MustStoreUInt(3, 2).EndCell()).EndCell()
	actions, err := multisig.ParseOrder(orderOf(t,
		sendAction(t, contracts.Comment("x")), update, badUpdate, withOpcode(0x11111111).EndCell(), cell.BeginCell().EndCell(), external))
	require.NoError(t, err)
	require.Len(t, actions, 6)
	require.Equal(t, "ton_transfer", actions[0].BodyType)

	u := actions[1]
	require.True(t, u.Parsed)
	require.Nil(t, u.Destination)
	require.Nil(t, u.BodyRaw)
	require.Equal(t, "multisig_update_params", u.BodyType)
	require.JSONEq(t, `{"new_threshold":2,"new_signers":["`+contracttest.Address("a").String()+`","`+contracttest.Address("b").String()+
		`"],"new_proposers":["`+contracttest.Address("p").String()+`"]}`, string(u.Body))
	require.Equal(t, addresses("a", "b", "p"), u.Addresses)
	for _, a := range actions[2:] {
		require.False(t, a.Parsed)
		require.NotEmpty(t, a.Error)
		require.Equal(t, "unknown", a.BodyType)
		require.Nil(t, a.Body)
	}
	for _, c := range []*cell.Cell{nil, contracttest.Asm("ffff")} {
		_, err = multisig.ParseOrder(c)
		require.Equal(t, chain.Invalid, chain.KindOf(err))
	}
}

func FuzzParseOrder_UnparsedActionsHaveErrors(f *testing.F) {
	f.Add(contracttest.Seed(orderOf(f, sendAction(f, contracts.Comment("x")), sendAction(f, contracts.JettonTransfer{Amount: tlb.MustFromTON("1")}.Body()))))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := contracttest.Tree(data)
		actions, err := multisig.ParseOrder(c)
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(actions), 256)
		for _, a := range actions {
			require.Equal(t, a.Parsed, a.Error == "")
		}
	})
}
