package payments_test

import (
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/payment"
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
	_, n, err := s.p.Replay(t.Context(), s.ID, 0, 0, 100)
	require.NoError(t, err)
	require.Equal(t, 4, n)
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
	cursor, n, err := s.p.Replay(t.Context(), s.ID, 0, 0, 1)
	require.NoError(t, err)
	require.Zero(t, n, "the failure")
	require.Positive(t, cursor, "a replay continues behind events that nobody receives")
	_, n, err = s.p.Replay(t.Context(), s.ID, 0, cursor, 10)
	require.NoError(t, err)
	require.Equal(t, 1, n)
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
}
