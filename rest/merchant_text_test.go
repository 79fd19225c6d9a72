package rest_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/payment"
	"tonql/internal/testdb"
	"tonql/rest/merchant"
)

// Text with a NUL, or that is not UTF-8, is refused in queries and bodies, with a key and without.
func TestMerchantAPI_InvalidTextIsRefused(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	m := &payment.Merchant{Name: "shop", Network: "devnet"}
	require.NoError(t, db.Payments().CreateMerchant(t.Context(), m))
	key, hash, hint := payment.NewKey()
	_, err := db.Payments().CreateMerchantKey(t.Context(), m.ID, hash, hint, "till")
	require.NoError(t, err)
	h := merchant.New(merchant.Options{Payments: db.Payments(), Network: "devnet", TestOnly: true, Logger: slog.New(slog.DiscardHandler)}, nil)
	status := func(method, target, body, key string) int {
		r := httptest.NewRequestWithContext(t.Context(), method, merchant.Prefix+target, strings.NewReader(body))
		if key != "" {
			r.Header.Set("X-Api-Key", key)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	for _, key := range []string{"", key} {
		for _, text := range []string{"a\x00b", "\xff\xfe", "\xed\xa0\x80"} {
			for _, name := range []string{"reference", "bodyHash"} {
				require.Equal(t, http.StatusUnprocessableEntity, status(http.MethodGet, "/transfer?"+name+"="+url.QueryEscape(text), "", key), "%s %q", name, text)
			}
			escaped := strings.ReplaceAll(text, "\x00", `\u0000`)
			for _, name := range []string{"asset", "recipientAddr", "senderAddr", "commentToSender", "commentToRecipient"} {
				body := `{"amount":1,"` + name + `":"` + escaped + `"}`
				require.Equal(t, http.StatusUnprocessableEntity, status(http.MethodPost, "/create-transfer", body, key), "%s %q", name, text)
			}
		}
	}
}
