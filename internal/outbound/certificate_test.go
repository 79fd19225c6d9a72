package outbound

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// authority signs certificates for tests.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t}
	a.cert, a.key = a.sign(func(c *x509.Certificate) {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
	})
	return a
}

// sign makes a certificate for 127.0.0.1 and shop.example; the first one is the authority's own.
func (a *authority) sign(change func(*x509.Certificate)) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(a.t, err)
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	require.NoError(a.t, err)
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"shop.example"}, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	if change != nil {
		change(template)
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	require.NoError(a.t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(a.t, err)
	return cert, key
}

// A certificate must be signed by a trusted authority, name the host, be valid now and be one of a server; TLS must be
// 1.2 or later. Otherwise the request is not sent.
func TestTLS_BadCertificatesAreRefused(t *testing.T) {
	t.Parallel()
	trusted, unknown := newAuthority(t), newAuthority(t)
	roots := x509.NewCertPool()
	roots.AddCert(trusted.cert)
	for _, tc := range []struct {
		name     string
		by       *authority
		change   func(*x509.Certificate)
		latest   uint16
		wantText string // empty: accepted
	}{
		{"good", trusted, nil, 0, ""},
		{"good, TLS 1.2", trusted, nil, tls.VersionTLS12, ""},
		{"TLS 1.1", trusted, nil, tls.VersionTLS11, "TLS"},
		{"TLS 1.0", trusted, nil, tls.VersionTLS10, "TLS"},
		{"unknown authority", unknown, nil, 0, "certificate is not trusted"},
		{"signed by itself", &authority{t: t}, nil, 0, "certificate is not trusted"},
		{"expired", trusted, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }, 0, "certificate is not trusted"},
		{"not yet valid", trusted, func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) }, 0, "certificate is not trusted"},
		{"another name", trusted, func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"other.example"} }, 0, "certificate is not trusted"},
		{"a common name alone", trusted, func(c *x509.Certificate) {
			c.IPAddresses, c.DNSNames, c.Subject = nil, nil, pkix.Name{CommonName: "127.0.0.1"}
		}, 0, "certificate is not trusted"},
		{"of a client", trusted, func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }, 0, "certificate is not trusted"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var reached atomic.Int64
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				reached.Add(1)
				writeJSON(w, `{}`)
			}))
			s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
			cert, key := tc.by.sign(tc.change)
			s.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tc.latest, Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}}}
			s.StartTLS()
			t.Cleanup(s.Close)
			at := netip.MustParseAddrPort(s.Listener.Addr().String())
			_, err := get(t, s.URL, func(o *Options) { o.Allow, o.RootCAs = []netip.AddrPort{at}, roots })
			if tc.wantText == "" {
				require.NoError(t, err)
				require.Equal(t, int64(1), reached.Load())
				return
			}
			requireKind(t, err, Unreachable, tc.wantText)
			require.Zero(t, reached.Load())
		})
	}
}

// The address of a name is checked at every connect, whatever earlier lookups returned; of several addresses, those
// that are refused are never connected to.
func TestGet_ChecksTheAddressAtEachConnect(t *testing.T) {
	t.Parallel()
	url, at := publicServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		writeJSON(w, `{}`)
	}))
	inside, reached := privateServer(t, "tcp4", "127.0.0.2:"+port(at))
	addresses := atomic.Pointer[[]string]{}
	resolver := nameServer(t, func(string) []string { return *addresses.Load() })
	c := New(Options{Timeout: 5 * time.Second, AnyPort: true, Resolver: resolver, Allow: []netip.AddrPort{at}})
	t.Cleanup(c.Close)
	url = strings.Replace(url, "127.0.0.1", "changes.example", 1)
	for range 3 {
		addresses.Store(&[]string{"127.0.0.1"})
		_, err := c.Get(t.Context(), url)
		require.NoError(t, err)
		for _, hostile := range [][]string{{"127.0.0.2"}, {"10.0.0.1"}, {"169.254.169.254"}, {"::1"}} {
			addresses.Store(&hostile)
			_, err = c.Get(t.Context(), url)
			requireKind(t, err, Refused, "address")
		}
		addresses.Store(&[]string{"127.0.0.2", "127.0.0.1"})
		_, _ = c.Get(t.Context(), url) // by the second address or not at all
	}
	require.Zero(t, reached.Load(), "%s was reached", inside)
}
