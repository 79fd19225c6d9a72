package outbound

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// sitePrefix is the part of an IPv6 address, in bits, that one owner usually has.
const sitePrefix = 48

// Site returns what the host of an address counts for where requests are bounded per owner: the registered domain (RFC 8499, "example.org" of
// "a.b.example.org"), of which all names may lead to one server; the network of 48 bits of an IPv6 address; or else the host, with the port where the
// address has one.
func Site(u *url.URL) string {
	host := u.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		if prefix, err := ip.WithZone("").Prefix(sitePrefix); err == nil && ip.Is6() && ip.IsGlobalUnicast() {
			return prefix.String()
		}
		return u.Host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(strings.TrimSuffix(host, "."))); err == nil {
		return domain
	}
	return strings.ToLower(u.Host)
}
