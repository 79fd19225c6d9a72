package action_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
)

// TestRefusals_BouncedRequestFails lets the first contract refuse each request that kinds start at, with bodies of
// many forms and accounts of many kinds: no action that is more than its message is successful.
func TestRefusals_BouncedRequestFails(t *testing.T) {
	t.Parallel()
	basic := []string{"call_contract", "ton_transfer", "contract_deploy", "unknown"}
	for _, code := range append(action.Requests(), 0) {
		if code == 0x05138d91 {
			continue // an item's notification: its owner has changed, whatever the new one makes of it
		}
		for form := range 256 {
			seed := form
			body := wildBody(code, func() int { seed = (seed*5 + 3) % 251; return seed })
			b, root := external(1)
			tx := b.send(root, byte(form%12), 1000, body)
			tx.Aborted, tx.ExitCode = true, 9
			b.bounce(tx)
			actions, err := action.Classify(b.trace, everything{})
			require.NoError(t, err)
			for _, a := range actions {
				if !slices.Contains(basic, a.Type) {
					require.False(t, a.Success, "%s of %#x", a.Type, code)
				}
			}
		}
	}
}

// TestRefusals_DecidingContractDecides fails, in recorded traces, the contracts that decide about a request behind the first
// one: the action that the request led to fails with them, or is none.
func TestRefusals_DecidingContractDecides(t *testing.T) {
	t.Parallel()
	deciding := map[uint32]string{
		0x54240fe5: "dex_deposit_liquidity", // DeDust: the deposit contract
		0xb56b9598: "dex_deposit_liquidity", // and the pool
		0x3ebe5431: "dex_deposit_liquidity", // TONCO: the user's account
		0xc0ffee22: "dex_deposit_liquidity", // swap.coffee: the depository
		0xc0ffee29: "dex_deposit_liquidity",
		0x441c39ed: "tonco_deploy_pool",
		0x642b7d07: "tgbtc_mint",
		0x61ee542d: "jetton_swap",
		0x6664de2a: "jetton_swap",
		0xa7fb58f8: "jetton_swap",
		0x25938561: "jetton_swap",
		0xc0ffee20: "jetton_swap",
		0xd73ac09d: "dex_withdraw_liquidity",
		0x00000211: "evaa_withdraw",
	}
	met := map[uint32]bool{}
	for _, name := range traceFiles(t) {
		recorded, _ := readTrace(t, name)
		for i, tx := range recorded.Transactions {
			if tx.In == nil || tx.In.Opcode == nil || deciding[*tx.In.Opcode] == "" {
				continue
			}
			trace, records := readTrace(t, name)
			cut(trace, i)
			met[*tx.In.Opcode] = true
			actions, err := action.Classify(trace, records)
			require.NoError(t, err)
			for _, a := range actions {
				if a.Type == deciding[*tx.In.Opcode] && slices.Contains(a.TxHashes, tx.Hash) {
					require.False(t, a.Success, "%s with %#x in %s", a.Type, *tx.In.Opcode, name)
				}
			}
		}
	}
	require.Len(t, met, len(deciding))
}
