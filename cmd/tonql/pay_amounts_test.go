package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
)

// Wallets of every version send with a mode that deducts the fees from the value: the dashboard shows the requested,
// the received and the missing amount, to the nanoton.
func TestDashboard_ShowsWhatRealWalletsDeduct(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const coin = 1_000_000_000
	w := newPaymentNetwork(t, 500*time.Millisecond, 0)
	browser := w.signIn(t)
	for i, version := range []contracts.WalletVersion{contracts.V3R2, contracts.V4R2, contracts.V5R1, contracts.HighloadV3} {
		wallet := w.wallet(t, version, i)
		require.NoError(t, w.net.Faucet.Send(t.Context(), wallet.Address, 5*coin, ""))
		w.wait(t, 3)
		deducting := w.register(t, wallet, coin, 10*i)
		signed := deducting.signed(t)
		signed.Mode = contracts.ModeIgnoreErrors // without 1
		validUntil := w.net.Chain.Now() + 60
		if version == contracts.HighloadV3 {
			validUntil = w.net.Chain.Now() - 30
		}
		w.send(t, wallet, contracts.Ticket{Seqno: 0, ValidUntil: validUntil, Deploy: true}, signed)
		name := fmt.Sprintf("wallet %d", version)
		eventually(t, time.Minute, name, func() bool { return w.receiver.count([]order{deducting}) == 1 })
		shown := browser.page("/dashboard/payments/" + deducting.Reference)
		require.Contains(t, shown, "<dt>Requested</dt><dd>1 TON<", name)
		missing := submatch(t, `<dt>Missing</dt><dd>(0\.000\d+) TON<`, shown)
		require.Equal(t, missing, submatch(t, `<dt>Fees deducted</dt><dd>(\S+) TON:`, shown), name)
		require.Regexp(t, `<dt>Received</dt><dd>0\.999\d+ TON<`, shown, name)
		require.Contains(t, shown, "Not enough TON (code 37)", name)
	}
}
