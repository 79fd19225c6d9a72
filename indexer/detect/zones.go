package detect

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// topLevel are the zones whose names are NFT items of a collection, with their labels in the form of dnsresolve: from the
// top level down, each ended by a zero byte.
var topLevel = []struct{ zone, labels string }{
	{".ton", "ton\x00"},
	{".t.me", "me\x00t\x00"},
}

// probe is a label below a zone; the collection of the zone resolves it.
const probe = "x\x00"

// maxHops is the maximum number of resolvers between the root and a zone's collection.
const maxHops = 4

// zones caches the collections that the network's DNS root delegates to, until a resolver on the path changes.
type zones struct {
	path  []resolver // all resolvers that were called, the root first; nil before the first lookup
	found map[chain.Address]string
}

// resolver identifies the state of a contract on the path.
type resolver struct {
	address    chain.Address
	code, data chain.Hash // zero when it did not exist
}

// find returns the zone of each collection. A resolver that does not exist, or fails, ends its path.
func (z *zones) find(ctx context.Context, d *Detector, snapshot contract.Snapshot, env contract.Env) (map[chain.Address]string, error) {
	root, ok := dnsRoot(env.Config)
	if !ok {
		return nil, nil
	}
	same, err := z.current(ctx, snapshot, root)
	if err != nil || same {
		return z.found, err
	}
	runner, err := d.quick.At(env)
	if err != nil {
		return nil, err
	}
	w := walk{runner: runner, snapshot: snapshot}
	found := map[chain.Address]string{}
	for _, top := range topLevel {
		a, ok, err := w.to(ctx, root, top.labels)
		if err != nil {
			return nil, err
		}
		if ok {
			found[a] = top.zone
		}
	}
	z.path, z.found = w.path, found
	return found, nil
}

// current reports whether no resolver on the path has changed.
func (z *zones) current(ctx context.Context, snapshot contract.Snapshot, root chain.Address) (bool, error) {
	if len(z.path) == 0 || z.path[0].address != root {
		return false, nil
	}
	for _, before := range z.path {
		_, now, err := look(ctx, snapshot, before.address)
		if err != nil || now != before {
			return false, err
		}
	}
	return true, nil
}

// look returns a resolver; nil when it does not exist or cannot be read.
func look(ctx context.Context, snapshot contract.Snapshot, a chain.Address) (*contract.State, resolver, error) {
	s, ok, err := snapshot.State(ctx, a)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		return nil, resolver{address: a}, nil
	}
	if err != nil {
		return nil, resolver{}, fmt.Errorf("DNS resolver %s: %w", a, err)
	}
	if !ok || !s.Active() {
		return nil, resolver{address: a}, nil
	}
	return &s, resolver{a, s.CodeHash(), s.DataHash()}, nil
}

// walk follows delegations from resolver to resolver.
type walk struct {
	runner   *contract.Runner
	snapshot contract.Snapshot
	path     []resolver
}

// to returns the contract that resolves the names below the labels.
func (w *walk) to(ctx context.Context, at chain.Address, labels string) (chain.Address, bool, error) {
	rest := []byte(labels + probe)
	for range maxHops {
		state, seen, err := look(ctx, w.snapshot, at)
		if err != nil {
			return at, false, err
		}
		if !slices.Contains(w.path, seen) {
			w.path = append(w.path, seen)
		}
		if state == nil {
			return at, false, nil
		}
		next, bits, err := w.resolve(ctx, state, rest)
		if err != nil || next == nil || bits <= 0 || bits%8 != 0 || bits/8 > int64(len(rest)) {
			return at, false, err
		}
		at, rest = *next, rest[bits/8:]
		if bytes.Equal(bytes.TrimPrefix(rest, []byte{0}), []byte(probe)) {
			return at, true, nil
		}
	}
	return at, false, nil
}

// resolve calls dnsresolve (TEP-81). It returns the next resolver and the number of bits of the name that are resolved; nil
// without a next resolver.
func (w *walk) resolve(ctx context.Context, s *contract.State, name []byte) (*chain.Address, int64, error) {
	const tagNextResolver = 0xba93
	arg := cell.BeginCell().MustStoreSlice(name, uint(len(name))*8).ToSlice()
	result, err := w.runner.Run(ctx, s, "dnsresolve", arg, int64(0))
	if contract.IsFault(err) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("DNS resolver %s: %w", s.Address, err)
	}
	r := result.Read()
	bits, next := r.Int64(), r.CellOrNull()
	if r.Err() != nil || next == nil {
		return nil, 0, nil //nolint:nilerr // a result of another form ends the path
	}
	l := contract.Load(next)
	if tag := l.Uint(16); tag != tagNextResolver {
		return nil, 0, nil
	}
	a := l.Address()
	if l.Err() != nil {
		return nil, 0, nil
	}
	return a, bits, nil
}

// dnsRoot returns configuration parameter 4: the masterchain account that resolves the first label.
func dnsRoot(config *tvm.PreparedBlockchainConfig) (chain.Address, bool) {
	const param, bits = 4, 32
	s, err := config.Root().AsDict(bits).LoadValue(cell.BeginCell().MustStoreUInt(param, bits).EndCell())
	if err != nil {
		return chain.Address{}, false
	}
	c, err := s.LoadRefCell()
	if err != nil {
		return chain.Address{}, false
	}
	l := contract.Load(c)
	a := chain.Address{Workchain: chain.MasterchainID, ID: l.Hash()}
	return a, l.Err() == nil
}
