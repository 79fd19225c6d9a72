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

// NameRequest asks what a name resolves to.
type NameRequest struct {
	Resolver *chain.Address // where to begin; nil: the network's root
	Name     string         // such as alice.ton; empty: the resolver itself
	Hops     int            // how many resolvers to follow after the first
	Seqno    *uint32        // as of this masterchain block; nil: the newest indexed one
}

// Resolution is what a name resolves to. Entries may be empty: then nobody knows it.
type Resolution struct {
	Name    string // as far as it was resolved
	Entries []chain.DNSEntry
}

// longestName is the most bytes that a resolver takes at a time, one cell of them.
const longestName = 126

// ResolveName asks one resolver after the other.
func (x *Emulator) ResolveName(ctx context.Context, q NameRequest) (*Resolution, error) {
	rest, err := encodeName(q.Name)
	if err != nil {
		return nil, err
	}
	v, err := x.At(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	i := &methodCaller{x, ctx, v}
	at := q.Resolver
	if at == nil {
		if at, err = i.dnsRoot(); err != nil {
			return nil, err
		}
	}
	for hop := 0; ; hop++ {
		bits, found, err := i.resolve(*at, rest)
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

// nextResolver is the category of records that name another resolver: sha256 of dns_next_resolver.
var nextResolver = func() chain.Hash {
	h, err := chain.ParseHash("19f02441ee588fdb26ee24b2568dd035c3c9206e11ab979be62e55558a1d17ff")
	if err != nil {
		panic(err) //nolint:forbidigo // the constant above
	}
	return h
}()

// resolve asks one resolver for all records of a name. A nil cell says that it knows nothing.
func (i *methodCaller) resolve(at chain.Address, name []byte) (bits int, found *cell.Cell, err error) {
	r, err := i.call(at, "dnsresolve", cell.BeginCell().MustStoreSlice(name, uint(len(name)*8)).ToSlice(), int64(0))
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

// dnsRoot is the network's root resolver, configuration parameter 4.
func (i *methodCaller) dnsRoot() (*chain.Address, error) {
	config, err := i.config(i.ctx, &i.view.Master)
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

// encodeName turns a name round and ends each label with a zero byte, as resolvers take it.
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

// decodeName is the reverse of [encodeName].
func decodeName(encoded []byte) string {
	labels := strings.Split(strings.Trim(string(encoded), "\x00"), "\x00")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}
