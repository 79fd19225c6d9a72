package payments_test

import (
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/payment"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
)

// The overview counts the payments of one merchant by status, and sums what the successful ones brought by asset.
func TestOverview_CountsAndVolumesOfOneMerchant(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, other := newShop(t, db, "shop"), newShop(t, db, "other")
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	start, master := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), testdb.Address()
	for _, row := range []struct {
		of       *shop
		status   int // on disk
		received any
		created  time.Duration // since start
		paid     time.Duration
		jetton   bool
		expires  time.Duration // since now
	}{
		{of: s, status: 1, received: 1000}, {of: s, status: 1, received: 1500, created: -time.Second, paid: time.Hour},
		{of: s, status: 1, received: 70, jetton: true}, {of: s, status: 1, received: 9000, created: -time.Hour, paid: -time.Second},
		{of: s, status: 2, received: 40}, {of: s, status: 2, received: 0},
		{of: s, expires: time.Hour}, {of: s, expires: time.Hour}, {of: s, expires: time.Hour}, {of: s, expires: -time.Hour},
		{of: other, status: 1, received: 3}, {of: other, status: 2, received: 3}, {of: other, expires: time.Hour},
	} {
		tr, _ := row.of.register()
		_, err := handle.ExecContext(t.Context(), `UPDATE payments SET status = $2, received = $3::numeric, created_at = $4, tx_now = $5,
			expires_at = now() + $6 * interval '1 second' WHERE reference = $1`,
			tr.Reference, row.status, row.received, start.Add(row.created), start.Add(row.paid).Unix(), row.expires.Seconds())
		require.NoError(t, err)
		if row.jetton {
			_, err = handle.ExecContext(t.Context(), `UPDATE payments SET master = $2, ticker = 'TST', decimals = 6 WHERE reference = $1`, tr.Reference, master.Bytes())
			require.NoError(t, err)
		}
	}
	counts, err := s.p.Counts(t.Context(), s.ID, start)
	require.NoError(t, err)
	require.Equal(t, payments.Counts{Success: 2, Failed: 2, Pending: 3, Expired: 1}, counts, "registered since the start")
	volumes, err := s.p.Volumes(t.Context(), s.ID, start)
	require.NoError(t, err)
	require.Equal(t, []payments.Volume{
		{Asset: payment.NativeAsset(), Count: 2, Amount: big.NewInt(2500)},
		{Asset: payment.Asset{Master: &master, Ticker: "TST", Decimals: 6}, Count: 1, Amount: big.NewInt(70)},
	}, volumes, "paid since the start")

	all, err := s.p.List(t.Context(), payments.Filter{Merchant: s.ID, Limit: 100})
	require.NoError(t, err)
	require.Len(t, all, 10, "of every status")
}

// A day begins at midnight UTC and has the payments that were registered on it.
func TestPaymentDays_CountByStatusFromMidnight(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, other := newShop(t, db, "shop"), newShop(t, db, "other")
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	var midnight time.Time // of the day before yesterday
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT (date_trunc('day', now() AT TIME ZONE 'UTC') - interval '2 days') AT TIME ZONE 'UTC'`).Scan(&midnight))
	for _, row := range []struct {
		of     *shop
		status int
		offset time.Duration
	}{
		{s, 1, 0}, {s, 1, 24*time.Hour - time.Microsecond}, {s, 2, 12 * time.Hour}, {s, 0, time.Hour}, {s, 0, 2 * time.Hour}, {s, 0, 3 * time.Hour},
		{s, 2, -time.Microsecond}, {s, 1, 24 * time.Hour}, {other, 1, time.Hour},
	} {
		tr, _ := row.of.register()
		_, err := handle.ExecContext(t.Context(), `UPDATE payments SET status = $2, created_at = $3 WHERE reference = $1`, tr.Reference, row.status, midnight.Add(row.offset))
		require.NoError(t, err)
	}
	date := midnight.UTC().Format(time.DateOnly)
	days, err := s.p.PaymentDays(t.Context(), s.ID, 7)
	require.NoError(t, err)
	require.Len(t, days, 7)
	for i, d := range days {
		if d.Date != date {
			continue
		}
		require.Equal(t, payments.Day{Date: date, Success: 2, Failed: 1, Pending: 3}, d)
		require.Equal(t, []int{0, 1, 0}, []int{days[i-1].Success, days[i-1].Failed, days[i-1].Pending}, "the day before")
		require.Equal(t, []int{1, 0, 0}, []int{days[i+1].Success, days[i+1].Failed, days[i+1].Pending}, "the day after")
		return
	}
	require.Fail(t, "the day is missing", "%v", days)
}

// A transfer is read as it was registered: events repeat its texts.
func TestRegisterPayment_IsReadAsItWasRegistered(t *testing.T) {
	t.Parallel()
	s := newShop(t, testdb.New(t), "shop")
	want := &payment.Transfer{
		Asset: payment.Asset{Master: new(testdb.Address()), Ticker: "TST", Decimals: 6}, Amount: big.NewInt(1234), Sender: testdb.Address(), Recipient: testdb.Address(),
		Wallets: &payment.Wallets{Sender: testdb.Address(), Recipient: testdb.Address()}, QueryID: 1<<63 | 5,
		SenderText: "the sender", RecipientText: "the recipient", AssetText: "the asset", CommentToSender: "for the sender", CommentToRecipient: "for the recipient",
		CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), ExpiresAt: time.Date(2026, 1, 2, 4, 4, 5, 6000, time.UTC),
	}
	_, err := payment.Prepare(want)
	require.NoError(t, err)
	require.NoError(t, s.p.RegisterPayment(t.Context(), s.ID, want))
	got, err := s.p.Payment(t.Context(), want.Reference)
	require.NoError(t, err)
	got.CreatedAt, got.ExpiresAt = got.CreatedAt.UTC(), got.ExpiresAt.UTC()
	require.Equal(t, &payment.Record{Transfer: *want, Merchant: s.ID, Status: payment.Pending}, got)
}

// A payment without a link has a page of its own; that of a link also names the link.
func TestPageOf_PaymentsWithAndWithoutALink(t *testing.T) {
	t.Parallel()
	s := newShop(t, testdb.New(t), "shop")
	l, page := s.link(nil), payment.NewPage()
	started, opened, err := s.start(l, page)
	require.NoError(t, err)
	require.Equal(t, page, opened)
	single, other := l.Transfer(time.Now(), time.Hour), payment.NewPage()
	require.NoError(t, payment.PrepareOpen(single))
	opened, err = s.p.StartPayment(t.Context(), s.ID, nil, single, other)
	require.NoError(t, err)
	require.Equal(t, other, opened)
	registered, _ := s.register()
	for reference, want := range map[string][2]string{started.Reference: {page, l.Page}, single.Reference: {other, ""}, registered.Reference: {"", ""}} {
		page, link, err := s.p.PageOf(t.Context(), reference)
		require.NoError(t, err)
		require.Equal(t, want, [2]string{page, link})
	}
	for page, reference := range map[string]string{page: started.Reference, other: single.Reference} {
		r, err := s.p.PaymentOfPage(t.Context(), page)
		require.NoError(t, err)
		require.Equal(t, reference, r.Reference)
	}
}

// Each channel that is set has a job, which names the delivery that was given up.
func TestRaiseAlert_EachChannelHasAJob(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	for name, alerts := range map[string]payment.Alerts{"email": {Email: "shop@example.org"}, "url": {URL: "https://chat.example/"}} {
		s := newShop(t, db, name)
		require.NoError(t, s.p.SetAlerts(t.Context(), s.ID, alerts))
		got, err := s.p.Alerts(t.Context(), s.ID)
		require.NoError(t, err)
		require.Equal(t, alerts, got)
		require.NoError(t, s.p.RaiseAlert(t.Context(), &payment.Delivery{ID: 77, Endpoint: s.to, Reason: "status 500"}))
		var args []byte
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT args FROM river.river_job WHERE queue = 'alerts' AND (args->>'merchant')::bigint = $1`, s.ID).Scan(&args))
		var job payments.AlertJob
		require.NoError(t, json.Unmarshal(args, &job))
		require.Equal(t, payments.AlertJob{Merchant: s.ID, Endpoint: s.to, Channel: name, Delivery: 77, Reason: "status 500"}, job)
	}
	s := newShop(t, db, "none")
	got, err := s.p.Alerts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, payment.Alerts{}, got)
}
