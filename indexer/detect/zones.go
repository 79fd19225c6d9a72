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

// topLevel are the zones whose names are items of a collection, with their labels as the root reads them: from the top
// level down, each ended by a zero byte.
var topLevel = []struct{ zone, labels string }{
	{".ton", "ton\x00"},
	{".t.me", "me\x00t\x00"},
}

// probe is a name of no account below a zone: the collection is who resolves it.
const probe = "x\x00"

// maxHops bounds the resolvers between the root and a zone's collection.
const maxHops = 4

// zones remembers which collections the network's DNS root leads to, as long as no resolver on the way changes.
type zones struct {
	way   []resolver // everybody who was asked, the root first; nil before the first time
	found map[chain.Address]string
}

// resolver is a contract on the way, as it was asked.
type resolver struct {
	address    chain.Address
	code, data chain.Hash // zero when it was not there
}

// find asks the root and those it names. A resolver that is not there, or does not answer, leads nowhere.
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
	z.way, z.found = w.asked, found
	return found, nil
}

// current reports whether everybody on the way is still what he was.
func (z *zones) current(ctx context.Context, snapshot contract.Snapshot, root chain.Address) (bool, error) {
	if len(z.way) == 0 || z.way[0].address != root {
		return false, nil
	}
	for _, before := range z.way {
		_, now, err := look(ctx, snapshot, before.address)
		if err != nil || now != before {
			return false, err
		}
	}
	return true, nil
}

// look reads a resolver; nil when it is not there or cannot be read.
func look(ctx context.Context, snapshot contract.Snapshot, a chain.Address) (*contract.State, resolver, error) {
	s, ok, err := snapshot.State(ctx, a)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		return nil, resolver{address: a}, nil
	}
	if err != nil {
		return nil, resolver{}, fmt.Errorf("resolver of names %s: %w", a, err)
	}
	if !ok || !s.Active() {
		return nil, resolver{address: a}, nil
	}
	return &s, resolver{a, s.CodeHash(), s.DataHash()}, nil
}

// walk goes from resolver to resolver.
type walk struct {
	runner   *contract.Runner
	snapshot contract.Snapshot
	asked    []resolver
}

// to finds who resolves the names below the labels.
func (w *walk) to(ctx context.Context, at chain.Address, labels string) (chain.Address, bool, error) {
	rest := []byte(labels + probe)
	for range maxHops {
		state, seen, err := look(ctx, w.snapshot, at)
		if err != nil {
			return at, false, err
		}
		if !slices.Contains(w.asked, seen) {
			w.asked = append(w.asked, seen)
		}
		if state == nil {
			return at, false, nil
		}
		next, bits, err := w.ask(ctx, state, rest)
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

// ask resolves a name halfway, as TEP-81 has it: how many bits are done, and who goes on. Nil when nobody does.
func (w *walk) ask(ctx context.Context, s *contract.State, name []byte) (*chain.Address, int64, error) {
	const tagNextResolver = 0xba93
	arg := cell.BeginCell().MustStoreSlice(name, uint(len(name))*8).ToSlice()
	result, err := w.runner.Run(ctx, s, "dnsresolve", arg, int64(0))
	if contract.IsFault(err) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("resolver of names %s: %w", s.Address, err)
	}
	r := result.Read()
	bits, next := r.Int64(), r.CellOrNull()
	if r.Err() != nil || next == nil {
		return nil, 0, nil //nolint:nilerr // an answer of another form leads nowhere
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

// dnsRoot reads configuration parameter 4: the account of the masterchain that resolves the first label.
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
