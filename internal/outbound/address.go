package outbound

import (
	"encoding/binary"
	"net/netip"
)

// reserved is what IANA's registries of special-purpose addresses keep from the public Internet, and the two public
// addresses at which clouds serve secrets. The first match names the reason.
var reserved = []struct {
	prefix netip.Prefix
	reason string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "unspecified"},
	{netip.MustParsePrefix("127.0.0.0/8"), loopback},
	{netip.MustParsePrefix("169.254.169.254/32"), cloudMetadata},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("100.100.100.200/32"), cloudMetadata},
	{netip.MustParsePrefix("168.63.129.16/32"), cloudMetadata},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT"},
	{netip.MustParsePrefix("192.0.0.0/24"), special},
	{netip.MustParsePrefix("192.0.2.0/24"), special},
	{netip.MustParsePrefix("192.88.99.0/24"), special}, // 6to4 relays
	{netip.MustParsePrefix("198.18.0.0/15"), special},
	{netip.MustParsePrefix("198.51.100.0/24"), special},
	{netip.MustParsePrefix("203.0.113.0/24"), special},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), special},

	{netip.MustParsePrefix("::/128"), "unspecified"},
	{netip.MustParsePrefix("::1/128"), loopback},
	{netip.MustParsePrefix("::ffff:0:0/96"), embedded},
	{netip.MustParsePrefix("::/96"), embedded},
	{netip.MustParsePrefix("::ffff:0:0:0/96"), embedded}, // SIIT
	{netip.MustParsePrefix("64:ff9b::/96"), embedded},    // NAT64
	{netip.MustParsePrefix("64:ff9b:1::/48"), embedded},
	{netip.MustParsePrefix("2002::/16"), embedded}, // 6to4
	{netip.MustParsePrefix("2001::/32"), embedded}, // Teredo
	{netip.MustParsePrefix("fd00:ec2::254/128"), cloudMetadata},
	{netip.MustParsePrefix("fd20:ce::254/128"), cloudMetadata},
	{netip.MustParsePrefix("fc00::/7"), "private"},
	{netip.MustParsePrefix("fec0::/10"), "private"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
	{netip.MustParsePrefix("2001::/23"), special},
	{netip.MustParsePrefix("2001:db8::/32"), special},
	{netip.MustParsePrefix("3fff::/20"), special},
}

// Reasons that more than one place names.
const (
	loopback      = "loopback"
	cloudMetadata = "cloud metadata"
	embedded      = "embedded IPv4"
	special       = "special-purpose"
)

// global is the only part of IPv6 that is handed out for the public Internet.
var global = netip.MustParsePrefix("2000::/3")

// reasonAgainst returns why untrusted input must not make this program connect to a; "" for a public address. A
// mapped IPv4 address counts as the IPv4 address that the system would connect to.
func reasonAgainst(a netip.Addr) string {
	if !a.IsValid() {
		return "no address"
	}
	if a.Zone() != "" {
		return "link-local"
	}
	a = a.Unmap()
	for _, r := range reserved {
		if r.prefix.Contains(a) {
			return r.reason
		}
	}
	if a.Is4() {
		return ""
	}
	if !global.Contains(a) {
		return special
	}
	// ISATAP: the interface identifier is 0000:5efe or 0200:5efe with an IPv4 address behind it.
	b := a.As16()
	if id := binary.BigEndian.Uint32(b[8:12]); id == 0x00005efe || id == 0x02005efe {
		return embedded
	}
	return ""
}
