package body_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	_ "tonql/internal/action/all" // registers the kinds
	"tonql/internal/action/recording"
	"tonql/internal/contract/body"
)

// agreements are values that the classifier of actions reads from bodies on its own, and where layouts have them.
var agreements = []struct{ action, column, layout, member string }{
	{"tgbtc_mint", "amount", "tgbtc_mint_event", "amount.amount.value"},
	{"tgbtc_new_key", "amount", "tgbtc_new_key_event", "amount.amount.value"},
	{"cocoon_client_register", "cocoon_client_register_data.nonce", "cocoon_owner_client_register", "nonce"},
	{"cocoon_unregister_proxy", "cocoon_unregister_proxy_data.seqno", "cocoon_unregister_proxy", "seqno"},
	{"cocoon_worker_payout", "cocoon_worker_payout_data.worker_tokens", "cocoon_worker_proxy_request", "tokens"},
	{"cocoon_client_withdraw", "cocoon_client_withdraw_data.query_id", "cocoon_owner_client_withdraw", "query_id"},
	{"coffee_create_pool", "coffee_create_pool_data.amount_1", "coffee_create_pool_request", "amount2.amount.value"},
	{"coffee_create_pool", "coffee_create_pool_data.amount_2", "coffee_create_pool_request", "amount1.amount.value"},
	{"coffee_staking_claim_rewards", "amount", "coffee_staking_claim_rewards", "jetton_amount.amount.value"},
	{"evaa_withdraw", "amount", "evaa_withdraw_collateralized", "withdraw_amount_current.amount"},
	{"evaa_supply", "evaa_supply_data.asset_id", "evaa_supply_success", "asset_id.asset_id"},
	{"jvault_unstake", "amount", "jvault_unstake_jettons", "jettons_to_unstake.amount.value"},
	{"tonco_deploy_pool", "tonco_deploy_pool_data.tick_spacing", "tonco_pool_init", "tick_spacing"},
	{"tonco_deploy_pool", "tonco_deploy_pool_data.initial_price_x96", "tonco_pool_init", "initial_price_x96"},
	{"tonco_deploy_pool", "tonco_deploy_pool_data.jetton1_router_wallet", "tonco_router_create_pool", "jetton_wallet1"},
	{"vesting_send_message", "vesting_send_message_data.query_id", "vesting_send_message", "query_id"},
	{"jetton_burn", "amount", "jetton_burn", "amount.value"},
}

// Messages of recorded traces are decoded, and have the values that the classifier of actions reads from them by itself.
func TestDecode_RecordedTracesAgreeWithTheirActions(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("TONQL_ACTION_FIXTURES")
	if folder == "" {
		t.Skip("TONQL_ACTION_FIXTURES does not name a folder of recorded traces")
	}
	files, err := filepath.Glob(filepath.Join(folder, "traces", "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	named, decoded := 0, 0
	agreed := map[int]int{}
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		trace, contracts, err := recording.Read(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		objects := map[string][]map[string]any{} // by @type
		for _, tx := range trace.Transactions {
			for _, m := range append([]*action.Message{tx.In}, tx.Out...) {
				if m == nil || m.Opcode == nil || body.Name(*m.Opcode) == "" {
					continue
				}
				named++
				printed, _, ok := body.Decode(m.Body.Cell(), body.Inside)
				if !ok {
					continue
				}
				decoded++
				var object any
				require.NoError(t, json.Unmarshal(printed, &object))
				collect(objects, object)
			}
		}
		actions, err := action.Classify(trace, contracts)
		require.NoError(t, err)
		for _, a := range actions {
			columns := columnsOf(t, a)
			for i, x := range agreements {
				want := text(columns, x.column)
				if x.action != a.Type || want == "" {
					continue
				}
				var got []string
				for _, object := range objects[x.layout] {
					got = append(got, text(object, x.member))
				}
				if len(got) == 0 {
					continue
				}
				require.Contains(t, got, want, "%s: %s of %s, %s of %s", filepath.Base(file), x.column, x.action, x.member, x.layout)
				agreed[i]++
			}
		}
	}
	t.Logf("%d messages with a named opcode, %d decoded", named, decoded)
	require.Greater(t, decoded*100, named*97, "the others have addresses that their published layouts exclude, or other versions of a body")
	for i, x := range agreements {
		require.Positive(t, agreed[i], "%s of %s is compared", x.column, x.action)
	}
}

// collect adds an object and all objects in it.
func collect(list map[string][]map[string]any, value any) {
	switch v := value.(type) {
	case map[string]any:
		if name, ok := v["@type"].(string); ok {
			list[name] = append(list[name], v)
		}
		for _, member := range v {
			collect(list, member)
		}
	case []any:
		for _, item := range v {
			collect(list, item)
		}
	}
}

// columnsOf returns the columns of an action, those of its type as objects.
func columnsOf(t *testing.T, a *action.Action) map[string]any {
	t.Helper()
	encode := func(v any) any {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		decoder := json.NewDecoder(strings.NewReader(string(data)))
		decoder.UseNumber()
		var value any
		require.NoError(t, decoder.Decode(&value))
		return value
	}
	columns, ok := encode(a.Columns).(map[string]any)
	require.True(t, ok)
	for _, p := range a.Payloads {
		columns[p.Column()] = encode(p)
	}
	return columns
}

// text returns a number, a text or an address at a path; "" for what is not there.
func text(value any, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return ""
		}
		value = object[name]
	}
	if object, ok := value.(map[string]any); ok && object["@type"] == "addr_std" {
		return fmt.Sprintf("%s:%s", object["workchain_id"], object["address"])
	}
	switch v := value.(type) {
	case json.Number:
		return v.String()
	case string:
		if n, ok := new(big.Int).SetString(v, 0); ok { // also in hexadecimal
			return n.String()
		}
		return v
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
