package action_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
)

// TestRefusals_RequestThatBouncesIsNoSuccess lets the first contract refuse each request that kinds start at, with bodies of
// many forms and accounts of many kinds: no action that is more than its message is successful.
func TestRefusals_RequestThatBouncesIsNoSuccess(t *testing.T) {
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
