package emulate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/dns"
)

// NameRequest is a DNS name to resolve.
type NameRequest struct {
	Resolver *chain.Address // the first resolver, to which the name is relative; nil: the network's root
	Name     string         // such as alice.ton
	Seqno    *uint32        // the masterchain block at which it is resolved; nil: the newest indexed one
}

// Resolution is the result of a [NameRequest]. Entries are empty when no resolver has the name, or the resolver of the name has no code.
type Resolution struct {
	Name    string // in lower case and without a final dot
	Entries []chain.DNSEntry
}

// ResolverError reports a resolver that does not exist, or whose response breaks the rules of TEP-81.
type ResolverError struct {
	Resolver chain.Address
	Text     string
}

func (e *ResolverError) Error() string { return "resolver " + e.Resolver.String() + ": " + e.Text }

const (
	// longestName is the maximum length of an encoded name in bytes, those of one cell.
	longestName = 127
	// maxResolvers is the maximum number of resolvers that are called for a name.
	maxResolvers = 64
)

// ResolveName resolves a name by calling one resolver after the other, until one has the complete rest of the name.
func (x *Emulator) ResolveName(ctx context.Context, q NameRequest) (*Resolution, error) {
	name, rest, err := encodeName(q.Name, q.Resolver != nil)
	if err != nil {
		return nil, err
	}
	v, err := x.At(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	c := &methodCaller{Emulator: x, ctx: ctx, view: v, full: true}
	at := q.Resolver
	if at == nil {
		if at, err = c.dnsRoot(); err != nil {
			return nil, err
		}
	}
	for called := range maxResolvers { // each takes at least a byte off the name
		acc, err := x.Account(ctx, v, *at)
		if err != nil {
			return nil, err
		}
		if !acc.Contract.Active() {
			if called == 0 {
				return nil, &ResolverError{*at, "it has no code"}
			}
			return &Resolution{Name: name}, nil // resolvers of zones name the item of any name, registered or not
		}
		length, found, err := c.resolve(*at, rest)
		if err != nil || found == nil {
			return &Resolution{Name: name}, err
		}
		if length == len(rest) {
			return &Resolution{Name: name, Entries: dns.Entries(found)}, nil
		}
		if limit := contract.CallBudget().Gas; c.gas > limit {
			return nil, &ResolverError{*at, fmt.Sprintf("it and those before it used more than %d gas", limit)}
		}
		if rest[length-1] != 0 && rest[length] != 0 {
			return nil, &ResolverError{*at, "it resolved a part of a label"}
		}
		record, err := found.BeginParse()
		if err != nil {
			return nil, err
		}
		next := dns.ParseEntry(record).NextResolver
		if next == nil {
			return nil, &ResolverError{*at, "it resolved a part of the name without naming the next resolver"}
		}
		at, rest = next, rest[length:]
	}
	return nil, &ResolverError{*at, fmt.Sprintf("it is the last of %d resolvers that are called for a name", maxResolvers)}
}

// resolve calls one resolver for all records of a name. It returns how many bytes of the name are resolved, and their records, or the record
// with the next resolver; found is nil when the resolver does not have the name.
func (c *methodCaller) resolve(at chain.Address, name []byte) (length int, found *cell.Cell, err error) {
	r, err := c.call(at, "dnsresolve", cell.BeginCell().MustStoreSlice(name, uint(len(name)*8)).ToSlice(), int64(0))
	if err != nil {
		return 0, nil, err
	}
	if r == nil {
		return 0, nil, &ResolverError{at, "its get-method dnsresolve does not exist or failed"}
	}
	bits := r.Int64()
	found = r.CellOrNull()
	switch {
	case r.Err() != nil:
		return 0, nil, &ResolverError{at, "it returned no number of bits with a cell"}
	case bits < 0 || bits%8 != 0 || bits > int64(len(name)*8):
		return 0, nil, &ResolverError{at, fmt.Sprintf("it resolved %d bits of a name with %d", bits, len(name)*8)}
	case found == nil && bits != 0 && bits != int64(len(name)*8):
		return 0, nil, &ResolverError{at, "it resolved a part of the name without naming the next resolver"}
	case found != nil && bits == 0:
		return 0, nil, &ResolverError{at, "it returned records of nothing"}
	}
	return int(bits / 8), found, nil
}

// dnsRoot returns the network's root resolver, configuration parameter 4.
func (c *methodCaller) dnsRoot() (*chain.Address, error) {
	config, err := c.config(c.ctx, &c.view.Master)
	if err != nil {
		return nil, err
	}
	const parameter = 4
	value, err := config.Root().AsDict(32).LoadValue(cell.BeginCell().MustStoreInt(parameter, 32).EndCell())
	if err != nil || value == nil {
		return nil, chain.NotFoundf("the network has no root of names")
	}
	ref, err := value.LoadRefCell()
	if err != nil {
		return nil, err
	}
	s, err := ref.BeginParse()
	if err != nil {
		return nil, err
	}
	id, err := s.LoadSlice(256)
	if err != nil {
		return nil, err
	}
	return &chain.Address{Workchain: chain.MasterchainID, ID: chain.HashFrom(id)}, nil
}

// encodeName returns a name in lower case and without a final dot, and encoded for resolvers: labels in reverse order, each terminated by a
// zero byte. A name that is relative to a resolver begins with another one, which stands for that resolver.
func encodeName(text string, relative bool) (name string, encoded []byte, err error) {
	if !utf8.ValidString(text) {
		return "", nil, chain.Invalidf("domain: it is not UTF-8")
	}
	name = strings.TrimSuffix(strings.ToLower(text), ".")
	if relative {
		encoded = []byte{0}
	}
	labels := strings.Split(name, ".")
	for _, label := range slices.Backward(labels) {
		if label == "" || strings.ContainsFunc(label, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			return "", nil, chain.Invalidf("domain: %s has a label that is empty or contains spaces or control characters", chain.Quote(text))
		}
		encoded = append(append(encoded, label...), 0)
	}
	if len(encoded) > longestName {
		return "", nil, chain.Invalidf("domain: it has %d bytes as resolvers receive it; at most %d are allowed", len(encoded), longestName)
	}
	return name, encoded, nil
}
