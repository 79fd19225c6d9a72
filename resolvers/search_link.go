package resolvers

import (
	"net/url"
	"strings"

	"tonql/internal/chain"
)

// payLinks are the beginnings of links that pay to an address, which follows.
var payLinks = []string{"ton://transfer/", "https://app.tonkeeper.com/transfer/"}

// withoutLink returns the address, hash or domain in a link, or the text itself. Links are those of wallets and of explorers, this one or
// another: what an object is named by is a segment of the path, in the fragment, or a domain of TON is the host.
func withoutLink(text string) string {
	for _, link := range payLinks {
		if rest, ok := strings.CutPrefix(text, link); ok {
			rest, _, _ = strings.Cut(rest, "?")
			return rest
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return text
	}
	host := strings.ToLower(u.Hostname())
	if strings.HasSuffix(host, ".ton") {
		return host
	}
	segments := strings.FieldsFunc(u.EscapedPath()+"/"+u.EscapedFragment(), func(r rune) bool { return r == '/' })
	for _, segment := range segments {
		name, err := url.PathUnescape(segment)
		if err == nil && namesObject(name) {
			return name
		}
	}
	if host == "t.me" && len(segments) == 1 {
		return segments[0] + ".t.me"
	}
	return text
}

// namesObject reports whether a text is an address, also one with a mistake, or a hash.
func namesObject(text string) bool {
	if _, err := chain.ParseAddress(text); err == nil {
		return true
	}
	if _, err := chain.ParseHash(text); err == nil {
		return true
	}
	return chain.HasWrongChecksum(text)
}
