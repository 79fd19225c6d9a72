package metadata

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLocate_FindsGatewaysAndData(t *testing.T) {
	t.Parallel()
	w, err := New(newMemoryQueue(), Options{Gateways: []string{"https://a.example", "https://b.example/base/"}})
	require.NoError(t, err)
	for uri, want := range map[string]place{
		"https://a.b.Example.com/x.json": {host: "example.com", addresses: []string{"https://a.b.Example.com/x.json"}},
		"https://example.com/x.json":     {host: "example.com", addresses: []string{"https://example.com/x.json"}},
		"ipfs://" + cid1:                 {host: "ipfs", immutable: true, addresses: []string{"https://b.example/base/ipfs/" + cid1, "https://a.example/ipfs/" + cid1}},
		"IPFS://ipfs/" + cid0 + "/a%20b.json?x=1#y": {host: "ipfs", immutable: true, addresses: []string{
			"https://b.example/base/ipfs/" + cid0 + "/a%20b.json?x=1", "https://a.example/ipfs/" + cid0 + "/a%20b.json?x=1",
		}},
		cid0 + "/1": {host: "ipfs", immutable: true, addresses: []string{"https://b.example/base/ipfs/" + cid0 + "/1", "https://a.example/ipfs/" + cid0 + "/1"}},
		"ipns://docs.example.com/x": {host: "ipfs", addresses: []string{
			"https://b.example/base/ipns/docs.example.com/x", "https://a.example/ipns/docs.example.com/x",
		}},
		"https://Gone.example/ipfs/" + cid1 + "/2": {host: "gone.example", immutable: true, addresses: []string{
			"https://Gone.example/ipfs/" + cid1 + "/2", "https://b.example/base/ipfs/" + cid1 + "/2", "https://a.example/ipfs/" + cid1 + "/2",
		}},
		"data:application/json;base64,e30=":     {data: []byte("{}"), immutable: true},
		"data:application/json;utf8,{\"a\":1%}": {data: []byte("{\"a\":1%}"), immutable: true},
		"data:,%7B%7D":                          {data: []byte("{}"), immutable: true},
	} {
		got, f := locate(uri, w.fetcher.client.Check, w.fetcher.gateways, 1)
		require.Nil(t, f, uri)
		require.Equal(t, want, got, uri)
		if len(want.addresses) > 1 { // repeated requests to gateways wait for each other
			want.host = ipfsAgain
		}
		got, _ = w.fetcher.locate(uri, 1)
		require.Equal(t, want, got, uri)
		got, _ = w.fetcher.locate(uri, 0)
		require.Equal(t, len(want.addresses) > 1, got.brief, uri)
	}
	for uri, reason := range map[string]string{
		"tonstorage://" + strings.Repeat("A", 64): reasonURI, "ipfs://": reasonURI, "ipfs://abc": reasonURI, "ftp://example.com/x": reasonURI,
		"x": reasonURI, "ipfs://" + cid0 + "/../../admin": reasonURI, "ipfs://" + cid0 + "/%2e%2e/admin": reasonURI,
		"data:application/json;base64,*": reasonURI, "data:text/html,x": "wrong_type", "data:": reasonURI,
		"http://127.0.0.1/x": "refused", "http://u@example.com": "refused", "http://0x7f.1/": "refused",
	} {
		_, f := w.fetcher.locate(uri, 0)
		require.NotNil(t, f, uri)
		require.Equal(t, reason, f.reason, uri)
		require.True(t, f.final, uri)
	}
	for _, bad := range []string{"ftp://a.example", "a.example", "https://u@a.example", "https://a.example?x", "http://%zz", ""} {
		_, err := New(newMemoryQueue(), Options{Gateways: []string{bad}})
		require.Error(t, err, bad)
	}
}

func FuzzLocate_GatewayPathsStayBelowTheirRoot(f *testing.F) {
	for _, seed := range []string{"ipfs://" + cid0 + "/a", "https://a.example/ipfs/" + cid1 + "/%2e%2e", "data:,x", "ipns://a/../b"} {
		f.Add(seed)
	}
	f.Add("ipns:/p111/?a/\x7fs/b")
	gateways := []*url.URL{{Scheme: "https", Host: "g.example"}}
	f.Fuzz(func(t *testing.T, uri string) {
		p, fault := locate(uri, func(string) error { return nil }, gateways, 0)
		if fault != nil {
			return
		}
		for _, address := range p.addresses {
			if address == strings.TrimSpace(uri) {
				continue // the token's own address, which the client checks
			}
			u, err := url.Parse(address)
			require.NoError(t, err)
			require.Equal(t, "g.example", u.Host)
			require.Regexp(t, "^/ip[fn]s/", u.Path)
			require.NotContains(t, strings.Split(u.Path, "/"), "..")
		}
	})
}
