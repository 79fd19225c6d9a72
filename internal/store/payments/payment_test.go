package payments_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
)

// shop is a merchant with one endpoint.
type shop struct {
	*payment.Merchant

	t  *testing.T
	db *store.DB
	p  *payments.Store
	to int64 // the endpoint
}

func newShop(t *testing.T, db *store.DB, name string) *shop {
	t.Helper()
	s := &shop{t: t, db: db, p: db.Payments(), Merchant: &payment.Merchant{Name: name, Network: "devnet"}}
	require.NoError(t, s.p.CreateMerchant(t.Context(), s.Merchant))
	var err error
	s.to, err = s.p.CreateEndpoint(t.Context(), s.ID, "https://shop.example/hook", []byte("sealed"))
	require.NoError(t, err)
	return s
}

// register registers a payment of 1000 nanotons between new accounts.
func (s *shop) register() (*payment.Transfer, *payment.Message) {
	s.t.Helper()
	t := &payment.Transfer{
		Asset: payment.NativeAsset(), Amount: big.NewInt(1000), Sender: testdb.Address(), Recipient: testdb.Address(),
		SenderText: "from", RecipientText: "to", AssetText: "TON", CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	}
	m, err := payment.Prepare(t)
	require.NoError(s.t, err)
	require.NoError(s.t, s.p.RegisterPayment(s.t.Context(), s.ID, t))
	return t, m
}

// newPaymentBlock returns a masterchain block with the transaction of a wallet and that of the recipient of the value.
func newPaymentBlock(seqno uint32, t *payment.Transfer, m *payment.Message, value chain.Coins) *chain.MasterBlock {
	return testdb.Master(seqno, func(mb *chain.MasterBlock) {
		wallet, receiver := testdb.NewTransaction(mb, t.Sender), testdb.NewTransaction(mb, t.Recipient)
		if wallet.LT >= receiver.LT {
			wallet.LT, receiver.LT = receiver.LT, wallet.LT
		}
		order := testdb.NewMessage(mb, t.Sender, t.Sender)
		order.Kind, order.Source, order.Value, order.CreatedLT, order.CreatedAt, order.Bounce, order.Bounced = chain.ExternalIn, nil, nil, nil, nil, nil, nil
		order.FwdFee, order.IHRFee, order.IHRDisabled = nil, nil, nil
		order.Key = chain.MessageKey{Account: t.Sender, LT: wallet.LT}
		testdb.Receive(&wallet, &order)
		coins := testdb.NewSent(mb, &wallet, t.Recipient)
		coins.Value, coins.Body, coins.BodyHash, coins.Opcode = &value, m.Body.ToBOC(), t.BodyHash, new(uint32)
		testdb.Receive(&receiver, &coins)
		testdb.AddTransaction(mb, &wallet)
		testdb.AddTransaction(mb, &receiver)
		mb.Messages = []chain.Message{order, coins}
	})
}

func (s *shop) deliveries() []payment.Delivery {
	s.t.Helper()
	list, err := s.p.Deliveries(s.t.Context(), payments.DeliveryFilter{Endpoints: []int64{s.to}, Limit: 100})
	require.NoError(s.t, err)
	return list
}

func (s *shop) jobs() (n int) {
	s.t.Helper()
	handle := s.db.SQLDB()
	defer func() { require.NoError(s.t, handle.Close()) }()
	require.NoError(s.t, handle.QueryRowContext(s.t.Context(),
		`SELECT count(*) FROM river.river_job WHERE queue = $1 AND state = 'available'`, payments.DeliveryQueue(s.to)).Scan(&n))
	return n
}

// A block with a payment writes the result, the event, its delivery and the job, and none of them twice.
func TestSettle_PaymentIsDeliveredOnce(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, m := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	require.Empty(t, s.deliveries())

	block := newPaymentBlock(2, tr, m, 1500)
	require.NoError(t, db.Writer().Apply(t.Context(), block))
	r, err := s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Equal(t, payment.Success, r.Status)
	require.Equal(t, payment.ByBody, r.By)
	require.Equal(t, int64(1500), r.Paid.Int64())
	require.Equal(t, block.Transactions[1].Hash, *r.TxHash)
	require.Equal(t, block.Transactions[0].Hash, *r.TraceID)
	list := s.deliveries()
	require.Len(t, list, 1)
	require.Equal(t, payment.EventID(tr.Reference, payment.Success), list[0].EventID)
	require.Equal(t, payment.DeliveryPending, list[0].State)
	require.Equal(t, 1, s.jobs())
	var body struct {
		Event string
		Data  struct{ Amount, RawAmount, Status, Reference, TxHash, TraceID, SenderAddr string }
	}
	require.NoError(t, json.Unmarshal(list[0].Body, &body))
	require.Equal(t, "transfer.completed", body.Event)
	require.Equal(t, "0.0000015", body.Data.Amount)
	require.Equal(t, r.TxHash.Hex(), body.Data.TxHash)
	require.Equal(t, "from", body.Data.SenderAddr)
	require.Nil(t, r.PaidBy, "the registered sender paid")
	require.Equal(t, "from", r.Shown(false).SenderAddr, "as it was registered")

	// The same block again, then another payment of the same transfer.
	require.NoError(t, db.Writer().Apply(t.Context(), block))
	require.Len(t, s.deliveries(), 1)
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(3, tr, m, 1000)))
	require.Len(t, s.deliveries(), 1)
	require.Equal(t, 1, s.jobs())
	surplus, err := s.p.Surplus(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Len(t, surplus, 1)
	require.Equal(t, int64(1000), surplus[0].Paid.Int64())

	// The lookup by body hash, and the lists.
	same, err := s.p.PaymentByBodyHash(t.Context(), tr.BodyHash)
	require.NoError(t, err)
	require.Equal(t, int64(1000), same.Further.Int64())
	r.Further = same.Further
	require.Equal(t, r, same)
	_, err = s.p.Payment(t.Context(), "nothing")
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	days, err := s.p.PaymentDays(t.Context(), s.ID, 7)
	require.NoError(t, err)
	require.Len(t, days, 7)
	require.Equal(t, 1, days[6].Success)
}

// The address of whoever pays in place of the registered sender has the flag of test networks on these.
func TestSettle_AddressesHaveTheFlagOfTheNetwork(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	for i, testOnly := range []bool{false, true} {
		db.Writer().SetTestOnly(testOnly)
		tr, buyer := s.open(1000), testdb.Address()
		require.NoError(t, db.Writer().Apply(t.Context(), transferBlock(t, uint32(i+1), buyer, tr.Recipient, 1000, tr.Reference)))
		var body struct{ Data struct{ SenderAddr string } }
		require.NoError(t, json.Unmarshal(s.deliveries()[0].Body, &body))
		require.Equal(t, buyer.Friendly(false, testOnly), body.Data.SenderAddr)
	}
}

// A payment below the amount fails; a full payment later still succeeds, and both events are delivered in that order.
func TestSettle_FailedPaymentStillSucceedsLater(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, m := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(1, tr, m, 999)))
	r, err := s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Equal(t, payment.Failed, r.Status)
	require.Equal(t, int32(37), r.Code)
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(2, tr, m, 998)))
	require.Len(t, s.deliveries(), 1)
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(3, tr, m, 1000)))
	r, err = s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Equal(t, payment.Success, r.Status)
	require.Zero(t, r.Code)
	list := s.deliveries()
	require.Len(t, list, 2)
	pending, err := s.p.PendingDelivery(t.Context(), list[0].ID)
	require.NoError(t, err)
	require.Equal(t, list[0], pending.Delivery)
	require.Equal(t, s.to, pending.To.ID)
	require.True(t, pending.Blocked, "the success waits for the failure")
	d := list[1]
	d.State, d.Attempts = payment.DeliveryDelivered, 1
	_, err = s.p.RecordAttempt(t.Context(), &d, &payment.Attempt{Number: 1, StartedAt: time.Now(), Status: 200}, payments.Breaker{Failures: 9})
	require.NoError(t, err)
	pending, err = s.p.PendingDelivery(t.Context(), list[0].ID)
	require.NoError(t, err)
	require.False(t, pending.Blocked)
	_, err = s.p.PendingDelivery(t.Context(), 1<<40)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
}

// Amounts include every received payment once, in any order of blocks and after repeated blocks.
func TestSettle_AmountsAddUp(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, m := s.register() // of 1000
	amounts := func() payment.Amounts {
		t.Helper()
		r, err := s.p.Payment(t.Context(), tr.Reference)
		require.NoError(t, err)
		return r.Amounts()
	}
	nano := func(n int64) string { return payment.FormatAmount(big.NewInt(n), 9) }
	require.Equal(t, payment.Amounts{Requested: nano(1000)}, amounts())
	first := newPaymentBlock(1, tr, m, 5)
	for range 2 {
		require.NoError(t, db.Writer().Apply(t.Context(), first))
		require.Equal(t, payment.Amounts{Requested: nano(1000), Received: nano(5), Missing: nano(995)}, amounts())
	}
	second := newPaymentBlock(2, tr, m, 990)
	require.NoError(t, db.Writer().Apply(t.Context(), second))
	require.Equal(t, payment.Amounts{Requested: nano(1000), Received: nano(995), Missing: nano(5)}, amounts())
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(3, tr, m, 1000)))
	paid := payment.Amounts{Requested: nano(1000), Received: nano(1995), Surplus: nano(995)}
	require.Equal(t, paid, amounts())
	for range 2 { // the same blocks again
		require.NoError(t, db.Writer().Apply(t.Context(), first))
		require.NoError(t, db.Writer().Apply(t.Context(), second))
		require.Equal(t, paid, amounts())
	}
	further, err := s.p.Surplus(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Len(t, further, 2)
	for i, block := range []*chain.MasterBlock{first, second} { // the former failure, and a payment of less behind it
		require.Equal(t, []chain.Hash{block.Transactions[0].Hash, block.Transactions[1].Hash}, []chain.Hash{further[i].TraceID, further[i].TxHash})
	}
	// After success, also less than the amount is a surplus.
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(4, tr, m, 7)))
	require.Equal(t, nano(1002), amounts().Surplus)

	// In the opposite order: the success is indexed first.
	tr, m = s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(6, tr, m, 1000)))
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(5, tr, m, 5)))
	require.Equal(t, payment.Amounts{Requested: nano(1000), Received: nano(1005), Surplus: nano(5)}, amounts())
}

// Lists contain the payments of one merchant, newest first, restricted by text and status.
func TestPayments_ListThoseOfOneMerchant(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, other := newShop(t, db, "shop"), newShop(t, db, "other")
	require.Equal(t, chain.Invalid, chain.KindOf(s.p.CreateMerchant(t.Context(), &payment.Merchant{Name: "shop", Network: "devnet"})))
	var references []string
	for range 5 {
		tr, _ := s.register()
		references = append([]string{tr.Reference}, references...)
	}
	other.register()
	page, err := s.p.List(t.Context(), payments.Filter{Merchant: s.ID, Limit: 3})
	require.NoError(t, err)
	require.Len(t, page, 3)
	require.Equal(t, references[0], page[0].Reference)
	page, err = s.p.List(t.Context(), payments.Filter{Merchant: s.ID, Limit: 3, Before: page[2].Reference})
	require.NoError(t, err)
	require.Len(t, page, 2)
	require.Equal(t, references[4], page[1].Reference)
	page, err = s.p.List(t.Context(), payments.Filter{Merchant: s.ID, Limit: 3, Text: references[1][:20], Status: payment.Pending})
	require.NoError(t, err)
	require.Len(t, page, 1)
	page, err = s.p.List(t.Context(), payments.Filter{Merchant: s.ID, Limit: 3, Status: payment.Success})
	require.NoError(t, err)
	require.Empty(t, page)
}

// Lists of payments and of deliveries are restricted by their times, expired ones by the time of the request; the end is excluded.
func TestLists_AreRestrictedByTime(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(hour int) time.Time { return start.Add(time.Duration(hour) * time.Hour) }
	var references []string
	for i := range 4 { // registered at hours 0 to 3, for an hour each
		tr, m := s.register()
		require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(uint32(i+1), tr, m, 1000)))
		references = append(references, tr.Reference)
		_, err := handle.ExecContext(t.Context(), `UPDATE payments SET created_at = $2, expires_at = $3, status = 0 WHERE reference = $1`, tr.Reference, at(i), at(i+1))
		require.NoError(t, err)
		_, err = handle.ExecContext(t.Context(), `UPDATE webhook_deliveries d SET created_at = $2 FROM webhook_events v WHERE v.id = d.event_id AND v.reference = $1`, tr.Reference, at(i))
		require.NoError(t, err)
	}
	for name, c := range map[string]struct {
		filter payments.Filter
		want   []int // newest first
	}{
		"all": {payments.Filter{}, []int{3, 2, 1, 0}}, "from": {payments.Filter{From: at(2)}, []int{3, 2}}, "to": {payments.Filter{To: at(2)}, []int{1, 0}},
		"from and to": {payments.Filter{From: at(1), To: at(3)}, []int{2, 1}}, "expired": {payments.Filter{Expired: true, Now: at(2)}, []int{0}},
		"not expired": {payments.Filter{Now: at(2)}, []int{3, 2, 1}}, "expired, without a time": {payments.Filter{Expired: true}, []int{3, 2, 1, 0}},
	} {
		c.filter.Merchant, c.filter.Limit = s.ID, 10
		list, err := s.p.List(t.Context(), c.filter)
		require.NoError(t, err)
		var got []int
		for i := range list {
			got = append(got, slices.Index(references, list[i].Reference))
		}
		require.Equal(t, c.want, got, name)
	}
	for name, c := range map[string]struct {
		filter payments.DeliveryFilter
		want   []int
	}{
		"all": {payments.DeliveryFilter{}, []int{3, 2, 1, 0}}, "from": {payments.DeliveryFilter{From: at(2)}, []int{3, 2}}, "to": {payments.DeliveryFilter{To: at(2)}, []int{1, 0}},
		"from and to": {payments.DeliveryFilter{From: at(1), To: at(3)}, []int{2, 1}}, "about a payment": {payments.DeliveryFilter{About: references[1]}, []int{1}},
		"about an event": {payments.DeliveryFilter{About: payment.EventID(references[2], payment.Success)}, []int{2}},
		"pending":        {payments.DeliveryFilter{State: new(payment.DeliveryPending)}, []int{3, 2, 1, 0}}, "delivered": {payments.DeliveryFilter{State: new(payment.DeliveryDelivered)}, nil},
	} {
		c.filter.Endpoints, c.filter.Limit = []int64{s.to}, 10
		list, err := s.p.Deliveries(t.Context(), c.filter)
		require.NoError(t, err)
		var got []int
		for i := range list {
			got = append(got, slices.Index(references, list[i].Reference))
		}
		require.Equal(t, c.want, got, name)
	}
	first, err := s.p.Deliveries(t.Context(), payments.DeliveryFilter{Endpoints: []int64{s.to}, Limit: 1})
	require.NoError(t, err)
	next, err := s.p.Deliveries(t.Context(), payments.DeliveryFilter{Endpoints: []int64{s.to}, Before: first[0].ID, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, references[2], next[0].Reference)
	none, err := s.p.Deliveries(t.Context(), payments.DeliveryFilter{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, none, "of no endpoint")
}

// A text finds payments by what people have of them: a part of the comment in any case, the hash of the transaction or of the trace, the
// address that paid in any form. It finds none of other merchants.
func TestPayments_AreFoundByWhatPeopleHave(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, other := newShop(t, db, "shop"), newShop(t, db, "other")
	paid, _ := s.register()
	s.register()
	foreign, _ := other.register()
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	payer, tx, trace := testdb.Address(), chain.Hash{0xab, 1}, chain.Hash{0xcd, 2}
	_, err := handle.ExecContext(t.Context(), `UPDATE payments SET comment_to_recipient = 'Zwei Stück Kuchen', tx_hash = $3, trace_id = $4, paid_by = $5
		WHERE reference IN ($1, $2)`, paid.Reference, foreign.Reference, tx.Bytes(), trace.Bytes(), payer.Bytes())
	require.NoError(t, err)
	for _, text := range []string{
		"stück KUCHEN", tx.Hex(), strings.ToUpper(tx.Hex()), tx.String(), trace.Hex(), payer.String(), payer.Friendly(true, false), payer.Friendly(false, true),
		strings.ToLower(paid.Reference),
	} {
		page, err := s.p.List(t.Context(), payments.Filter{Merchant: s.ID, Limit: 3, Text: text})
		require.NoError(t, err)
		require.Len(t, page, 1, text)
		require.Equal(t, paid.Reference, page[0].Reference, text)
	}
	for _, text := range []string{chain.Hash{1}.Hex(), testdb.Address().String(), "tortilla"} {
		page, err := s.p.List(t.Context(), payments.Filter{Merchant: s.ID, Limit: 3, Text: text})
		require.NoError(t, err)
		require.Empty(t, page, text)
	}
}

// A revoked key, a used link and a session older than the password are invalid.
func TestMerchant_KeysLinksAndSessionsEnd(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	key, hash, hint := payment.NewKey()
	require.Equal(t, hash, payment.HashOf(key))
	id, err := s.p.CreateMerchantKey(t.Context(), s.ID, hash, hint, "web")
	require.NoError(t, err)
	m, keyID, err := s.p.MerchantByKey(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, id, keyID)
	require.Equal(t, s.ID, m.ID)
	keys, err := s.p.MerchantKeys(t.Context(), s.ID)
	require.NoError(t, err)
	require.NotNil(t, keys[0].UsedAt)
	require.NoError(t, s.p.RevokeMerchantKey(t.Context(), s.ID, id))
	require.Equal(t, chain.NotFound, chain.KindOf(s.p.RevokeMerchantKey(t.Context(), s.ID, id)))
	m, _, err = s.p.MerchantByKey(t.Context(), hash)
	require.NoError(t, err)
	require.Nil(t, m)

	link, session := chain.Hash{1}, chain.Hash{2}
	require.NoError(t, s.p.OpenSession(t.Context(), link, s.ID, true, time.Minute))
	require.NoError(t, s.p.OpenSession(t.Context(), session, s.ID, false, time.Minute))
	who, _, err := s.p.Session(t.Context(), link)
	require.NoError(t, err)
	require.Zero(t, who, "a link is no session")
	who, err = s.p.TakeLink(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, s.ID, who)
	who, err = s.p.TakeLink(t.Context(), link)
	require.NoError(t, err)
	require.Zero(t, who, "a link is used once")
	who, proven, err := s.p.Session(t.Context(), session)
	require.NoError(t, err)
	require.Equal(t, s.ID, who)
	require.WithinDuration(t, time.Now(), proven, time.Minute)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err = handle.ExecContext(t.Context(), `UPDATE merchant_sessions SET proven_at = now() - interval '1 hour'`)
	require.NoError(t, err)
	_, proven, err = s.p.Session(t.Context(), session)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(-time.Hour), proven, time.Minute)
	_, err = handle.ExecContext(t.Context(), `UPDATE merchant_sessions SET proven_at = now() + interval '3 days'`)
	require.NoError(t, err)
	_, proven, err = s.p.Session(t.Context(), session)
	require.NoError(t, err)
	require.Zero(t, proven, "the clock was set back: nobody knows when that was")
	require.NoError(t, s.p.SetPassword(t.Context(), s.ID, "phc"))
	who, _, err = s.p.Session(t.Context(), session)
	require.NoError(t, err)
	require.Zero(t, who, "a new password ends sessions")
}

// A lock of codes ends when the clock of the database is set back to long before its begin. The number of failures stays, so the next wrong code locks again.
func TestTryTOTP_ClockThatWasSetBackLocksNobodyOut(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	require.NoError(t, s.p.AddTOTP(t.Context(), s.ID, 0, []byte("sealed")))
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	try := func(locked string) (tried bool, wait time.Duration) {
		t.Helper()
		_, err := handle.ExecContext(t.Context(), `UPDATE merchant_totp SET failures = 20, locked_until = now() + $1::interval`, locked)
		require.NoError(t, err)
		_, wait, err = s.p.TryTOTP(t.Context(), s.ID, 0, func([]byte, int64) (int64, bool, error) { tried = true; return 0, false, nil })
		require.NoError(t, err)
		return tried, wait
	}
	tried, wait := try("12 hours")
	require.False(t, tried)
	require.Greater(t, wait, 11*time.Hour)
	tried, wait = try("3 days")
	require.True(t, tried)
	require.Zero(t, wait)
	_, wait, err := s.p.TryTOTP(t.Context(), s.ID, 0, func([]byte, int64) (int64, bool, error) { return 0, false, nil })
	require.NoError(t, err)
	require.Greater(t, wait, 11*time.Hour)
	require.LessOrEqual(t, wait, 12*time.Hour)
}

// A secret is replaced at once, or made first and activated later.
func TestRotateSecret_PreviousSecretStaysValid(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	vault, err := payment.OpenVault(payment.NewVaultKey())
	require.NoError(t, err)
	owner := (&payment.Endpoint{Merchant: s.ID}).Owner()
	secrets := func() []string {
		e, err := s.p.Endpoint(t.Context(), s.to)
		require.NoError(t, err)
		list, err := e.Secrets(vault, time.Now())
		require.NoError(t, err)
		return list
	}
	rotate := func(secret string) {
		require.NoError(t, s.p.RotateSecret(t.Context(), s.ID, s.to, vault.Seal(secret, owner)))
	}
	rotate("a")
	rotate("b")
	require.Equal(t, []string{"b", "a"}, secrets())
	require.Equal(t, chain.NotFound, chain.KindOf(s.p.ActivateSecret(t.Context(), s.ID, s.to)))
	require.NoError(t, s.p.AddNextSecret(t.Context(), s.ID, s.to, vault.Seal("c", owner)))
	require.Equal(t, []string{"b", "c", "a"}, secrets())
	require.NoError(t, s.p.ActivateSecret(t.Context(), s.ID, s.to))
	require.Equal(t, []string{"c", "b"}, secrets())
	require.Equal(t, chain.NotFound, chain.KindOf(s.p.RotateSecret(t.Context(), s.ID+1, s.to, nil)), "an endpoint of another merchant")
	log, err := s.p.MerchantLog(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, "next webhook secret activated", log[0].What)
}

// Two payments of a transfer in one block are both counted: the first of sufficient amount decides, the other is a surplus.
func TestSettle_PaymentsOfOneBlockAddUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values   []chain.Coins
		paid     int64
		surplus  []int64
		statuses []payment.Status
	}{
		"twice":                         {[]chain.Coins{1000, 1200}, 1000, []int64{1200}, []payment.Status{payment.Success}},
		"too little, then enough":       {[]chain.Coins{999, 1000}, 1000, []int64{999}, []payment.Status{payment.Failed, payment.Success}},
		"enough, then too little":       {[]chain.Coins{1000, 7}, 1000, []int64{7}, []payment.Status{payment.Success}},
		"too little, twice":             {[]chain.Coins{998, 999}, 998, []int64{999}, []payment.Status{payment.Failed}},
		"too little, then enough twice": {[]chain.Coins{1, 1000, 1000}, 1000, []int64{1, 1000}, []payment.Status{payment.Failed, payment.Success}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			s, chapter := newShop(t, db, "shop"), newStory(t, db)
			tr, m := s.register()
			var mb *chain.MasterBlock
			for _, value := range c.values {
				chapter.receive(chapter.send(chapter.external(tr.Sender), tr.Recipient, value, m.Body))
			}
			mb = chapter.mb
			chapter.end()
			for range 2 { // the same block again
				r, err := s.p.Payment(t.Context(), tr.Reference)
				require.NoError(t, err)
				require.Equal(t, c.paid, r.Paid.Int64())
				require.Equal(t, c.statuses[len(c.statuses)-1], r.Status)
				list, err := s.p.Surplus(t.Context(), tr.Reference)
				require.NoError(t, err)
				var surplus []int64
				for _, f := range list {
					surplus = append(surplus, f.Paid.Int64())
				}
				require.ElementsMatch(t, c.surplus, surplus)
				var statuses []payment.Status
				for _, d := range s.deliveries() {
					statuses = append(statuses, d.Status)
				}
				require.ElementsMatch(t, c.statuses, statuses)
				require.NoError(t, db.Writer().Apply(t.Context(), mb))
			}
		})
	}
}
