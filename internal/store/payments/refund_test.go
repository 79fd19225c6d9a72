package payments_test

import (
	"encoding/json"
	"math/big"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// transferBlock returns a masterchain block in which a wallet sends coins with a text comment.
func transferBlock(t *testing.T, seqno uint32, from, to chain.Address, value chain.Coins, comment string) *chain.MasterBlock {
	t.Helper()
	b := cell.BeginCell()
	require.NoError(t, b.StoreUInt(0, 32))
	require.NoError(t, b.StoreStringSnake(comment))
	body := b.EndCell()
	return newPaymentBlock(seqno, &payment.Transfer{Sender: from, Recipient: to, BodyHash: chain.Hash(body.HashKey())}, &payment.Message{Body: body}, value)
}

// open registers a payment of a link, without a sender.
func (s *shop) open(amount int64) *payment.Transfer {
	s.t.Helper()
	l := &payment.Link{
		Merchant: s.ID, Page: payment.NewPage(), Title: "Coffee", Asset: payment.NativeAsset(), AssetText: "TON", Amount: big.NewInt(amount),
		Recipient: testdb.Address(), RecipientText: "to",
	}
	require.NoError(s.t, s.p.CreateLink(s.t.Context(), l))
	t := l.Transfer(time.Now(), time.Hour)
	require.NoError(s.t, payment.PrepareOpen(t))
	_, err := s.p.StartPayment(s.t.Context(), s.ID, l, t, payment.NewPage())
	require.NoError(s.t, err)
	return t
}

// Without a registered sender, whoever pays with the reference decides: less than the amount fails, the amount succeeds.
func TestSettle_PaymentOfALinkCountsFromAnyWallet(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, buyer := s.open(1000), testdb.Address()
	require.NoError(t, db.Writer().Apply(t.Context(), transferBlock(t, 1, buyer, tr.Recipient, 400, tr.Reference)))
	r, err := s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Equal(t, payment.Failed, r.Status)
	require.Equal(t, payment.Amounts{Requested: "0.000001", Received: "0.0000004", Missing: "0.0000006"}, r.Amounts())
	require.NoError(t, db.Writer().Apply(t.Context(), transferBlock(t, 2, buyer, tr.Recipient, 1000, "order 5 "+tr.Reference)))
	r, err = s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Equal(t, payment.Success, r.Status)
	payer, ok := r.Payer()
	require.True(t, ok)
	require.Equal(t, buyer, payer)
	require.Equal(t, buyer.Friendly(false, false), r.Shown(false).SenderAddr, "who paid")
	require.Len(t, s.deliveries(), 2)
}

// Payments of several wallets keep their payers, also where the first one was too small: each can be sent back to whom it came from.
func TestSettle_SurplusHasItsPayer(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, buyers := s.open(1000), []chain.Address{testdb.Address(), testdb.Address(), testdb.Address()}
	for i, value := range []chain.Coins{400, 1000, 70} {
		require.NoError(t, db.Writer().Apply(t.Context(), transferBlock(t, uint32(i+1), buyers[i], tr.Recipient, value, tr.Reference)))
	}
	r, err := s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	payer, ok := r.Payer()
	require.True(t, ok)
	require.Equal(t, buyers[1], payer)
	further, err := s.p.Surplus(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Len(t, further, 2)
	require.Equal(t, buyers[0], further[0].PaidBy)
	require.Equal(t, int64(400), further[0].Paid.Int64())
	require.Equal(t, buyers[2], further[1].PaidBy)

	r.PaidBy = nil // as for minted Jettons
	_, ok = r.Payer()
	require.False(t, ok, "nothing is sent back to the zero address")
}

// A refund is a transfer from the recipient to the payer with the reference, of any amount, or without it, of exactly the amount. The
// same blocks again change nothing.
func TestSettle_RefundsAreFound(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	require.NoError(t, s.p.SetEventTypes(t.Context(), s.ID, s.to, []payment.Status{payment.Success, payment.Refunded}))
	buyer, tr := testdb.Address(), s.open(1000)
	apply := func(blocks ...*chain.MasterBlock) {
		t.Helper()
		for range 2 {
			for _, b := range blocks {
				require.NoError(t, db.Writer().Apply(t.Context(), b))
			}
		}
	}
	amounts := func() (list []int64) {
		t.Helper()
		refunds, err := s.p.Refunds(t.Context(), tr.Reference)
		require.NoError(t, err)
		for _, f := range refunds {
			require.Equal(t, buyer, f.To)
			list = append(list, f.Amount.Int64())
		}
		return list
	}
	// Before the payment, from elsewhere, to elsewhere, and of another amount without the reference: no refunds.
	apply(transferBlock(t, 1, tr.Recipient, buyer, 1000, "early"),
		transferBlock(t, 2, buyer, tr.Recipient, 1000, tr.Reference),
		transferBlock(t, 3, testdb.Address(), buyer, 1000, tr.Reference),
		transferBlock(t, 4, tr.Recipient, testdb.Address(), 1000, tr.Reference),
		transferBlock(t, 5, tr.Recipient, buyer, 999, "sorry"))
	require.Empty(t, amounts())
	apply(transferBlock(t, 6, tr.Recipient, buyer, 300, "refund of "+tr.Reference))
	require.Equal(t, []int64{300}, amounts())
	sums, err := s.p.Refunded(t.Context(), []string{tr.Reference, "other"})
	require.NoError(t, err)
	require.Equal(t, map[string]*big.Int{tr.Reference: big.NewInt(300)}, sums)
	apply(transferBlock(t, 7, tr.Recipient, buyer, 1000, "your money back"))
	require.Equal(t, []int64{300}, amounts(), "by its amount, a payment is refunded once")

	var bodies []string
	for _, d := range s.deliveries() {
		var body struct {
			Event string
			Data  struct{ RawAmount, Status, Reference, TxHash string }
		}
		require.NoError(t, json.Unmarshal(d.Body, &body))
		require.Equal(t, tr.Reference, body.Data.Reference)
		bodies = append(bodies, body.Event+" "+body.Data.RawAmount)
	}
	require.ElementsMatch(t, []string{"transfer.completed 1000", "transfer.refunded 300"}, bodies)

	// Without a comment, the exact amount is enough, once for each payment.
	first := tr
	tr = s.open(777)
	tr.Recipient = s.recipientOf(t, tr)
	apply(transferBlock(t, 8, buyer, tr.Recipient, 777, tr.Reference), transferBlock(t, 9, tr.Recipient, buyer, 777, ""))
	require.Equal(t, []int64{777}, amounts())
	require.NotEqual(t, first.Reference, tr.Reference)
	done, err := s.p.Replay(t.Context(), s.ID, 0, 0, 100)
	require.NoError(t, err)
	require.Equal(t, 4, done.Deliveries)
}

// recipientOf returns the stored recipient of a payment.
func (s *shop) recipientOf(t *testing.T, tr *payment.Transfer) chain.Address {
	t.Helper()
	r, err := s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	return r.Recipient
}

// An endpoint receives the types of events that its merchant chose, also in replays.
func TestEventTypes_OthersAreNotDelivered(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	require.NoError(t, s.p.SetEventTypes(t.Context(), s.ID, s.to, []payment.Status{payment.Success}))
	e, err := s.p.Endpoint(t.Context(), s.to)
	require.NoError(t, err)
	require.True(t, e.Receives(payment.Success))
	require.False(t, e.Receives(payment.Failed))
	tr, m := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(1, tr, m, 999)))
	require.Empty(t, s.deliveries())
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(2, tr, m, 1000)))
	require.Len(t, s.deliveries(), 1)
	done, err := s.p.Replay(t.Context(), s.ID, 0, 0, 1)
	require.NoError(t, err)
	require.Zero(t, done.Deliveries, "the failure")
	require.Equal(t, 1, done.Events, "other events may follow")
	require.Positive(t, done.Cursor, "a replay continues behind events that nobody receives")
	done, err = s.p.Replay(t.Context(), s.ID, 0, done.Cursor, 10)
	require.NoError(t, err)
	require.Equal(t, 1, done.Deliveries)
}

// An endpoint that fails causes one alert an hour on each channel, and none without channels.
func TestRaiseAlert_OneAnHourForAnEndpoint(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	alerts := func() (n int) {
		t.Helper()
		require.NoError(t, s.p.RaiseAlert(t.Context(), &payment.Delivery{ID: 1, Endpoint: s.to, Reason: "status 500"}))
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM river.river_job WHERE queue = 'alerts'`).Scan(&n))
		return n
	}
	require.Zero(t, alerts())
	require.NoError(t, s.p.SetAlerts(t.Context(), s.ID, payment.Alerts{Email: "shop@example.org", URL: "https://chat.example/"}))
	require.Equal(t, 2, alerts())
	require.Equal(t, 2, alerts())
	_, err := handle.ExecContext(t.Context(), `UPDATE webhook_endpoints SET alerted_at = now() - interval '61 minutes'`)
	require.NoError(t, err)
	require.Equal(t, 4, alerts())
	_, err = handle.ExecContext(t.Context(), `UPDATE webhook_endpoints SET alerted_at = now() + interval '3 days'`)
	require.NoError(t, err)
	require.Equal(t, 6, alerts(), "the clock was set back")
	require.Equal(t, 6, alerts())
	_, err = handle.ExecContext(t.Context(), `UPDATE webhook_endpoints SET alerted_at = now() + interval '30 seconds'`)
	require.NoError(t, err)
	require.Equal(t, 6, alerts(), "a transaction that began later")
}

// Endpoints that a merchant makes and removes again send no more alerts than those that stay: others need the mail server, too.
func TestRaiseAlert_MerchantHasTenAnHour(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, other := newShop(t, db, "shop"), newShop(t, db, "other")
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	count := func(merchant int64) (n int) {
		t.Helper()
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM river.river_job WHERE queue = 'alerts' AND (args->>'merchant')::bigint = $1`, merchant).Scan(&n))
		return n
	}
	for _, shop := range []*shop{s, other} {
		require.NoError(t, s.p.SetAlerts(t.Context(), shop.ID, payment.Alerts{Email: "shop@example.org"}))
	}
	storetest.RunConcurrently(t, 25, func(i int) error {
		to, err := s.p.CreateEndpoint(t.Context(), s.ID, "https://shop.example/"+strconv.Itoa(i), []byte("sealed"))
		if err != nil {
			return err // the limit of endpoints
		}
		if err := s.p.RaiseAlert(t.Context(), &payment.Delivery{ID: 1, Endpoint: to}); err != nil {
			return err
		}
		return s.p.RemoveEndpoint(t.Context(), s.ID, to)
	})
	for i := range 12 {
		to, err := s.p.CreateEndpoint(t.Context(), s.ID, "https://shop.example/again/"+strconv.Itoa(i), []byte("sealed"))
		require.NoError(t, err)
		require.NoError(t, s.p.RaiseAlert(t.Context(), &payment.Delivery{ID: 1, Endpoint: to}))
		require.NoError(t, s.p.RemoveEndpoint(t.Context(), s.ID, to))
	}
	require.Equal(t, 10, count(s.ID))
	require.NoError(t, s.p.RaiseAlert(t.Context(), &payment.Delivery{ID: 1, Endpoint: other.to}))
	require.Equal(t, 1, count(other.ID))

	// A test is not repeated: a slow receiver would hold the workers of all merchants six times as long.
	require.NoError(t, s.p.TestAlert(t.Context(), other.ID, payment.Alerts{URL: "https://chat.example/"}))
	var attempts int
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT max_attempts FROM river.river_job WHERE queue = 'alerts' ORDER BY id DESC LIMIT 1`).Scan(&attempts))
	require.Equal(t, 1, attempts)
}

// Users add deliveries up to a number of unfinished ones; new events are delivered whatever their number.
func TestSendTest_UnfinishedDeliveriesAreBounded(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, m := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(1, tr, m, 1000)))
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err := handle.ExecContext(t.Context(), `INSERT INTO webhook_deliveries (event_id, endpoint_id, trigger)
		SELECT event_id, endpoint_id, 3 FROM webhook_deliveries CROSS JOIN generate_series(1, 4998)`)
	require.NoError(t, err)
	first := s.deliveries()[0]
	require.Equal(t, 1, storetest.RunConcurrently(t, 20, func(int) error {
		_, err := s.p.Resend(t.Context(), &first)
		return err
	}))
	_, err = s.p.Replay(t.Context(), s.ID, 0, 0, 10)
	require.ErrorContains(t, err, "5000 unfinished deliveries")
	e, err := s.p.Endpoint(t.Context(), s.to)
	require.NoError(t, err)
	_, err = s.p.SendTest(t.Context(), e, &payment.Info{Reference: "test_1", RawAmount: big.NewInt(1), Status: payment.Success})
	require.ErrorContains(t, err, "5000 unfinished deliveries")

	tr, m = s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(2, tr, m, 1000)))
	require.Equal(t, tr.Reference, s.deliveries()[0].Reference)

	second, err := s.p.CreateEndpoint(t.Context(), s.ID, "https://shop.example/second", []byte("sealed"))
	require.NoError(t, err)
	_, err = s.p.Replay(t.Context(), s.ID, second, 0, 10)
	require.NoError(t, err, "another endpoint has few")
	_, err = s.p.Replay(t.Context(), s.ID, 0, 0, 10)
	require.ErrorContains(t, err, "5000 unfinished deliveries", "one of both has many")
	_, err = handle.ExecContext(t.Context(), `UPDATE webhook_deliveries SET state = 2, finished_at = now() WHERE endpoint_id = $1`, s.to)
	require.NoError(t, err)
	_, err = s.p.Resend(t.Context(), &first)
	require.NoError(t, err, "those that ended do not count")
}
