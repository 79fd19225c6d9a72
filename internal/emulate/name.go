package emulate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/dns"
)

// NameRequest is a DNS name to resolve.
type NameRequest struct {
	Resolver *chain.Address // the first resolver; nil: the network's root
	Name     string         // such as alice.ton; empty: the records of the resolver itself
	Hops     int            // the number of resolvers to follow after the first
	Seqno    *uint32        // the masterchain block at which it is resolved; nil: the newest indexed one
}

// Resolution is the result of a [NameRequest]. Entries are empty when no resolver has the name.
type Resolution struct {
	Name    string // the resolved part
	Entries []chain.DNSEntry
}

// longestName is the largest encoded name in bytes, those of one cell.
const longestName = 126

// ResolveName resolves a name by calling one resolver after the other.
func (x *Emulator) ResolveName(ctx context.Context, q NameRequest) (*Resolution, error) {
	rest, err := encodeName(q.Name)
	if err != nil {
		return nil, err
	}
	v, err := x.At(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	c := &methodCaller{x, ctx, v}
	at := q.Resolver
	if at == nil {
		if at, err = c.dnsRoot(); err != nil {
			return nil, err
		}
	}
	for hop := 0; ; hop++ {
		bits, found, err := c.resolve(*at, rest)
		if err != nil || found == nil {
			return &Resolution{Name: q.Name}, err
		}
		if bits == len(rest)*8 {
			return &Resolution{Name: q.Name, Entries: dns.Entries(found)}, nil
		}
		record, err := found.BeginParse()
		if err != nil {
			return nil, err
		}
		next := dns.ParseEntry(record)
		next.Category = nextResolver
		if next.NextResolver == nil {
			return &Resolution{Name: q.Name}, nil
		}
		if hop >= q.Hops {
			return &Resolution{Name: decodeName(rest[:bits/8]), Entries: []chain.DNSEntry{next}}, nil
		}
		at, rest = next.NextResolver, rest[bits/8:]
	}
}

// nextResolver is the category of records with another resolver: sha256 of dns_next_resolver.
var nextResolver = func() chain.Hash {
	h, err := chain.ParseHash("19f02441ee588fdb26ee24b2568dd035c3c9206e11ab979be62e55558a1d17ff")
	if err != nil {
		panic(err) //nolint:forbidigo // the constant above
	}
	return h
}()

// resolve calls one resolver for all records of a name. found is nil when it has none.
func (c *methodCaller) resolve(at chain.Address, name []byte) (bits int, found *cell.Cell, err error) {
	r, err := c.call(at, "dnsresolve", cell.BeginCell().MustStoreSlice(name, uint(len(name)*8)).ToSlice(), int64(0))
	if err != nil || r == nil {
		return 0, nil, err
	}
	n := r.Int64()
	found = r.CellOrNull()
	if r.Err() != nil || n <= 0 || n%8 != 0 || n > int64(len(name)*8) {
		return 0, nil, nil
	}
	return int(n), found, nil
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

// encodeName encodes a name for resolvers: labels in reverse order, each terminated by a zero byte.
func encodeName(name string) ([]byte, error) {
	name = strings.TrimSuffix(name, ".")
	if name == "" {
		return []byte{0}, nil
	}
	labels := strings.Split(name, ".")
	slices.Reverse(labels)
	var out []byte
	for _, label := range labels {
		if label == "" || strings.ContainsFunc(label, func(r rune) bool { return r <= ' ' }) {
			return nil, chain.Invalidf("name: %s has a label that is empty or has spaces", chain.Quote(name))
		}
		out = append(append(out, strings.ToLower(label)...), 0)
	}
	if len(out) > longestName {
		return nil, &chain.Error{Kind: chain.Invalid, Message: "name: it is too long", Err: errors.New("more than one cell")}
	}
	return out, nil
}

// decodeName decodes the result of [encodeName].
func decodeName(encoded []byte) string {
	labels := strings.Split(strings.Trim(string(encoded), "\x00"), "\x00")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}
