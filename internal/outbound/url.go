package outbound

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxURL bounds the text of an address, in bytes.
const maxURL = 2048

// localNames are top-level names that never belong to the public Internet. Names of one label, which a resolver might
// complete with a domain of ours, are refused besides.
var localNames = []string{"localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "localdomain", "arpa", "onion"}

// CheckURL parses an untrusted http or https address and refuses one that is visibly not public. It accepts any port; a
// [Client] is narrower. It does not resolve names: an accepted name may still lead to a private address,
// which matters to whoever connects.
func CheckURL(raw string) (*url.URL, error) {
	return policy{anyPort: true}.check(raw)
}

// policy is the part of Options that decides where a request may go.
type policy struct {
	allowLoopback bool
	httpsOnly     bool
	anyPort       bool
	ports         []uint16
	allow         []netip.AddrPort
}

// check reads raw; the result has no fragment.
func (p policy) check(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, refusef("an address of %d bytes; at most %d", len(raw), maxURL)
	}
	// Other readers of addresses take a backslash for a slash; what they see as the host is not what we would see.
	if !utf8.ValidString(raw) || strings.ContainsFunc(raw, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }) {
		return nil, refusef("the address has characters that no address has")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, &Error{Kind: Refused, Detail: "not a valid address", Err: err}
	}
	if err := p.checkParts(u); err != nil {
		return nil, err
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

func (p policy) checkParts(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refusef("only http and https addresses are followed")
	case u.Scheme == "http" && p.httpsOnly:
		return refusef("only https addresses are followed")
	case u.Opaque != "" || u.Hostname() == "":
		return refusef("the address has no host")
	case u.User != nil:
		return refusef("the address has a user name or password")
	}
	port, err := portOf(u)
	if err != nil {
		return err
	}
	return p.checkHost(u.Hostname(), port)
}

// portOf gives the port that a request for u connects to.
func portOf(u *url.URL) (uint16, error) {
	switch text := u.Port(); {
	case text != "":
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n == 0 {
			return 0, refusef("the address has no valid port")
		}
		return uint16(n), nil
	case u.Scheme == "https":
		return 443, nil
	default:
		return 80, nil
	}
}

// checkHost decides what the text of a host decides already.
func (p policy) checkHost(host string, port uint16) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Is4In6() {
			return refusef("the host is an IPv4 address written as IPv6")
		}
		return p.checkTarget(netip.AddrPortFrom(a, port))
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	switch {
	case len(name) > 253 || slices.ContainsFunc(labels, func(l string) bool { return !isLabel(l) }):
		return refusef("the host is not a valid name; names of other scripts are written as xn--")
	case isNumber(last):
		// 2130706433, 0x7f.1, 0177.0.0.1: readers disagree about these, and nobody honest needs them.
		return refusef("the host is an IPv4 address that is not written as four decimal numbers")
	case last == "localhost" && p.allowLoopback:
		return nil
	case len(labels) == 1 || slices.Contains(localNames, last):
		return refusef("the host is a name of a local network")
	case !p.portAllowed(port) && !p.allowLoopback && !p.portOfAllowed(port):
		return refusef("port %d", port)
	}
	return nil
}

// checkTarget is the decision that counts: may a socket connect there?
func (p policy) checkTarget(target netip.AddrPort) error {
	target = netip.AddrPortFrom(target.Addr().Unmap(), target.Port())
	if slices.Contains(p.allow, target) {
		return nil
	}
	switch reason := reasonAgainst(target.Addr()); {
	case reason == loopback && p.allowLoopback:
		return nil // servers on this machine listen where they like
	case reason != "":
		return refusef("%s address", reason)
	case !p.portAllowed(target.Port()):
		return refusef("port %d", target.Port())
	}
	return nil
}

func (p policy) portAllowed(port uint16) bool { return p.anyPort || slices.Contains(p.ports, port) }

// portOfAllowed reports whether some allowed address has the port: a name may stand for it.
func (p policy) portOfAllowed(port uint16) bool {
	return slices.ContainsFunc(p.allow, func(a netip.AddrPort) bool { return a.Port() == port })
}

// isLabel reports whether l may stand between the dots of a host's name.
func isLabel(l string) bool {
	return l != "" && len(l) <= 63 && !strings.ContainsFunc(l, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// isNumber reports whether some reader would take the last label of a host for a part of an IPv4 address.
func isNumber(l string) bool {
	digits, isHex := strings.CutPrefix(l, "0x")
	return !strings.ContainsFunc(digits, func(r rune) bool {
		return (r < '0' || r > '9') && (!isHex || r < 'a' || r > 'f')
	})
}
