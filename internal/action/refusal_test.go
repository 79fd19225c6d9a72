package action_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/pacetest"
)

// The first contract refuses each request that kinds start with, with bodies of many forms and records of many kinds.
// Only the basic actions may be successful.
func TestRefusals_BouncedRequestFails(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	basic := []string{"call_contract", "ton_transfer", "contract_deploy", "unknown"}
	for _, code := range append(action.Requests(), 0) {
		if code == 0x05138d91 {
			continue // the notification of an item, whose owner has changed already
		}
		for form := range 256 {
			seed := form
			body := randomBody(code, func() int { seed = (seed*5 + 3) % 251; return seed })
			b, root := external(1)
			tx := b.send(root, byte(form%12), 1000, body)
			tx.Aborted, tx.ExitCode = true, 9
			b.bounce(tx)
			actions, err := action.Classify(b.trace, allRecords{})
			require.NoError(t, err)
			for _, a := range actions {
				if !slices.Contains(basic, a.Type) {
					require.False(t, a.Success, "%s of %#x", a.Type, code)
				}
			}
		}
	}
}

// In recorded traces the contract that decides about a request, after the first one, is made to fail: the action of the
// request fails too, or does not exist.
func TestRefusals_FailWithTheDecidingContract(t *testing.T) {
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
	seen := map[uint32]bool{}
	for _, name := range traceFiles(t) {
		recorded, _ := readTrace(t, name)
		for i, tx := range recorded.Transactions {
			if tx.In == nil || tx.In.Opcode == nil || deciding[*tx.In.Opcode] == "" {
				continue
			}
			trace, records := readTrace(t, name)
			cut(trace, i)
			seen[*tx.In.Opcode] = true
			actions, err := action.Classify(trace, records)
			require.NoError(t, err)
			for _, a := range actions {
				if a.Type == deciding[*tx.In.Opcode] && slices.Contains(a.TxHashes, tx.Hash) {
					require.False(t, a.Success, "%s with %#x in %s", a.Type, *tx.In.Opcode, name)
				}
			}
		}
	}
	require.Len(t, seen, len(deciding))
}
