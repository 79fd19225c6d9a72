package payments_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// Concurrent inserts reach each limit exactly: no more rows than allowed, and no fewer.
func TestCreate_LimitsHoldUnderConcurrency(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	p := db.Payments()
	m, other := &payment.Merchant{Name: "shop", Network: "devnet"}, &payment.Merchant{Name: "other", Network: "devnet"}
	require.NoError(t, p.CreateMerchant(t.Context(), m))
	require.NoError(t, p.CreateMerchant(t.Context(), other))
	key := func(merchant int64) error {
		_, hash, hint := payment.NewKey()
		_, err := p.CreateMerchantKey(t.Context(), merchant, hash, hint, "k")
		return err
	}
	require.Equal(t, 20, storetest.RunConcurrently(t, 60, func(int) error { return key(m.ID) }))
	require.NoError(t, key(other.ID))
	require.ErrorContains(t, key(m.ID), "20 valid API keys")
	keys, err := p.MerchantKeys(t.Context(), m.ID) // refused inserts have taken ids, too
	require.NoError(t, err)
	require.NoError(t, p.RevokeMerchantKey(t.Context(), m.ID, keys[0].ID))
	require.Equal(t, 1, storetest.RunConcurrently(t, 10, func(int) error { return key(m.ID) }))

	endpoint := func(merchant int64, url string) error {
		_, err := p.CreateEndpoint(t.Context(), merchant, url, []byte("sealed"))
		return err
	}
	require.Equal(t, 1, storetest.RunConcurrently(t, 20, func(int) error { return endpoint(m.ID, "https://same.example/") }))
	require.Equal(t, 9, storetest.RunConcurrently(t, 60, func(i int) error { return endpoint(m.ID, "https://shop.example/"+strconv.Itoa(i)) }))
	require.NoError(t, endpoint(other.ID, "https://same.example/"))
	list, err := p.Endpoints(t.Context(), m.ID)
	require.NoError(t, err)
	require.Equal(t, 1, storetest.RunConcurrently(t, 9, func(i int) error {
		return p.UpdateEndpoint(t.Context(), m.ID, list[i+1].ID, "https://moved.example/", true)
	}), "one endpoint gets the address")
	require.NoError(t, p.RemoveEndpoint(t.Context(), m.ID, list[0].ID))
	require.Equal(t, 1, storetest.RunConcurrently(t, 10, func(int) error { return endpoint(m.ID, "https://same.example/") }))
}

// The number of client addresses that are recognized for a merchant is bounded: the newest stay.
func TestRememberAddress_NewestStay(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	p := db.Payments()
	m := &payment.Merchant{Name: "shop", Network: "devnet"}
	require.NoError(t, p.CreateMerchant(t.Context(), m))
	for i := range 60 {
		require.NoError(t, p.RememberAddress(t.Context(), m.ID, chain.Hash{byte(i)}))
	}
	for i, want := range map[int]bool{0: false, 9: false, 10: true, 59: true, 60: false} {
		id, _, found, err := p.Password(t.Context(), "devnet", "shop", chain.Hash{byte(i)})
		require.NoError(t, err)
		require.Equal(t, m.ID, id)
		require.Equal(t, want, found, i)
	}
	id, _, found, err := p.Password(t.Context(), "devnet", "nobody", chain.Hash{59})
	require.NoError(t, err)
	require.Zero(t, id)
	require.False(t, found)
}

// What a merchant ended, and what anyone sent, is listed up to a number: the newest, and the largest.
func TestLists_EndedOnesAndDustAreBounded(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	key := func() int64 {
		_, hash, hint := payment.NewKey()
		id, err := s.p.CreateMerchantKey(t.Context(), s.ID, hash, hint, "k")
		require.NoError(t, err)
		return id
	}
	valid := key()
	var revoked, removed []int64
	for i := range 120 {
		revoked = append(revoked, key())
		require.NoError(t, s.p.RevokeMerchantKey(t.Context(), s.ID, revoked[i]))
		id, err := s.p.CreateEndpoint(t.Context(), s.ID, "https://shop.example/"+strconv.Itoa(i), []byte("sealed"))
		require.NoError(t, err)
		require.NoError(t, s.p.RemoveEndpoint(t.Context(), s.ID, id))
		removed = append(removed, id)
	}
	keys, err := s.p.MerchantKeys(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, keys, 101)
	require.Equal(t, valid, keys[0].ID)
	require.Equal(t, revoked[20], keys[1].ID)
	endpoints, err := s.p.Endpoints(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, endpoints, 101)
	require.Equal(t, s.to, endpoints[0].ID, "the present one comes first")
	require.Equal(t, removed[20], endpoints[1].ID)

	tr, m := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(1, tr, m, 1000)))
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err = handle.ExecContext(t.Context(), `INSERT INTO payment_surplus (reference, tx_hash, trace_id, paid, paid_by, tx_lt, tx_now)
		SELECT $1::text, sha256(n::text::bytea), body_hash, CASE WHEN n = 500 THEN 900 ELSE 1 END, recipient, n, n
		FROM payments CROSS JOIN generate_series(1, 1000) n WHERE reference = $1::text`, tr.Reference)
	require.NoError(t, err)
	further, err := s.p.Surplus(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Len(t, further, 100)
	require.Equal(t, int64(900), further[99].Paid.Int64(), "a payment among the dust")
}
