package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Text with a NUL, or that is not UTF-8, is refused in paths, queries and forms.
func TestDashboard_InvalidTextIsRefused(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	for _, text := range []string{"a\x00b", "\xff\xfe", "\xed\xa0\x80"} {
		for _, path := range []string{"/payments?q=", "/payments?before=", "/payments.csv?q=", "/deliveries?about=", "/payments?nobody=", "/payments/"} {
			status, _ := v.get(path + url.QueryEscape(text))
			require.Equal(t, http.StatusUnprocessableEntity, status, "%s %q", path, text)
		}
		for _, form := range [][2]string{{"/keys", "label"}, {"/webhooks", "url"}, {"/account/receiving", "wallet"}, {"/account/receiving", "assets"}, {"/keys/revoke", "id"}} {
			status, _ := v.form(form[0], form[1], text)
			require.Equal(t, http.StatusUnprocessableEntity, status, "%v %q", form, text)
		}
	}
}
