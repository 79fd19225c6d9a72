package rest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
)

// newBounce is new_bounce_body as it is decoded.
type newBounce struct {
	Type     string          `json:"@type"`
	Original json.RawMessage `json:"original_body"`
	Info     struct {
		Value struct {
			Grams struct {
				Amount struct{ Value string }
			}
		}
		LT string `json:"created_lt"`
	} `json:"original_info"`
	Phase    string `json:"bounced_by_phase"`
	ExitCode string `json:"exit_code"`
	Compute  struct {
		Type string `json:"@type"`
	} `json:"compute_phase"`
}

// Messages bounce for every reason (a message whose value buys no gas cannot pay for its way back), in each form that their sender can request. All APIs return the same messages and actions;
// the form changes no action.
func TestProtocol_BouncedMessagesInEveryForm(t *testing.T) {
	t.Parallel()
	n := startLocal(t, devnet.Options{Seed: [32]byte{0xb0}})
	thrower := contracts.Thrower(contracts.Basechain, 0)
	n.order(thrower.Deploy(5e9, nil))
	n.advance(2)
	nobody := address.NewAddress(0, 0, make([]byte, 32))
	// The excesses in the reference show whether the complete body returned.
	rest := cell.BeginCell().MustStoreUInt(0xd53276db, 32).MustStoreUInt(9, 64).EndCell()
	with := func(b *cell.Cell) *cell.Cell { return b.ToBuilder().MustStoreRef(rest).EndCell() }
	for name, tc := range map[string]struct {
		to              *address.Address
		body            *cell.Cell
		phase, exitCode string
		compute         bool
	}{
		"no code":        {nobody, with(cell.BeginCell().MustStoreUInt(0xd53276db, 32).MustStoreUInt(1, 64).EndCell()), "0", "-1", false},
		"exit code":      {thrower.Address, with(contracts.ThrowCode(701)), "1", "701", true},
		"out of gas":     {thrower.Address, with(contracts.ThrowBurnGas()), "1", "-14", true},
		"failed action":  {thrower.Address, contracts.ThrowBounceOnActionFailure(), "2", "37", true},
		"empty body":     {nobody, cell.BeginCell().EndCell(), "0", "-1", false},
		"31 bits":        {nobody, cell.BeginCell().MustStoreUInt(5, 31).EndCell(), "0", "-1", false},
		"already bounce": {nobody, cell.BeginCell().MustStoreUInt(0xfffffffe, 32).MustStoreRef(rest).EndCell(), "0", "-1", false},
	} {
		before := len(n.messages(tc.to, n.faucet.Address))
		var sent []*tlb.InternalMessage
		for _, flags := range []uint64{0, 1, 3} {
			m := contracts.Call(tc.to, 1e9, tc.body)
			m.IHRFee = tlb.FromNanoTONU(flags) // extra_flags stand where the fee was
			sent = append(sent, m)
		}
		for _, m := range sent { // a trace each
			n.order(m)
			n.advance(2)
		}
		back := n.messages(tc.to, n.faucet.Address)[before:]
		require.Len(t, back, 3, name)
		var kinds []string
		for i, m := range back {
			require.True(t, m.Bounced, name)
			require.Equal(t, sent[i].IHRFee.Nano().String(), *m.ExtraFlags, "%s: the flags are those of the message", name)
			if i == 0 {
				require.Equal(t, "0xffffffff", *m.Opcode, name)
				require.Equal(t, "bounce", *m.Name, name)
				kinds = n.actions(m.Transaction)
				require.NotEmpty(t, kinds)
				continue
			}
			require.Equal(t, "0xfffffffe", *m.Opcode, name)
			require.Equal(t, "new_bounce_body", *m.Name, name)
			require.Equal(t, kinds, n.actions(m.Transaction), "%s: the form changes no action", name)
			var b newBounce
			require.NoError(t, json.Unmarshal(m.Decoded, &b), "%s: %s", name, m.Decoded)
			require.Equal(t, "new_bounce_body", b.Type, name)
			require.Equal(t, []string{tc.phase, tc.exitCode}, []string{b.Phase, b.ExitCode}, name)
			require.Equal(t, tc.compute, b.Compute.Type == "something_from_maybe", name)
			require.Equal(t, sent[i].Amount.Nano().String(), b.Info.Value.Grams.Amount.Value, name)
			root := tc.body
			if i == 1 {
				s := root.MustBeginParse()
				root = cell.BeginCell().MustStoreSlice(s.MustLoadSlice(s.BitsLeft()), root.BitsSize()).EndCell()
			}
			requireOriginal(t, n, root, b.Original, name)
		}
	}
	n.requireReplayed()
}

// requireOriginal requires that an original body is shown as it is decoded alone, or as a bag of cells.
func requireOriginal(t *testing.T, n *localNetwork, want *cell.Cell, got json.RawMessage, name string) {
	t.Helper()
	if want.BitsSize() == 0 && want.RefsNum() == 0 {
		require.JSONEq(t, `{"@type":"empty_cell"}`, string(got), name)
		return
	}
	var text string
	if json.Unmarshal(got, &text) == nil {
		require.Equal(t, want.Hash(), fromBag(t, text).Hash(), name)
		return
	}
	require.Contains(t, string(got), `"@type"`, name)
}
