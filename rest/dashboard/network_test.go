package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/payment"
)

// Gateways of several networks may share a database. Neither a link nor a session of a merchant of another network opens the dashboard of this one.
func TestSignIn_MerchantsOfOtherNetworksAreRefused(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	other := &payment.Merchant{Name: "shop", Network: "testnet"}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), other))

	link := payment.NewToken()
	require.NoError(t, v.payments.OpenSession(t.Context(), payment.HashOf(link), other.ID, true, time.Minute))
	status, page := v.post("/link", url.Values{"token": {link}})
	require.Equal(t, 400, status)
	require.NotContains(t, page, "Choose a password")
	require.Empty(t, v.cookie())

	u, err := url.Parse(v.base)
	require.NoError(t, err)
	for network, merchant := range map[string]*payment.Merchant{"devnet": v.merchant, "testnet": other} {
		session := payment.NewToken()
		require.NoError(t, v.payments.OpenSession(t.Context(), payment.HashOf(session), merchant.ID, false, time.Hour))
		v.client.Jar.SetCookies(u, []*http.Cookie{{Name: "tonql_session", Value: session, Path: u.Path}})
		_, page = v.get("/")
		require.Equal(t, network == "testnet", strings.Contains(page, "Sign in"), network)
	}
}
