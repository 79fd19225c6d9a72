package access

import (
	"net/netip"
	"slices"
	"strings"

	"tonql/internal/chain"
)

// ParseProxies reads the addresses or networks of proxies whose word about a client's address is believed.
func ParseProxies(list []string) ([]netip.Prefix, error) {
	var proxies []netip.Prefix
	for _, text := range list {
		if p, err := netip.ParsePrefix(text); err == nil {
			proxies = append(proxies, p.Masked())
			continue
		}
		a, err := netip.ParseAddr(text)
		if err != nil {
			return nil, chain.Invalidf("%s is neither an address nor a network such as 10.0.0.0/8", chain.Quote(text))
		}
		proxies = append(proxies, netip.PrefixFrom(a, a.BitLen()))
	}
	return proxies, nil
}

// ClientOf is the address a request comes from. Peer is the other end of the connection; forwarded are the values of
// X-Forwarded-For, to which every proxy appends the address it was called from. Only what trusted proxies wrote counts:
// the list is read from its end, and the first address that is not a trusted proxy is the client, whatever it claims
// further left.
func ClientOf(peer netip.Addr, forwarded []string, trusted []netip.Prefix) netip.Addr {
	client := peer.Unmap()
	if len(trusted) == 0 || len(forwarded) == 0 {
		return client
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !among(trusted, client) {
			return client
		}
		next, ok := parseHop(strings.TrimSpace(hop))
		if !ok {
			return client // a proxy of ours wrote something else: its own address is the best that is known
		}
		client = next
	}
	return client
}

// Site is the address that stands for a client in counts and limits: in IPv6 the network of 64 bits around it, of which
// one client has as many addresses as it likes.
func Site(client netip.Addr) netip.Addr {
	client = client.Unmap().WithZone("")
	if client.Is6() {
		const bits = 64
		if p, err := client.Prefix(bits); err == nil {
			return p.Addr()
		}
	}
	return client
}

func among(list []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(a) })
}

// parseHop reads an address, also with a port, as some proxies write it.
func parseHop(s string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(s); err == nil {
		return a.Unmap(), true
	}
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap(), true
	}
	return netip.Addr{}, false
}
