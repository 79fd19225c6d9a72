package metadata

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tonql/internal/chain"
	"tonql/internal/outbound"
)

// place is where a document lies: in data, or at one of the addresses, the first of which is the best.
type place struct {
	host      string   // for the bound per host, see [outbound.Site]; ipfs stands for all gateways; empty without requests
	addresses []string // to request, in this order
	data      []byte   // the document itself
	immutable bool     // the address names the content: what it says today it says forever
	brief     bool     // each address gets a part of the time only
}

// ipfsHost is the host of all requests to IPFS gateways. No name on the Internet is so short.
const ipfsHost = "ipfs"

// ipfsAgain is the host of repeated requests for documents of IPFS, whatever their address. Anyone can name thousands that no gateway has, and a
// gateway responds to such a request at its timeout: they wait for each other, and not those that are requested for the first time.
const ipfsAgain = "ipfs again"

var (
	// contentID is an IPFS CID: version 0 in base58, version 1 in base32 or base58.
	contentID = regexp.MustCompile(`^(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,128}|z[1-9A-HJ-NP-Za-km-z]{40,128})$`)
	// mutableID is an IPNS name: a key or a domain.
	mutableID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.-]{2,252}$`)
)

// locate parses the uri of a token's content. check reports whether an http or https address is allowed.
func locate(uri string, check func(string) error, gateways []*url.URL, start int) (place, *failure) {
	uri = strings.TrimSpace(uri)
	scheme, rest, _ := strings.Cut(uri, ":")
	switch strings.ToLower(scheme) {
	case "data":
		data, f := documentOf(uri)
		return place{data: data, immutable: true}, f
	case "http", "https":
		if err := check(uri); err != nil {
			return place{}, requestFailure(err).finally()
		}
		p := place{addresses: []string{uri}}
		if u, err := url.Parse(uri); err == nil {
			p.host = outbound.Site(u)
			// A gateway that is gone or busy is not the only one that has the document.
			if namespace, id, path, f := ipfsPath(strings.TrimPrefix(u.EscapedPath(), "/")); f == nil {
				p.addresses = append(p.addresses, spread(gateways, start, namespace, id, path, u.RawQuery)...)
				p.immutable = namespace == "ipfs"
			}
		}
		return p, nil
	case "ipfs", "ipns":
		namespace := strings.ToLower(scheme)
		rest = strings.TrimLeft(rest, "/")
		// Many write the namespace twice, as scheme and as first part of the path.
		if !strings.HasPrefix(rest, "ipfs/") && !strings.HasPrefix(rest, "ipns/") {
			rest = namespace + "/" + rest
		}
		return onIPFS(rest, gateways, start)
	default:
		if id, _, _ := strings.Cut(uri, "/"); contentID.MatchString(id) {
			return onIPFS("ipfs/"+uri, gateways, start)
		}
		return place{}, failf(reasonURI, "no http, https, ipfs or data address: %s", chain.Quote(uri)).finally()
	}
}

func onIPFS(rest string, gateways []*url.URL, start int) (place, *failure) {
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	namespace, id, path, f := ipfsPath(rest)
	if f != nil {
		return place{}, f
	}
	if strings.ContainsFunc(query, unicode.IsControl) { // no request can carry it
		return place{}, failf(reasonURI, "control characters in the address %s", chain.Quote(rest+"?"+query)).finally()
	}
	return place{
		host: ipfsHost, addresses: spread(gateways, start, namespace, id, path, query), immutable: namespace == "ipfs",
	}, nil
}

// ipfsPath splits the path below a gateway, as ipfs/CID/1.json.
func ipfsPath(rest string) (namespace, id, path string, f *failure) {
	namespace, rest, _ = strings.Cut(rest, "/")
	id, path, _ = strings.Cut(rest, "/")
	path, err := url.PathUnescape(path)
	switch {
	case err != nil, slices.Contains(strings.Split(path, "/"), ".."):
		return "", "", "", failf(reasonURI, "an IPFS path that cannot be read").finally()
	case namespace == "ipfs" && contentID.MatchString(id), namespace == "ipns" && mutableID.MatchString(id):
		return namespace, id, path, nil
	default:
		return "", "", "", failf(reasonURI, "no IPFS content id: %s", chain.Quote(id)).finally()
	}
}

// spread names a document at every gateway, starting with another one at each turn, so that a try does not begin where
// the last one failed.
func spread(gateways []*url.URL, start int, namespace, id, path, query string) []string {
	addresses := make([]string, 0, len(gateways))
	for i := range gateways {
		u := *gateways[(i+start)%len(gateways)]
		u.Path, u.RawPath, u.RawQuery = u.Path+"/"+namespace+"/"+id, "", query
		if path != "" {
			u.Path += "/" + path
		}
		addresses = append(addresses, u.String())
	}
	return addresses
}

// mayChange reports whether what a uri leads to can become something else: neither data nor content of a known hash can.
func mayChange(uri string) bool {
	p, f := locate(uri, func(string) error { return nil }, nil, 0)
	return uri != "" && f == nil && !p.immutable
}
