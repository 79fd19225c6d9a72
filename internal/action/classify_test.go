package action_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

func op(code uint64) *cell.Builder { return cell.BeginCell().MustStoreUInt(code, 32) }

func textBody(s string) *cell.Cell { return op(0).MustStoreStringSnake(s).EndCell() }

// requireOne requires exactly one action and returns its columns as decoded JSON.
func requireOne(t *testing.T, b *builder, r records) map[string]any {
	t.Helper()
	actions, err := action.Classify(b.trace, r)
	require.NoError(t, err)
	require.Len(t, actions, 1)
	again, err := action.Classify(b.trace, r)
	require.NoError(t, err)
	require.Equal(t, actions, again, "classifying again must not change the rows")
	return columns(t, actions[0])
}

func columns(t *testing.T, a *action.Action) map[string]any {
	t.Helper()
	raw, err := json.Marshal(a)
	require.NoError(t, err)
	var m map[string]any
	require.NoError(t, json.Unmarshal(raw, &m))
	return m
}

func TestTonTransfer_HasItsComment(t *testing.T) {
	t.Parallel()
	b, root := external(1)
	b.send(root, 2, 500, textBody("thanks"))
	got := requireOne(t, b, records{})
	require.Equal(t, "ton_transfer", got["type"])
	require.Equal(t, account(1).String(), got["source"])
	require.Equal(t, account(2).String(), got["destination"])
	require.InDelta(t, 500, got["value"], 0)
	require.Equal(t, map[string]any{"content": "thanks", "encrypted": false}, got["ton_transfer_data"])
	require.Len(t, got["tx_hashes"], 2)
	require.Len(t, got["accounts"], 2)
	require.NotContains(t, got, "opcode")
}

func TestBasicActions_AbortedSucceedIfNoCoinsReturn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		value   int64
		body    *cell.Cell
		bounce  bool
		status  string
		success bool
	}{
		{"a transfer that comes back", 5, textBody(""), true, "active", false},
		{"a transfer to an account without code", 5, textBody(""), false, "uninit", true},
		{"a call", 5, op(7).EndCell(), true, "active", false},
		{"a call without value", 0, op(7).EndCell(), true, "active", true},
	} {
		b, root := external(1)
		tx := b.send(root, 2, tc.value, tc.body)
		tx.Aborted, tx.In.Bounce, tx.EndStatus = true, tc.bounce, tc.status
		require.Equal(t, tc.success, requireOne(t, b, records{})["success"], tc.name)
	}
}

func TestContractDeploy_IsNotNested(t *testing.T) {
	t.Parallel()
	b, root := external(1)
	b.send(root, 2, 5, op(7).EndCell()).OrigStatus = "uninit"
	actions, err := action.Classify(b.trace, records{})
	require.NoError(t, err)
	require.Len(t, actions, 2)
	require.Equal(t, "call_contract", actions[0].Type)
	require.Equal(t, "contract_deploy", actions[1].Type)
	require.NotEqual(t, actions[0].ID, actions[1].ID)
}

func TestJettonTransfer_RefusedByTheWalletIsNotSuccessful(t *testing.T) {
	t.Parallel()
	r := records{wallets: map[chain.Address]*action.JettonWallet{account(4): {Owner: account(5), Jetton: account(9)}}}
	b, root := external(1)
	sent := b.send(root, 3, 100, op(0x0f8a7ea5).MustStoreUInt(42, 64).MustStoreCoins(77).MustStoreAddr(std(5)).
		MustStoreAddr(std(1)).MustStoreMaybeRef(nil).MustStoreCoins(3).MustStoreBoolBit(true).MustStoreRef(textBody("hi")).EndCell())
	in := b.send(sent, 4, 90, op(0x178d4519).MustStoreUInt(42, 64).MustStoreCoins(77).MustStoreAddr(std(1)).
		MustStoreAddr(std(1)).MustStoreCoins(3).MustStoreBoolBit(false).EndCell())
	b.send(in, 5, 3, op(0x7362d09c).EndCell())
	b.send(in, 1, 60, op(0xd53276db).EndCell())

	got := requireOne(t, b, r)
	require.Equal(t, "jetton_transfer", got["type"])
	require.Equal(t, true, got["success"])
	require.Equal(t, account(5).String(), got["destination"])
	require.Equal(t, account(4).String(), got["destination_secondary"])
	require.Equal(t, account(9).String(), got["asset"])
	require.InDelta(t, 77, got["amount"], 0)
	require.Equal(t, "hi", got["jetton_transfer_data"].(map[string]any)["comment"])
	require.Len(t, got["tx_hashes"], 5, "notification and excesses belong to the transfer")

	in.Aborted = true
	require.Equal(t, false, requireOne(t, b, r)["success"])

	// Without the record of the wallet, each message is an action.
	actions, err := action.Classify(b.trace, records{})
	require.NoError(t, err)
	require.Len(t, actions, 4)
}

func TestClassify_NestedActionsHaveTheirParent(t *testing.T) {
	t.Parallel()
	b, root := external(1)
	tx := b.send(root, 2, 10, op(0x7258a69b).MustStoreUInt(8, 64).MustStoreAddr(std(3)).EndCell())
	b.send(tx, 1, 5, op(0xf258a69b).MustStoreUInt(8, 64).EndCell())
	actions, err := action.Classify(b.trace, records{})
	require.NoError(t, err)
	require.Len(t, actions, 3)
	var parent string
	for _, a := range actions {
		if a.Type == "vesting_add_whitelist" {
			parent = a.ID
			data := columns(t, a)["vesting_add_whitelist_data"].(map[string]any)
			require.Equal(t, []any{account(3).String()}, data["accounts_added"])
		}
	}
	require.NotEmpty(t, parent)
	for _, a := range actions {
		if a.ID != parent {
			require.Equal(t, parent, a.ParentID)
			require.Equal(t, []string{"vesting_add_whitelist"}, a.Ancestors)
		}
	}
}

func TestDNS_ChangesAreClassifiedByTheRecord(t *testing.T) {
	t.Parallel()
	collection := account(8)
	r := records{items: map[chain.Address]*action.NFTItem{account(2): {Index: big.NewInt(1), Collection: &collection}}}
	key := make([]byte, 32)
	for kind, body := range map[string]*cell.Cell{
		"renew_dns":  op(0x4eb1f0f9).MustStoreUInt(1, 64).MustStoreSlice(key, 256).EndCell(),
		"delete_dns": op(0x4eb1f0f9).MustStoreUInt(1, 64).MustStoreSlice(append([]byte{1}, key[1:]...), 256).EndCell(),
		"change_dns": op(0x4eb1f0f9).MustStoreUInt(1, 64).MustStoreSlice(key, 256).MustStoreRef(
			cell.BeginCell().MustStoreUInt(0x9fd3, 16).MustStoreAddr(std(6)).MustStoreUInt(0, 8).EndCell()).EndCell(),
	} {
		b, root := external(1)
		b.send(root, 2, 10, body)
		got := requireOne(t, b, r)
		require.Equal(t, kind, got["type"])
		require.Equal(t, collection.String(), got["asset"])
		data, record := got["change_dns_record_data"].(map[string]any)
		require.Equal(t, kind != "renew_dns", record, "a renewal has no record")
		if kind == "change_dns" {
			require.Equal(t, "DNSSmcAddress", data["value_schema"])
			require.Equal(t, account(6).String(), data["value"])
		}
	}
}

func TestUnsubscribe_IsOneAction(t *testing.T) {
	t.Parallel()
	b, root := external(1)
	tx := b.send(root, 2, 10, op(0x64737472).EndCell())
	b.send(tx, 3, 5, op(0x64737472).EndCell())
	actions, err := action.Classify(b.trace, records{})
	require.NoError(t, err)
	require.Len(t, actions, 1)
	require.Equal(t, "unsubscribe", actions[0].Type)
	require.Equal(t, account(3).String(), actions[0].Destination)
}

func TestClassify_NothingRecognizedIsUnknown(t *testing.T) {
	t.Parallel()
	b, _ := external(1)
	got := requireOne(t, b, records{})
	require.Equal(t, "unknown", got["type"])
	require.Equal(t, got["trace_id"], got["action_id"])
}

func TestClassify_GapInTheTreeIsInvalid(t *testing.T) {
	t.Parallel()
	b, root := external(1)
	b.send(root, 2, 5, textBody(""))
	b.trace.Transactions = b.trace.Transactions[:1]
	_, err := action.Classify(b.trace, records{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	_, err = action.Classify(&action.Trace{}, records{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}
