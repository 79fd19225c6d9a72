package outbound

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// longest is a name of 253 bytes.
var longest = strings.Repeat(strings.Repeat("a", 62)+".", 3) + strings.Repeat("b", 60) + ".com"

func TestCheck_AcceptsPublicURLs(t *testing.T) {
	t.Parallel()
	c := New(Options{Allow: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:8080")}})
	defer c.Close()
	for _, raw := range []string{
		"https://example.com/a.json", "http://example.com", "HTTPS://EXAMPLE.com./x", "https://example.com:443/x?y=z#part",
		"http://8.8.8.8/x", "https://[2606:4700:4700::1111]/x", "https://xn--e1afmkfd.xn--p1ai/x", "https://a_b.example.com/",
		"https://example.com/my file.json", "https://example.com/@user:pass", "https://example.com/?u=a@b",
		"http://127.0.0.1:8080/ipfs/x", "http://gateway.example.com:8080/", "https://0x.org/", "https://1.example/",
		"https://example.de/", "https://example.ac/", "https://cafe.dad/", "https://az09-_.example.com/", "https://x.0xz/", "https://example.com:80/", "http://example.com:443/",
		"https://" + strings.Repeat("a", 63) + ".com/", "https://" + longest + "/",
	} {
		require.NoError(t, c.Check(raw), raw)
	}
	u, err := CheckURL("https://Example.com:8443/a?b#c")
	require.NoError(t, err)
	require.Equal(t, "https://Example.com:8443/a?b", u.String())
}

func TestCheck_RefusesPrivateAndAmbiguousURLs(t *testing.T) {
	t.Parallel()
	c := New(Options{})
	defer c.Close()
	for raw, want := range map[string]string{
		"": "only http", "ftp://example.com/": "only http", "file:///etc/passwd": "only http", "gopher://example.com:70/": "only http",
		"javascript:alert(1)": "only http", "//example.com/x": "only http", "unix:///run/x.sock": "only http", "http:example.com": "no host",
		"http:///x": "no host", "http://:80/": "no host",
		"http://user@example.com/": "user name", "http://example.com@127.0.0.1/": "user name", "http://@127.0.0.1/": "user name",
		"http://example.com:80@127.0.0.1:80/": "user name", "https://u:p@example.com/": "user name",
		"http://example.com\\@127.0.0.1/": "characters", "http://127.0.0.1\\.example.com/": "characters",
		"http://example.com/\r\nHost: x": "characters", "http://example.com/\x00": "characters", "http://example.com/\xff": "characters",
		"http://127.0.0.1/": "loopback", "http://127.1.2.3:80/": "loopback", "http://[::1]/": "loopback",
		"http://[::ffff:127.0.0.1]/": "written as IPv6", "http://[::ffff:8.8.8.8]/": "written as IPv6", "http://[::ffff:7f00:1]/": "written as IPv6",
		"http://[64:ff9b::7f00:1]/": embedded, "http://[2002:7f00:1::]/": embedded, "http://[fe80::1%25eth0]/": "link-local",
		"http://[fd00:ec2::254]/": cloudMetadata, "http://169.254.169.254/latest": cloudMetadata, "http://[::]/": "unspecified",
		"http://0.0.0.0/": "unspecified", "http://192.168.0.1/": "private",
		"http://2130706433/": "four decimal", "http://0x7f000001/": "four decimal", "http://0x7f.1/": "four decimal",
		"http://017700000001/": "four decimal", "http://127.1/": "four decimal", "http://0177.0.0.1/": "four decimal",
		"http://127.0.0.1.:80/": "four decimal", "http://127.0.0.0x1/": "four decimal", "http://256.1.1.1/": "four decimal",
		"http://localhost/": "local network", "http://LOCALHOST./": "local network", "http://a.localhost/": "local network",
		"http://postgres/": "local network", "http://metadata.google.internal/": "local network", "http://printer.local/": "local network",
		"http://example.com:22/": "port 22", "http://8.8.8.8:6379/": "port 6379", "http://example.com:0/": "no valid port",
		"http://example.com:99999/": "no valid port", "http://example.com:8o/": "not a valid address",
		"http://１２７.0.0.1/": "valid name", "http://127。0。0。1/": "valid name", "http://exa mple.com/": "not a valid address",
		"http://example.com/\x7f": "characters", "http://example.com/\x1f": "characters", "http://a~.com/": "valid name",
		"http://a+b.com/": "valid name", "http://0xff/": "four decimal", "http://1.0xaf/": "four decimal", "http://1.0xfa/": "four decimal", "http://1.0x/": "four decimal", "http://1.09/": "four decimal",
		"https:example.com": "no host", "http://example.com:65536/": "no valid port", "https://example.com:8080/": "port 8080", "http://b" + longest + "/": "valid name",
		"http://a..example.com/": "valid name", "http://%31%32%37.0.0.1/": "not a valid address",
		"http://" + strings.Repeat("a", 64) + ".com/":       "valid name",
		"http://example.com/" + strings.Repeat("a", maxURL): "at most 2048",
	} {
		err := c.Check(raw)
		require.Error(t, err, raw)
		require.Equal(t, Refused, KindOf(err), raw)
		require.ErrorContains(t, err, want, raw)
	}
}

func TestCheck_OptionsAllowLoopbackAndRestrictPorts(t *testing.T) {
	t.Parallel()
	local := New(Options{AllowLoopback: true})
	defer local.Close()
	for _, raw := range []string{"http://127.0.0.1:9999/", "http://[::1]:81/", "http://localhost:3000/"} {
		require.NoError(t, local.Check(raw), raw)
	}
	for _, raw := range []string{"http://10.0.0.1/", "http://169.254.169.254/", "http://2130706433/", "http://8.8.8.8:22/"} {
		require.Error(t, local.Check(raw), raw)
	}
	require.NoError(t, local.Check("http://public.example.com:9999/"), "a name may be one of this machine")
	named := New(Options{Allow: []netip.AddrPort{netip.MustParseAddrPort("10.0.0.1:8080")}})
	defer named.Close()
	require.NoError(t, named.Check("http://10.0.0.1:8080/"))
	for _, raw := range []string{"http://10.0.0.1:80/", "http://10.0.0.2:8080/", "http://example.com:8081/", "http://8.8.8.8:8080/"} {
		require.Error(t, named.Check(raw), raw)
	}
	strict := New(Options{HTTPSOnly: true, Ports: []uint16{8443}})
	defer strict.Close()
	require.ErrorContains(t, strict.Check("http://example.com:8443/"), "only https")
	require.ErrorContains(t, strict.Check("https://example.com/"), "port 443")
	require.NoError(t, strict.Check("https://example.com:8443/"))
}

// The host of an accepted URL is the same for every parser.
func FuzzCheck_AcceptsOnlyUnambiguousHosts(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/a?b=c", "http://[::1]/", "http://a@b/", "http://2130706433/", "http://0x7f.1/", "http://[fe80::1%25a]/",
		"http://1.2.3.4:80/x", "http://example.com\\@127.0.0.1/", "http://１２７.0.0.1", "http://[::ffff:1.2.3.4]/",
	} {
		f.Add(seed)
	}
	c := New(Options{})
	f.Cleanup(c.Close)
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := c.policy.check(raw)
		if err != nil {
			require.Equal(t, Refused, KindOf(err))
			return
		}
		require.Contains(t, []string{"http", "https"}, u.Scheme)
		require.Nil(t, u.User)
		require.Contains(t, []string{"", "80", "443"}, u.Port())
		if a, err := netip.ParseAddr(u.Hostname()); err == nil {
			require.Empty(t, reasonAgainst(a))
		} else {
			require.Regexp(t, `^([A-Za-z0-9_-]+\.)+[A-Za-z0-9_-]*[A-Za-z_-][A-Za-z0-9_-]*\.?$`, u.Hostname())
		}
		again, err := c.policy.check(u.String())
		if len(u.String()) <= maxURL { // escaping may lengthen it
			require.NoError(t, err)
			require.Equal(t, u.String(), again.String())
		}
	})
}
