package v3_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	v3 "tonql/rest/v3"
)

// FuzzContracts_ErrorsAreClientErrors checks that errors of the routes about contracts are always client errors.
func FuzzContracts_ErrorsAreClientErrors(f *testing.F) {
	for _, seed := range [][2]string{
		{"/metadata", "address=M1&address=%00"},
		{"/jetton/masters", "address=M1&admin_address=A1"},
		{"/jetton/wallets", "owner_address=A1&jetton_address=M1,M2&sort=asc&exclude_zero_balance=1"},
		{"/jetton/transfers", "owner_address=A1&direction=in&start_utime=1700000031&jetton_master=M1"},
		{"/jetton/burns", "address=A1&end_lt=0"},
		{"/nft/collections", "owner_address=A1&offset=1"},
		{"/nft/items", "collection_address=C1&index=007&include_on_sale=1&sort_by_last_transaction_lt=1"},
		{"/nft/transfers", "item_address=I11&collection_address=C1&direction=%00"},
		{"/nft/sales", "address=S1"},
		{"/dns/records", "domain=\xff\x00.ton"},
		{"/multisig/wallets", "wallet_address=A1&include_orders=f"},
		{"/multisig/orders", "multisig_address=G1&parse_actions=t"},
		{"/vesting", "wallet_address=A3&check_whitelist=on"},
	} {
		f.Add(seed[0], expand(seed[1]))
	}
	d := market(f)
	f.Fuzz(func(t *testing.T, path, query string) {
		r := httptest.NewRequest(http.MethodGet, v3.Prefix, nil)
		r.URL.Path, r.URL.RawQuery = v3.Prefix+path, query
		w := httptest.NewRecorder()
		d.handler.ServeHTTP(w, r)
		require.NotEqual(t, http.StatusInternalServerError, w.Code, "%s?%s: %s", path, query, w.Body)
		requireForm(t, w)
	})
}
