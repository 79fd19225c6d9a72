package access

import (
	"net/netip"
	"slices"
	"strings"

	"tonql/internal/chain"
)

// ParseProxies parses addresses and networks of trusted proxies. An error names the first invalid entry.
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

// ClientOf returns the client address of a request. peer is the remote address of the connection; forwarded are the values
// of X-Forwarded-For, to which every proxy appends its peer. ClientOf reads the list from its end and returns the first
// address that is not a trusted proxy; entries further left are untrusted.
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
			return client // a trusted proxy wrote an invalid entry: use its own address
		}
		client = next
	}
	return client
}

// IsProxy reports whether the remote address of a connection is that of a trusted proxy.
func IsProxy(peer netip.Addr, trusted []netip.Prefix) bool { return among(trusted, peer.Unmap()) }

// Site returns the address by which limits count a client: in IPv6 its /64 network, because one client can use all
// addresses of it.
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

// parseHop parses an address with or without a port.
func parseHop(s string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(s); err == nil {
		return a.Unmap(), true
	}
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap(), true
	}
	return netip.Addr{}, false
}
