package outbound_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/outbound"
)

func TestSite_IsTheRegisteredDomain(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://example.org/a.png": "example.org", "HTTPS://A.b.Example.org.:8443/a": "example.org", "https://a.github.io/": "a.github.io",
		"http://127.0.0.1:8080/a": "127.0.0.1:8080", "http://[::1]/a": "[::1]", "http://localhost/a": "localhost", "http://Local:1/": "local:1",
		"https://[2001:db8:7:1::5]/": "2001:db8:7::/48", "https://[2001:db8:7:ffff::6]:443/": "2001:db8:7::/48", "https://[2001:db8:8::5]/": "2001:db8:8::/48",
	} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		require.Equal(t, want, outbound.Site(u), address)
	}
}
