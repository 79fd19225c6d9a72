package body

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

const signature = `"signature":"` + bobHex + bobHex + `"`

func signed() *build { return empty().MustStoreSlice(bytesOf(0x33, 64), 512) }

// batch returns a dictionary of two messages with their modes, keyed by 16 bits.
func batch(t testing.TB) *cell.Dictionary {
	t.Helper()
	d := cell.NewDict(16)
	for i := range int64(2) {
		require.NoError(t, d.SetIntKey(big.NewInt(i), empty().MustStoreUInt(3, 8).MustStoreRef(message()).EndCell()))
	}
	return d
}

const (
	sent         = `{"mode":"3","msg":` + messagePrinted + `}`
	batchPrinted = edge + zeroLabel + `"15"}` + fork + edge + noLabel + leaf + sent + `}},"right":` + edge + noLabel + leaf + sent + `}}}}`
)

// Requests to wallets start with a signature and are recognized by their structure, in external-in messages only.
func TestDecode_WalletRequestsFromOutsideOnly(t *testing.T) {
	t.Parallel()
	head := func() *build { return signed().MustStoreUInt(7, 32).MustStoreUInt(8, 32).MustStoreUInt(9, 32) }
	const headPrinted = signature + `,"subwallet_id":"7","valid_until":"8","msg_seqno":"9",`
	send := func(b *build, n int) *build {
		for range n {
			b = b.MustStoreUInt(3, 8).MustStoreRef(message())
		}
		return b
	}
	seen := map[string]bool{}
	for _, c := range []struct {
		name string
		body *build
		want string
	}{
		{"wallet_signed_v1_v2", send(signed().MustStoreUInt(7, 32).MustStoreUInt(8, 32), 1), signature + `,"msg_seqno":"7","valid_until":"8","msgs":{"@type":"msgs_1","msg_1":` + sent + `}`},
		{"wallet_signed_v1_v2", signed().MustStoreUInt(7, 32).MustStoreUInt(8, 32), signature + `,"msg_seqno":"7","valid_until":"8","msgs":{"@type":"msgs_0"}`},
		{"wallet_signed_v3", send(head(), 2), headPrinted + `"msgs":{"@type":"msgs_2","msg_1":` + sent + `,"msg_2":` + sent + `}`},
		{"wallet_signed_v3", send(head(), 4), headPrinted + `"msgs":{"@type":"msgs_4","msg_1":` + sent + `,"msg_2":` + sent + `,"msg_3":` + sent + `,"msg_4":` + sent + `}`},
		{"wallet_signed_v4", send(head().MustStoreUInt(0, 8), 3), headPrinted + `"op":{"@type":"simple_send","msgs":{"@type":"msgs_3","msg_1":` + sent + `,"msg_2":` + sent + `,"msg_3":` + sent + `}}`},
		{"wallet_signed_v4", head().MustStoreUInt(1, 8).MustStoreInt(-1, 8).MustStoreCoins(1000).MustStoreRef(empty().MustStoreUInt(0b00100, 5).MustStoreRef(opaque).EndCell()).MustStoreRef(comment("hi")),
			headPrinted + `"op":{"@type":"deploy_install_plugin","plugin_workchain":"-1","plugin_balance":` + thousandCoin + `,"state_init":{"fixed_prefix_length":` + nothing +
				`,"special":` + nothing + `,"code":{"@type":"something_from_maybe","value":` + base64Of(opaque) + `},"data":` + nothing + `,"library":` + nothing + `},"body":` + hi + `}`},
		{"wallet_signed_v4", head().MustStoreUInt(2, 8).MustStoreUInt(0, 8).MustStoreSlice(bytesOf(0x33, 32), 256).MustStoreCoins(1000).MustStoreUInt(5, 64),
			headPrinted + `"op":{"@type":"install_plugin","plugin_workchain":"0","plugin_address":"` + bobHex + `","amount":` + thousandCoin + `,"query_id":"5"}`},
		{"wallet_signed_v4", head().MustStoreUInt(3, 8).MustStoreUInt(0, 8).MustStoreSlice(bytesOf(0x33, 32), 256).MustStoreCoins(1000).MustStoreUInt(5, 64),
			headPrinted + `"op":{"@type":"remove_plugin","plugin_workchain":"0","plugin_address":"` + bobHex + `","amount":` + thousandCoin + `,"query_id":"5"}`},
		{"highload_wallet_signed_v1", head().MustStoreRef(batch(t).AsCell()), headPrinted + `"payload":` + batchPrinted},
		{"highload_wallet_signed_v2", signed().MustStoreUInt(7, 32).MustStoreUInt(8, 64).MustStoreDict(batch(t)), signature + `,"subwallet_id":"7","query_id":"8","payload":{"@type":"hashmap_root","root":` + batchPrinted + `}`},
		{"highload_wallet_signed_v3", signed().MustStoreRef(empty().MustStoreUInt(7, 32).MustStoreRef(message()).MustStoreUInt(3, 8).MustStoreUInt(12, 13).MustStoreUInt(34, 10).
			MustStoreUInt(56, 64).MustStoreUInt(78, 22).EndCell()), signature + `,"msg_inner":{"subwallet_id":"7","message_to_send":` + messagePrinted +
			`,"send_mode":"3","query_id":{"shift":"12","bit_number":"34"},"created_at":"56","timeout":"78"}`},
		{"preprocessed_wallet_signed_v2", signed().MustStoreRef(empty().MustStoreUInt(8, 64).MustStoreUInt(9, 16).MustStoreRef(sending()).EndCell()),
			signature + `,"inner":{"valid_until":"8","seqno":"9","actions":` + sendingPrinted + `}`},
	} {
		printed, _, ok := Decode(c.body.EndCell(), Incoming)
		require.True(t, ok, c.name)
		require.Equal(t, `{"@type":"`+c.name+`",`+c.want+`}`, string(printed))
		_, _, ok = Decode(c.body.EndCell(), Inside)
		require.False(t, ok, "%s is tried for external-in messages only", c.name)
		seen[c.name] = true
	}
	for _, c := range wallets.constructors {
		require.True(t, seen[c.name], c.name)
	}
}

// A list of actions of maximum length is printed completely.
func TestAppendContent_PrintsTheLongestActionList(t *testing.T) {
	t.Parallel()
	list := empty().EndCell()
	for range 255 {
		list = empty().MustStoreRef(list).MustStoreUInt(0x36e6b809, 32).MustStoreUInt(1, 8).MustStoreCoins(1000).MustStoreBoolBit(false).EndCell()
	}
	body := empty().MustStoreUInt(0xae42e5a4, 32).MustStoreUInt(5, 64).MustStoreRef(list).EndCell()
	printed, ok := AppendContent(nil, body.ToBOC(), Inside)
	require.True(t, ok)
	require.JSONEq(t, string(printed), string(DecodeText(text64(body))))
	require.Len(t, reserve.FindAll(printed, -1), 255)
}
