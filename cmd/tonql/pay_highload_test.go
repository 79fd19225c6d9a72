package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
)

// A highload wallet pays in batches: messages that it skips without an error, in either of its two steps, are failed
// payments, and the shop is notified of them.
func TestPayments_HighloadWalletOmissionsAreFailures(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const coin = 1_000_000_000
	w := newPaymentNetwork(t, 500*time.Millisecond, 0)
	wallet := w.wallet(t, contracts.HighloadV3, 1)
	require.NoError(t, w.net.Faucet.Send(t.Context(), wallet.Address, 5*coin, ""))
	w.wait(t, 3)
	query := uint32(0)
	batch := func(orders ...contracts.Order) {
		w.send(t, wallet, contracts.Ticket{Seqno: query, ValidUntil: w.net.Chain.Now() - 30, Deploy: query == 0}, orders...)
		query++
		w.wait(t, 3)
	}
	everything := contracts.Order{
		Message: contracts.Transfer(w.net.Faucet.Address(), 0, ""), Mode: contracts.ModeAllBalance | contracts.ModeIgnoreErrors,
	}
	tooMuch, first, second, third := w.register(t, wallet, 1000*coin, 0), w.register(t, wallet, coin/10, 1), w.register(t, wallet, coin/10, 2), w.register(t, wallet, coin/10, 3)
	batch(tooMuch.signed(t)) // the message to itself would have to carry it
	batch(first.signed(t), second.signed(t), everything, third.signed(t))

	for _, c := range []struct {
		order   order
		status  payment.Status
		code    int32
		message string
	}{
		{tooMuch, payment.Failed, 37, "Not enough balance"},
		{first, payment.Success, 0, ""},
		{second, payment.Success, 0, ""},
		{third, payment.Failed, 37, "Not enough balance"},
	} {
		eventually(t, time.Minute, "the shop is notified", func() bool { return w.receiver.count([]order{c.order}) == 1 })
		status, body := get(t, w.base+"/api/merchant/v1/transfer?reference="+c.order.Reference)
		require.Equal(t, 200, status)
		var event struct {
			Status       payment.Status
			ErrorCode    int32
			ErrorMessage string
		}
		require.NoError(t, json.Unmarshal(body, &event))
		require.Equal(t, c.status, event.Status, string(body))
		require.Equal(t, c.code, event.ErrorCode)
		require.Equal(t, c.message, event.ErrorMessage)
	}
}
