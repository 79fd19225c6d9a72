package action_test

import (
	"encoding/base64"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// tick starts a trace with a tick transaction.
func tick() (*builder, *action.Transaction) {
	b, root := external(1)
	root.In, root.TickTock = nil, true
	return b, root
}

func TestTickTock_HasOneActionPerTransaction(t *testing.T) {
	t.Parallel()
	b, root := tick()
	actions, err := action.Classify(b.trace, records{})
	require.NoError(t, err)
	require.Empty(t, actions, "a tick without messages has no action")

	b.send(root, 2, 5, op(7).EndCell())
	actions, err = action.Classify(b.trace, records{})
	require.NoError(t, err)
	require.Len(t, actions, 2)
	require.Equal(t, "tick_tock", actions[0].Type)
	require.Equal(t, account(1).String(), actions[0].Source)
	require.True(t, actions[0].Success)
	require.Equal(t, "call_contract", actions[1].Type)
}

func TestComment_TextOrBase64(t *testing.T) {
	t.Parallel()
	cipher := []byte{1, 2, 0xff}
	second := cell.BeginCell().MustStoreSlice([]byte("ks"), 16).EndCell()
	for name, tc := range map[string]struct {
		body      *cell.Cell
		content   any
		encrypted bool
	}{
		"a text":                   {textBody("thanks"), "thanks", false},
		"a text in two cells":      {op(0).MustStoreSlice([]byte("than"), 32).MustStoreRef(second).EndCell(), "thanks", false},
		"bytes that are no text":   {op(0).MustStoreSlice([]byte{'a', 0xff, 0, 'b'}, 32).EndCell(), `a\xffb`, false},
		"an encrypted comment":     {op(0x2167da4b).MustStoreSlice(cipher, 24).EndCell(), base64.StdEncoding.EncodeToString(cipher), true},
		"no body":                  {cell.BeginCell().EndCell(), nil, false},
		"an opcode alone":          {op(0).EndCell(), nil, false},
		"bits that are no bytes":   {op(0).MustStoreUInt(5, 9).EndCell(), nil, false},
		"a text with two branches": {op(0).MustStoreUInt(65, 8).MustStoreRef(second).MustStoreRef(second).EndCell(), nil, false},
	} {
		b, root := external(1)
		b.send(root, 2, 500, tc.body)
		got := requireOne(t, b, records{})
		require.Equal(t, "ton_transfer", got["type"], name)
		require.Equal(t, map[string]any{"content": tc.content, "encrypted": tc.encrypted}, got["ton_transfer_data"], name)
	}
}

func TestTonTransfer_CoinsThatStayAreSuccess(t *testing.T) {
	t.Parallel()
	// The message is not bounceable, and its value did not pay for gas.
	b, root := external(1)
	tx := b.send(root, 2, 1, textBody("hi"))
	tx.Aborted, tx.Skipped, tx.In.Bounce = true, true, false
	require.Equal(t, false, requireOne(t, b, records{})["success"], "the contract could not run for another reason")
	tx.NoGas = true
	require.Equal(t, true, requireOne(t, b, records{})["success"])
}

func TestTonTransfer_ListsExtraCurrencies(t *testing.T) {
	t.Parallel()
	b, root := external(1)
	tx := b.send(root, 2, 0, op(7).EndCell())
	tx.In.Extra = map[string]*big.Int{"100": big.NewInt(5)}
	tx.Aborted = true
	got := requireOne(t, b, records{})
	require.Equal(t, map[string]any{"100": 5.0}, got["value_extra_currencies"])
	require.Equal(t, false, got["success"], "extra currencies are a value too")
}

// The excesses of later messages belong to the action; those of its first message do not, because they return to the
// sender of the request.
func TestExcesses_ThoseOfPartsBelongToTheAction(t *testing.T) {
	t.Parallel()
	m := newExchange()
	excess := func() *cell.Cell { return withQueryID(0xd53276db).EndCell() }
	burn := m.send(m.root, atTraderA, 100, to(withQueryID(0x595f07bc).MustStoreCoins(5), atTrader).MustStoreBoolBit(false).EndCell())
	m.send(m.send(burn, jettonA, 90, withQueryID(0x7bdd97de).EndCell()), atTrader, 10, excess())
	m.send(burn, atTrader, 10, excess())
	m.requireKinds(t, "jetton_burn", "call_contract")
}

// Some kinds consist of the messages that they name, and have neither the excesses nor the bounces behind them.
func TestExcesses_OnlyNamedMessagesBelongToSomeActions(t *testing.T) {
	t.Parallel()
	r := marketplace("")
	b, root := external(buyer)
	request := b.send(root, item, 100, requestBody(0x2fcb26a2))
	reply := b.send(request, buyer, 90, op(0x8b771735).MustStoreUInt(1, 64).MustStoreUInt(12, 256).MustStoreAddr(std(collection)).EndCell())
	b.send(reply, item, 10, requestBody(0xd53276db))
	b.send(request, buyer, 10, requestBody(0xd53276db))
	actions, err := action.Classify(b.trace, r)
	require.NoError(t, err)
	outside := 0
	for _, a := range actions {
		if a.ParentID == "" {
			outside++
		}
	}
	require.Equal(t, 3, outside, "the discovery, and the excesses of both messages")

	excess := requestBody(0xd53276db)
	for kind, request := range map[string]*cell.Builder{
		"vesting_send_message":  op(0xa7733acd).MustStoreUInt(5, 64).MustStoreUInt(3, 8).MustStoreRef(message(3, 700, textBody("hi"))),
		"vesting_add_whitelist": op(0x7258a69b).MustStoreUInt(5, 64).MustStoreAddr(std(3)),
	} {
		reply := map[string]uint64{"vesting_send_message": 0xf7733acd, "vesting_add_whitelist": 0xf258a69b}[kind]
		b, root := external(buyer)
		b.send(b.send(b.send(root, item, 100, request.EndCell()), buyer, 90, requestBody(reply)), item, 10, excess)
		requireRows(t, b, records{}, []string{kind, "call_contract"}, want{})
	}
	for kind, stake := range map[string]func(m *exchange) *action.Transaction{
		"coffee_staking_claim_rewards": func(m *exchange) *action.Transaction {
			pool := m.send(m.root, atPool, 80, withQueryID(0xb30c7310).EndCell())
			back := m.send(m.move(pool, atRouterA, atTraderA, atTrader, 100, nil), atTrader, 1, excess) // of the transfer
			back = m.send(back, atTraderA, 1, op(0xffffffff).EndCell())
			back.In.Bounced = true
			return back
		},
		"coffee_staking_withdraw": func(m *exchange) *action.Transaction {
			item := m.send(m.root, atDeposit, 80, withQueryID(0xcb03bfaf).EndCell())
			pool := m.send(item, atPool, 70, to(withQueryID(0xcb03bfaf).MustStoreUInt(33, 64), atTrader).MustStoreCoins(9).EndCell())
			m.move(m.send(pool, atRouter, 60, withQueryID(0xcb03bfaf).EndCell()), atRouterA, atTraderA, atTrader, 100, nil)
			return pool
		},
		"coffee_staking_deposit": func(m *exchange) *action.Transaction {
			vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee10))
			pool := m.send(vault, atPool, 70, withQueryID(0xf9471134).EndCell())
			m.send(pool, atDeposit, 60, withQueryID(0x11).EndCell()).OrigStatus = "nonexist"
			return pool
		},
	} {
		m := newExchange()
		m.r.items[account(atDeposit)] = &action.NFTItem{Index: big.NewInt(33)}
		if last := stake(m); !last.In.Bounced {
			m.send(last, atTrader, 1, excess)
		}
		kinds := []string{kind, "call_contract"}
		if kind == "coffee_staking_deposit" {
			kinds = append(kinds, "contract_deploy")
		}
		m.requireKinds(t, kinds...)
	}
}

func TestChangeDNS_ReadsEveryRecordType(t *testing.T) {
	t.Parallel()
	sum := make([]byte, 32)
	sum[31] = 7
	hex := "0000000000000000000000000000000000000000000000000000000000000007"
	record := func(tag uint64) *cell.Builder { return cell.BeginCell().MustStoreUInt(tag, 16) }
	for name, tc := range map[string]struct {
		record *cell.Cell
		want   row
	}{
		"wallet":  {record(0x9fd3).MustStoreAddr(std(6)).MustStoreUInt(1, 8).EndCell(), row{"value_schema": "DNSSmcAddress", "value": account(6).String(), "flags": 1}},
		"next":    {record(0xba93).MustStoreAddr(std(6)).EndCell(), row{"value_schema": "DNSNextResolver", "value": account(6).String(), "flags": nil}},
		"site":    {record(0xad01).MustStoreSlice(sum, 256).MustStoreUInt(0, 8).EndCell(), row{"value_schema": "DNSAdnlAddress", "value": hex, "flags": 0}},
		"storage": {record(0x7473).MustStoreSlice(sum, 256).EndCell(), row{"value_schema": "DNSStorageAddress", "value": hex}},
		"text": {record(0x1eda).MustStoreUInt(1, 8).MustStoreUInt(2, 8).MustStoreSlice([]byte("hi"), 16).EndCell(), row{
			"value_schema": "DNSText", "value": "hi",
		}},
		"empty": {record(0x1eda).MustStoreUInt(1, 8).MustStoreUInt(0, 8).EndCell(), row{"value_schema": "DNSText", "value": ""}},
		"other": {record(0x1234).EndCell(), row{"value_schema": "Unknown", "value": nil}},
		"short": {record(0x9fd3).EndCell(), row{"value_schema": "DNSSmcAddress", "value": nil}},
	} {
		b, root := external(1)
		b.send(root, item, 10, op(0x4eb1f0f9).MustStoreUInt(1, 64).MustStoreSlice(sum, 256).MustStoreRef(tc.record).EndCell())
		got := requireOne(t, b, marketplace(""))
		require.Equal(t, "change_dns", got["type"], name)
		require.Equal(t, hex, got["change_dns_record_data"].(map[string]any)["key"])
		require.Empty(t, mismatch(asJSON(t, tc.want), asJSON(t, got["change_dns_record_data"]), name))
	}
}

func TestJettonMint_FailsWithMinterOrWallet(t *testing.T) {
	t.Parallel()
	transferBody := op(0x178d4519).MustStoreUInt(1, 64).MustStoreCoins(77).MustStoreUInt(0, 2).MustStoreUInt(0, 2).MustStoreCoins(0).
		MustStoreBoolBit(false).EndCell()
	order := func(code uint64) *cell.Cell {
		return op(code).MustStoreUInt(1, 64).MustStoreAddr(std(5)).MustStoreCoins(30).MustStoreRef(transferBody).EndCell()
	}
	contracts := wallets([3]byte{4, 5, 9})
	for name, tc := range map[string]struct {
		code                  uint64
		minterFails, hasFails bool
		sent                  bool
		want                  row
	}{
		"minted":                    {0x642b7d07, false, false, true, row{"success": true, "amount": 77, "destination": account(5).String(), "destination_secondary": account(4).String(), "asset": account(9).String(), "value": 30}},
		"minted by an older minter": {0x15, false, false, true, row{"success": true, "amount": 77}},
		"the wallet fails":          {0x642b7d07, false, true, true, row{"success": false, "amount": 77}},
		"the minter fails":          {0x642b7d07, true, false, false, row{"success": false, "amount": nil, "asset": account(9).String(), "destination": account(5).String(), "value": 30}},
		"an older minter fails":     {0x15, true, false, false, row{"success": false, "amount": 77, "asset": account(9).String()}},
	} {
		b, root := external(1)
		minter := b.send(root, 9, 100, order(tc.code))
		minter.Aborted = tc.minterFails
		if tc.sent {
			b.send(minter, 4, 90, transferBody).Aborted = tc.hasFails
		}
		got := requireOne(t, b, contracts)
		require.Equal(t, "jetton_mint", got["type"], name)
		require.Empty(t, mismatch(asJSON(t, tc.want), asJSON(t, got), name))
	}
}

// The opcode of older minters is a small number, which calls of other contracts have too: these order no message to a wallet.
func TestJettonMint_IsNoCallOfAnotherContract(t *testing.T) {
	t.Parallel()
	order := func() *cell.Builder { return op(0x15).MustStoreUInt(1, 64).MustStoreAddr(std(5)).MustStoreCoins(30) }
	for name, body := range map[string]*cell.Cell{
		"no message":    order().EndCell(),
		"short message": order().MustStoreRef(op(0x178d4519).MustStoreUInt(1, 63).EndCell()).EndCell(),
	} {
		b, root := external(1)
		b.send(root, 9, 100, body)
		require.Equal(t, "call_contract", requireOne(t, b, wallets([3]byte{4, 5, 9}))["type"], name)
	}
}

// The wallets of some Jettons have a message of their own between them, and some owners leave out the bit before the payload.
func TestJettonTransfer_OtherLayouts(t *testing.T) {
	t.Parallel()
	short := op(0x178d4519).MustStoreUInt(1, 64).MustStoreCoins(599).EndCell()
	withoutBit := op(0x0f8a7ea5).MustStoreUInt(1, 64).MustStoreCoins(600).MustStoreAddr(std(6)).MustStoreAddr(std(5)).
		MustStoreBoolBit(false).MustStoreCoins(1)
	for name, tc := range map[string]struct{ order, sent *cell.Cell }{
		"another message":            {transferJettons(600, 6, 5, nil), short},
		"no bit":                     {withoutBit.EndCell(), receiveJettons(0x178d4519, 600, 5)},
		"no bit, but a reference":    {withoutBit.MustStoreRef(textBody("hi")).EndCell(), receiveJettons(0x178d4519, 600, 5)},
		"a message without a length": {transferJettons(600, 6, 5, nil), op(0x178d4519).EndCell()},
	} {
		b, root := external(5)
		b.send(b.send(root, 4, 100, tc.order), 7, 90, tc.sent)
		requireRows(t, b, wallets([3]byte{4, 5, 9}, [3]byte{7, 6, 9}), []string{"jetton_transfer"}, want{
			"source": raw(5), "source_secondary": raw(4), "destination": raw(6), "destination_secondary": raw(7),
			"asset": raw(9), "amount": 600, "success": true, "jetton_transfer_data": want{"forward_amount": 1},
		})
		t.Log(name)
	}
}

func TestJettonBurn_FailsWithItsTransaction(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		b, root := external(5)
		burnt := b.send(root, 4, 100, op(0x595f07bc).MustStoreUInt(1, 64).MustStoreCoins(77).MustStoreAddr(std(5)).MustStoreBoolBit(false).EndCell())
		burnt.Aborted = fails
		if !fails {
			b.send(burnt, 9, 90, op(0x7bdd97de).MustStoreUInt(1, 64).MustStoreCoins(77).EndCell())
		}
		got := requireOne(t, b, wallets([3]byte{4, 5, 9}))
		require.Empty(t, mismatch(asJSON(t, row{
			"type": "jetton_burn", "success": !fails, "source": account(5).String(), "source_secondary": account(4).String(),
			"asset": account(9).String(), "amount": 77,
		}), asJSON(t, got), "burn"))
	}
}
