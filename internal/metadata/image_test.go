package metadata

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

const (
	cid0 = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG"
	cid1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
)

func TestImageAddress_AcceptsPublicAndDataAddressesOnly(t *testing.T) {
	t.Parallel()
	png := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\nrest"))
	for raw, want := range map[string]string{
		"https://example.com/a b.png": "https://example.com/a%20b.png",
		"http://8.8.8.8:8080/a.png#x": "http://8.8.8.8:8080/a.png",
		"ipfs://" + cid1 + "/1.png":   "ipfs://" + cid1 + "/1.png",
		"ipfs://ipfs/" + cid0:         "ipfs://" + cid0,
		cid0 + "/a%20b.png":           "ipfs://" + cid0 + "/a%20b.png",
		png:                           png,
		strings.Replace(png, "image/png", "image/svg+xml", 1): png, // the bytes decide
		"data:image/svg+xml,%3Csvg/%3E":                       "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte("<svg/>")),
	} {
		got, f := imageAddress(raw)
		require.Nil(t, f, raw)
		require.Equal(t, want, got)
	}
	got, f := imageAddress(" \nhttps://example.com/a.png\t")
	require.Nil(t, f)
	require.Equal(t, "https://example.com/a.png", got)
	for raw, wantText := range map[string]string{
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
		require.Contains(t, f.detail, wantText)
	}
}

// Bytes that are only white space or a byte order mark are refused as a picture, and the other members stay.
func TestPicture_RefusesBlankBytes(t *testing.T) {
	t.Parallel()
	for _, blank := range []string{"", " ", "\n\t \r", "\ufeff", "\ufeff ", " \ufeff", "\u2003", "\x00", "<"} {
		_, f := picture([]byte(blank))
		require.NotNil(t, f, "%q", blank)
		require.Equal(t, reasonImage, f.reason)
		encoded := base64.StdEncoding.EncodeToString([]byte(blank))
		for member, value := range map[string]string{
			"image": "data:image/png;base64," + encoded, "image_data": encoded,
		} {
			m, f := merge(chain.Content{"name": "N", "symbol": "S", member: value, "decimals": "6"}, map[string]any{"level": "7"})
			require.Equal(t, "N", m.Name)
			require.Equal(t, "S", m.Symbol)
			require.Equal(t, map[string]any{"decimals": "6", "level": "7"}, m.Extra)
			require.Empty(t, m.Image)
			if value != "" {
				require.Equal(t, reasonImage, f.reason)
			}
		}
	}
}

// A panic while a member is read loses that member only.
func TestContained_PanicIsAFailure(t *testing.T) {
	t.Parallel()
	f := contained("image", func() *failure { panic("index out of range") })
	require.Equal(t, reasonInternal, f.reason)
	require.Contains(t, f.detail, "image")
	require.ErrorContains(t, f.err, "index out of range")
	require.NotContains(t, f.detail, "index", "the text of the panic is only logged")
	require.Nil(t, contained("name", func() *failure { return nil }))
}

// Any bytes of a picture, and any text as its address, give a valid address or an error; nothing panics.
func FuzzPicture_IsADataAddressOrRefused(f *testing.F) {
	for _, seed := range []string{"", " ", "\ufeff", "<svg/>", " \n<svg><g/></svg>", "\x89PNG\r\n\x1a\n", "RIFF0000WEBP", "0000ftypavif", "data:image/png;base64,ICAg", "ipfs://x", "data:,"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		image, fault := picture(data)
		require.Equal(t, fault == nil, strings.HasPrefix(image, "data:image/"))
		image, fault = imageAddress(string(data))
		require.Equal(t, fault == nil, image != "")
		image, fault = imageOf(string(data), string(data))
		require.False(t, fault != nil && fault.reason == reasonInternal, "%v", fault)
		require.LessOrEqual(t, len(image), 2*maxPicture)
		_, _ = documentOf("data:" + string(data))
	})
}

func TestDangerInSVG_NamesActiveContent(t *testing.T) {
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
