package payments_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

func (s *shop) link(change func(*payment.Link)) *payment.Link {
	s.t.Helper()
	l := &payment.Link{
		Merchant: s.ID, Page: payment.NewPage(), Title: "Coffee", Asset: payment.NativeAsset(), AssetText: "TON", Amount: big.NewInt(1000),
		Recipient: testdb.Address(), RecipientText: "to",
	}
	if change != nil {
		change(l)
	}
	require.NoError(s.t, s.p.CreateLink(s.t.Context(), l))
	return l
}

// start starts a payment of a link and returns the page that its buyer is shown.
func (s *shop) start(l *payment.Link, page string) (*payment.Transfer, string, error) {
	s.t.Helper()
	tr := l.Transfer(time.Now(), time.Hour)
	require.NoError(s.t, payment.PrepareOpen(tr))
	opened, err := s.p.StartPayment(s.t.Context(), s.ID, l, tr, page)
	return tr, opened, err
}

func TestLinks_AreStoredWithTheirAsset(t *testing.T) {
	t.Parallel()
	s := newShop(t, testdb.New(t), "shop")
	master, wallet := testdb.Address(), testdb.Address()
	coins, jettons := s.link(nil), s.link(func(l *payment.Link) {
		l.Asset, l.AssetText, l.RecipientWallet, l.Once = payment.Asset{Master: &master, Ticker: "TST", Decimals: 6}, master.String(), &wallet, true
	})
	for _, want := range []*payment.Link{coins, jettons} {
		got, err := s.p.LinkByPage(t.Context(), want.Page)
		require.NoError(t, err)
		want.CreatedAt = got.CreatedAt
		require.Equal(t, want, got)
		require.False(t, got.Ended())
	}
	_, err := s.p.LinkByPage(t.Context(), payment.NewPage())
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	list, err := s.p.Links(t.Context(), s.ID, 0, 1)
	require.NoError(t, err)
	require.Equal(t, []payment.Link{*jettons}, list, "the newest first")
	list, err = s.p.Links(t.Context(), s.ID, jettons.ID, 10)
	require.NoError(t, err)
	require.Equal(t, []payment.Link{*coins}, list)
	tr, _, err := s.start(jettons, payment.NewPage())
	require.NoError(t, err)
	require.Equal(t, &payment.Wallets{Recipient: wallet}, tr.Wallets)
	stored, err := s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Equal(t, master, *stored.Asset.Master)
	require.Equal(t, wallet, stored.Wallets.Recipient)
}

// A closed link starts no payment; one that is used once leads every buyer to its payment.
func TestStartPayment_ClosedLinksAndThoseThatAreUsedOnce(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, other := newShop(t, db, "shop"), newShop(t, db, "other")
	many, once := s.link(nil), s.link(func(l *payment.Link) { l.Once = true })
	for range 2 {
		page := payment.NewPage()
		_, opened, err := s.start(many, page)
		require.NoError(t, err)
		require.Equal(t, page, opened)
	}
	first := payment.NewPage()
	tr, opened, err := s.start(once, first)
	require.NoError(t, err)
	require.Equal(t, first, opened)
	again, opened, err := s.start(once, payment.NewPage())
	require.NoError(t, err)
	require.Equal(t, first, opened)
	_, err = s.p.Payment(t.Context(), again.Reference)
	require.Equal(t, chain.NotFound, chain.KindOf(err), "no second payment is registered")

	buyer := testdb.Address()
	require.NoError(t, db.Writer().Apply(t.Context(), transferBlock(t, 1, buyer, tr.Recipient, 1000, tr.Reference)))
	got, err := s.p.LinkByPage(t.Context(), once.Page)
	require.NoError(t, err)
	require.True(t, got.Ended())
	_, opened, err = s.start(once, payment.NewPage())
	require.NoError(t, err)
	require.Equal(t, first, opened, "it is paid")

	require.Equal(t, chain.NotFound, chain.KindOf(s.p.CloseLink(t.Context(), other.ID, many.ID)), "a link of another merchant")
	require.NoError(t, s.p.CloseLink(t.Context(), s.ID, many.ID))
	require.Equal(t, chain.NotFound, chain.KindOf(s.p.CloseLink(t.Context(), s.ID, many.ID)))
	closed, _, err := s.start(many, payment.NewPage())
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	_, err = s.p.Payment(t.Context(), closed.Reference)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	got, err = s.p.LinkByPage(t.Context(), many.Page)
	require.NoError(t, err)
	require.NotNil(t, got.ClosedAt)
	require.True(t, got.Ended())
	log, err := s.p.MerchantLog(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, "payment link closed", log[0].What)
}

// A link that is used once starts another payment when the open one has expired or failed, and none when one is paid, which may be an expired
// one.
func TestStartPayment_LinkThatIsUsedOnceEndsWhenItIsPaid(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	once, buyer := s.link(func(l *payment.Link) { l.Once = true }), testdb.Address()
	ended := func() bool {
		t.Helper()
		l, err := s.p.LinkByPage(t.Context(), once.Page)
		require.NoError(t, err)
		list, err := s.p.Links(t.Context(), s.ID, 0, 1)
		require.NoError(t, err)
		require.Equal(t, []payment.Link{*l}, list)
		return l.Ended()
	}
	starts := func() (tr *payment.Transfer, page string) {
		t.Helper()
		page = payment.NewPage()
		tr, opened, err := s.start(once, page)
		require.NoError(t, err)
		require.Equal(t, page, opened)
		require.False(t, ended())
		return tr, page
	}
	expired, page := starts()
	_, err := handle.ExecContext(t.Context(), `UPDATE payments SET expires_at = now() - interval '1 second' WHERE reference = $1`, expired.Reference)
	require.NoError(t, err)
	failed, _ := starts()
	require.NoError(t, db.Writer().Apply(t.Context(), transferBlock(t, 1, buyer, failed.Recipient, 999, failed.Reference)))
	require.Equal(t, payment.Failed, s.status(failed.Reference))
	_, open := starts()
	_, opened, err := s.start(once, payment.NewPage())
	require.NoError(t, err)
	require.Equal(t, open, opened)

	require.NoError(t, db.Writer().Apply(t.Context(), transferBlock(t, 2, buyer, expired.Recipient, 1000, expired.Reference)))
	require.True(t, ended())
	_, opened, err = s.start(once, payment.NewPage())
	require.NoError(t, err)
	require.Equal(t, page, opened, "the paid one, not the open one")
}

// A merchant has at most 500 open links, and at a link at most 1000 payments are open, however many buyers come at once.
func TestLinks_OpenOnesAreBounded(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	s := newShop(t, testdb.New(t), "shop")
	handle := s.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	l := s.link(nil)
	_, err := handle.ExecContext(t.Context(), `INSERT INTO payment_links (merchant_id, page, title, ticker, decimals, amount, recipient, recipient_text, asset_text, once)
		SELECT merchant_id, page || n, title, ticker, decimals, amount, recipient, recipient_text, asset_text, once FROM payment_links, generate_series(1, 489) n`)
	require.NoError(t, err)
	create := func(int) error {
		return s.p.CreateLink(t.Context(), &payment.Link{
			Merchant: s.ID, Page: payment.NewPage(), Title: "x", Asset: payment.NativeAsset(), AssetText: "TON", Amount: big.NewInt(1), Recipient: testdb.Address(), RecipientText: "to",
		})
	}
	require.Equal(t, 10, storetest.RunConcurrently(t, 30, create))
	require.ErrorContains(t, create(0), "500 open payment links")
	require.NoError(t, s.p.CloseLink(t.Context(), s.ID, l.ID+1))
	require.NoError(t, create(0))

	_, err = handle.ExecContext(t.Context(), `UPDATE merchants SET max_open = 100000 WHERE id = $1`, s.ID)
	require.NoError(t, err)
	tr, _, err := s.start(l, payment.NewPage())
	require.NoError(t, err)
	_, err = handle.ExecContext(t.Context(), `WITH copied AS (
		INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('reference', p.reference || n, 'body_hash', '\x' || encode(sha256(n::text::bytea), 'hex')))).*
		FROM payments p, generate_series(1, 989) n WHERE reference = $1 RETURNING reference)
		INSERT INTO payment_pages (reference, page, merchant_id, link_id) SELECT reference, 'page of ' || reference, $2, $3 FROM copied`, tr.Reference, s.ID, l.ID)
	require.NoError(t, err)
	require.Equal(t, 10, storetest.RunConcurrently(t, 30, func(int) error {
		_, _, err := s.start(l, payment.NewPage())
		return err
	}))
	_, _, err = s.start(l, payment.NewPage())
	require.ErrorContains(t, err, "1000 open registrations")
	_, _, err = s.start(s.linkOf(t), payment.NewPage())
	require.NoError(t, err, "another link")

	_, err = handle.ExecContext(t.Context(), `UPDATE merchants SET max_open = 2002 WHERE id = $1`, s.ID)
	require.NoError(t, err)
	_, _, err = s.start(s.linkOf(t), payment.NewPage())
	require.ErrorContains(t, err, "1001 open registrations", "all links have half of what the merchant may have")
}

// linkOf returns an open link of the shop.
func (s *shop) linkOf(t *testing.T) *payment.Link {
	t.Helper()
	list, err := s.p.Links(t.Context(), s.ID, 0, 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
	return &list[0]
}
