package metadata

import (
	"net/url"
	"strings"

	"tonql/internal/chain"
)

// Gateways are the IPFS gateways that files are requested from.
type Gateways struct {
	list []*url.URL
}

// NewGateways reads the addresses of gateways, as https://ipfs.io. Unlike in [Options], none means none.
func NewGateways(addresses []string) (*Gateways, error) {
	g := &Gateways{}
	for _, raw := range addresses {
		u, err := gateway(raw)
		if err != nil {
			return nil, err
		}
		g.list = append(g.list, u)
	}
	return g, nil
}

// Locate returns the addresses, the best first, of a file of IPFS at the gateways. uri is ipfs:// with a content id, or an address
// of any gateway with one, whose host is not requested. Addresses whose content can change are refused.
func (g *Gateways) Locate(uri string) ([]string, error) {
	uri = strings.TrimSpace(uri)
	if u, err := url.Parse(uri); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		uri = strings.TrimPrefix(u.EscapedPath(), "/")
		if !strings.HasPrefix(uri, "ipfs/") {
			return nil, chain.Invalidf("%s is no address of IPFS", chain.Quote(u.Redacted()))
		}
		uri = "ipfs://" + uri
	}
	p, f := locate(uri, func(string) error { return nil }, g.list, 0)
	switch {
	case f != nil:
		return nil, chain.Invalidf("%s", f.detail)
	case p.host != ipfsHost || !p.immutable:
		return nil, chain.Invalidf("%s is no address of IPFS with a content id", chain.Quote(uri))
	}
	return p.addresses[:min(len(p.addresses), maxPlaces)], nil
}
