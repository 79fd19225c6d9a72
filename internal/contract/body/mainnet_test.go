package body_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton/jetton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract/body"
)

// Messages of recorded main network blocks decode to JSON, with the fields that another library reads.
func TestAppendContent_MainnetMessagesAgreeWithTonutils(t *testing.T) {
	t.Parallel()
	types := map[string]int{}
	messages, named := 0, 0
	for _, rec := range mainnet.Blocks(t) {
		m, err := decode.MasterBlock(t.Context(), rec.Master(t))
		require.NoError(t, err, rec.Name)
		for i := range m.Messages {
			msg := &m.Messages[i]
			place := body.Inside
			if msg.Kind == chain.ExternalIn {
				place = body.Incoming
			}
			printed, ok := body.AppendContent(nil, msg.Body, place)
			messages++
			if msg.Opcode != nil && body.Name(*msg.Opcode) != "" {
				named++
			}
			if !ok {
				continue
			}
			var object map[string]any
			require.NoError(t, json.Unmarshal(printed, &object))
			name, isText := object["@type"].(string)
			require.True(t, isText)
			types[name]++
			requireAgreement(t, msg, object)
		}
	}
	decoded := 0
	for _, name := range slices.Sorted(maps.Keys(types)) {
		t.Logf("%6d %s", types[name], name)
		decoded += types[name]
	}
	t.Logf("%d messages, %d decoded, %d with a named opcode", messages, decoded, named)
	for _, name := range []string{
		"text_comment", "excess", "jetton_transfer", "jetton_internal_transfer", "jetton_notify", "nft_transfer",
		"w5_external_signed_request", "wallet_signed_v4", "wallet_signed_v3", "highload_wallet_signed_v2", "empty_cell",
	} {
		require.Positive(t, types[name], name)
	}
}

// requireAgreement compares the fields that both libraries decode.
func requireAgreement(t *testing.T, msg *chain.Message, object map[string]any) {
	t.Helper()
	root, err := cell.FromBOC(msg.Body)
	require.NoError(t, err)
	switch object["@type"] {
	case "text_comment":
		s := root.MustBeginParse()
		s.MustLoadUInt(32)
		text, err := s.LoadStringSnake()
		require.NoError(t, err)
		require.Equal(t, text, object["comment"])
	case "jetton_transfer":
		var want jetton.TransferPayload
		require.NoError(t, tlb.LoadFromCell(&want, root.MustBeginParse()))
		require.Equal(t, want.Amount.Nano().String(), object["amount"].(map[string]any)["value"])
		require.Equal(t, want.ForwardTONAmount.Nano().String(), object["forward_ton_amount"].(map[string]any)["value"])
		require.Equal(t, rawOf(t, want.Destination), rawIn(t, object["destination"]))
	}
}

func rawOf(t *testing.T, a *address.Address) string {
	t.Helper()
	require.Equal(t, address.StdAddress, a.Type())
	return chain.Address{Workchain: a.Workchain(), ID: chain.HashFrom(a.Data())}.String()
}

func rawIn(t *testing.T, printed any) string {
	t.Helper()
	object, ok := printed.(map[string]any)
	require.True(t, ok)
	require.Equal(t, "addr_std", object["@type"])
	return object["workchain_id"].(string) + ":" + object["address"].(string)
}
