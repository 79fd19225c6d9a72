package outbound

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReasonAgainst_NamesTheRangeOfSpecialAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"8.8.8.8": "", "1.1.1.1": "", "172.32.0.1": "", "100.128.0.0": "", "223.255.255.255": "", "192.0.1.1": "",
		"2606:4700:4700::1111": "", "2a00:1450:4001:81b::200e": "", "2400:cb00::1": "",
		"0.0.0.0": "unspecified", "0.1.2.3": "unspecified", "::": "unspecified",
		"127.0.0.1": loopback, "127.255.255.254": loopback, "::1": loopback, "::ffff:127.0.0.1": loopback,
		"10.0.0.1": "private", "172.16.0.1": "private", "172.31.255.255": "private", "192.168.1.1": "private",
		"::ffff:10.1.2.3": "private", "fd12:3456::1": "private", "fec0::1": "private",
		"169.254.1.1": "link-local", "fe80::1": "link-local", "fe80::1%eth0": "link-local", "2606:4700::1%eth0": "link-local",
		"169.254.169.254": cloudMetadata, "fd00:ec2::254": cloudMetadata, "168.63.129.16": cloudMetadata,
		"100.100.100.200": cloudMetadata, "::ffff:169.254.169.254": cloudMetadata,
		"100.64.0.1": "carrier-grade NAT", "100.127.255.255": "carrier-grade NAT",
		"224.0.0.1": "multicast", "239.255.255.250": "multicast", "ff02::1": "multicast",
		"240.0.0.1": special, "255.255.255.255": special, "192.0.2.1": special, "198.18.0.1": special,
		"203.0.113.9": special, "192.88.99.1": special, "2001:db8::1": special, "3fff::1": special, "100::1": special,
		"4000::1": special, "2001:20::1": special,
		"64:ff9b::7f00:1": embedded, "64:ff9b::808:808": embedded, "64:ff9b:1::1": embedded,
		"2002:7f00:1::": embedded, "2001:0:1::1": embedded, "::127.0.0.1": embedded, "::ffff:0:127.0.0.1": embedded,
		"2a00:1450::5efe:7f00:1": embedded, "2a00:1450::200:5efe:a00:1": embedded,
	} {
		a, err := netip.ParseAddr(address)
		require.NoError(t, err, address)
		require.Equal(t, want, reasonAgainst(a), address)
	}
	require.NotEmpty(t, reasonAgainst(netip.Addr{}))
}
