package metadata

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	cid0 = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG"
	cid1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
)

func TestImageAddress(t *testing.T) {
	t.Parallel()
	png := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\nrest"))
	for raw, want := range map[string]string{
		" https://example.com/a b.png ": "https://example.com/a%20b.png",
		"http://8.8.8.8:8080/a.png#x":   "http://8.8.8.8:8080/a.png",
		"ipfs://" + cid1 + "/1.png":     "ipfs://" + cid1 + "/1.png",
		"ipfs://ipfs/" + cid0:           "ipfs://" + cid0,
		cid0 + "/a%20b.png":             "ipfs://" + cid0 + "/a%20b.png",
		png:                             png,
		strings.Replace(png, "image/png", "image/svg+xml", 1): png, // the bytes decide
		"data:image/svg+xml,%3Csvg/%3E":                       "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte("<svg/>")),
	} {
		got, f := imageAddress(raw)
		require.Nil(t, f, raw)
		require.Equal(t, want, got)
	}
	for raw, says := range map[string]string{
		"javascript:alert(1)": "no http", "file:///etc/passwd": "no http", "a.png": "no http", "//example.com/a.png": "no http",
		"http://127.0.0.1/x.png": "loopback", "http://192.168.1.1/reboot": "private", "https://u:p@example.com/": "user name",
		"http://2130706433/": "four decimal", "ipfs://short": "content id", "ipfs://" + cid0 + "/../x": "path",
		"data:text/html,<p>": "no image", "data:image/png;base64,!": "no image", "data:image/png,text": "not PNG", "data:image/png,": "not PNG",
		"data:image/svg+xml,<svg><script>x</script></svg>":                "SVG with script",
		"data:image/png;base64," + strings.Repeat("AAAA", maxPicture/3+9): "more than",
		"https://example.com/" + strings.Repeat("a", 4096):                "at most",
	} {
		_, f := imageAddress(raw)
		require.NotNil(t, f, raw)
		require.Equal(t, reasonImage, f.reason)
		require.Contains(t, f.detail, says)
	}
}

func TestDangerInSVG(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`<svg/>`: "", `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg><g fill="url(#a)"/></svg>`: "",
		`<svg><style>.a{fill:url( '#b' )}</style><use href="#a"/><image href="data:image/png;base64,AA"/></svg>`: "",
		`<svg><script>x</script></svg>`: "script", `<svg><SCRIPT/></svg>`: "script", `<svg><x:script xmlns:x="http://www.w3.org/2000/svg"/></svg>`: "script",
		`<svg onload="x()"/>`: "event handlers", `<svg><rect ONCLICK="x()"/></svg>`: "event handlers",
		`<svg><a href=" java&#10;script:alert(1)"/></svg>`: "script", `<svg><a xlink:href="https://x.example"/></svg>`: "outside links",
		`<svg><foreignObject/></svg>`: "foreignobject", `<svg><image href="http://10.0.0.1/x"/></svg>`: "outside links",
		`<svg><image href="data:image/svg+xml,x"/></svg>`: "outside links", `<svg><iframe/></svg>`: "iframe",
		`<svg><set attributeName="onclick" to="x"/></svg>`: "animated links", `<svg><animate attributeName="xlink:href" to="x"/></svg>`: "animated links",
		`<svg><style>@import "x"</style></svg>`: "styles that load", `<svg><style><![CDATA[a{b:url(http://x)}]]></style></svg>`: "styles that load",
		`<svg style="background:URL( http://x )"/>`: "styles that load", `<svg style="a:u\72l(x)"/>`: "styles that load",
		`<!DOCTYPE svg [<!ENTITY x "y">]><svg>&x;</svg>`: "entities", `<?xml-stylesheet href="x"?><svg/>`: "processing instructions",
		`<html><svg/></html>`: "another root", `<svg>`: "broken XML", `<svg>&nbsp;</svg>`: "broken XML", ``: "broken XML",
		`<?xml version="1.0" encoding="UTF-7"?><svg/>`: "broken XML",
	} {
		require.Equal(t, want, dangerInSVG([]byte(body)), body)
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	w, err := New(newMemory(), Options{Gateways: []string{"https://a.example", "https://b.example/base/"}})
	require.NoError(t, err)
	for uri, want := range map[string]place{
		" https://example.com/x.json": {host: "example.com", addresses: []string{"https://example.com/x.json"}},
		"ipfs://" + cid1:              {host: "ipfs", immutable: true, addresses: []string{"https://b.example/base/ipfs/" + cid1, "https://a.example/ipfs/" + cid1}},
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
		got, f := w.fetcher.locate(uri, 1)
		require.Nil(t, f, uri)
		require.Equal(t, want, got, uri)
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
		_, err := New(newMemory(), Options{Gateways: []string{bad}})
		require.Error(t, err, bad)
	}
}

func FuzzLocate(f *testing.F) {
	for _, seed := range []string{"ipfs://" + cid0 + "/a", "https://a.example/ipfs/" + cid1 + "/%2e%2e", "data:,x", "ipns://a/../b"} {
		f.Add(seed)
	}
	gateways := []*url.URL{{Scheme: "https", Host: "g.example"}}
	f.Fuzz(func(t *testing.T, uri string) {
		p, fault := locate(uri, func(string) error { return nil }, gateways, 0)
		if fault != nil {
			return
		}
		for i, address := range p.addresses {
			if p.host != ipfsHost && i == 0 {
				continue // the token's own, which the client checks
			}
			u, err := url.Parse(address)
			require.NoError(t, err)
			require.Equal(t, "g.example", u.Host)
			require.Regexp(t, "^/ip[fn]s/", u.Path)
			require.NotContains(t, strings.Split(u.Path, "/"), "..")
		}
	})
}
