package loaders

import (
	"context"

	"tonql/internal/chain"
)

// grouped returns a function that reads keys of several groups: split divides a key into its parent and its group, and
// read is called once per group, with the parents of its keys. Groups are read in the order of their first key.
func grouped[K, P, G comparable, V any](
	split func(K) (P, G), read func(context.Context, []P, G) (map[P]V, error),
) func(context.Context, []K) (map[K]V, error) {
	return func(ctx context.Context, keys []K) (map[K]V, error) {
		type group struct {
			by      G
			keys    []K
			parents []P
		}
		index := map[G]int{}
		var groups []group
		for _, k := range keys {
			parent, by := split(k)
			i, ok := index[by]
			if !ok {
				i = len(groups)
				index[by] = i
				groups = append(groups, group{by: by})
			}
			groups[i].keys, groups[i].parents = append(groups[i].keys, k), append(groups[i].parents, parent)
		}
		found := make(map[K]V, len(keys))
		for _, g := range groups {
			rows, err := read(ctx, g.parents, g.by)
			if err != nil {
				return nil, err
			}
			for i, k := range g.keys {
				found[k] = rows[g.parents[i]]
			}
		}
		return found, nil
	}
}

// PageOf is the key of one page of the rows of a parent.
type PageOf[P comparable] struct {
	Parent P
	Page   PageKey
}

// PageKey is a [chain.Page] in a comparable form. Parents with equal page keys share a statement, and pages of different
// aliases do not mix.
type PageKey struct {
	Limit     int
	Sort      chain.Sort
	Last      bool
	HasAfter  bool
	HasBefore bool
	After     chain.Cursor
	Before    chain.Cursor
}

// KeyOf returns the key of a page.
func KeyOf(p chain.Page) PageKey {
	k := PageKey{Limit: p.Limit, Sort: p.Sort, Last: p.Last}
	if p.After != nil {
		k.HasAfter, k.After = true, *p.After
	}
	if p.Before != nil {
		k.HasBefore, k.Before = true, *p.Before
	}
	return k
}

func (k PageKey) page() chain.Page {
	p := chain.Page{Limit: k.Limit, Sort: k.Sort, Last: k.Last}
	if k.HasAfter {
		p.After = &k.After
	}
	if k.HasBefore {
		p.Before = &k.Before
	}
	return p
}

// Pages returns a loader of pages, with one read for each distinct page.
func Pages[P comparable, V any](read func(context.Context, []P, chain.Page) (map[P]V, error)) *Loader[PageOf[P], V] {
	return Batch(grouped(
		func(k PageOf[P]) (P, PageKey) { return k.Parent, k.Page },
		func(ctx context.Context, parents []P, k PageKey) (map[P]V, error) {
			return read(ctx, parents, k.page())
		},
	))
}

// Chosen is an account and a choice among its rows, such as a direction.
type Chosen[C comparable] struct {
	Account chain.Address
	Choice  C
}

func (c Chosen[C]) split() (chain.Address, C) { return c.Account, c.Choice }

// chosen returns a loader of pages of rows of accounts, with one read for each distinct page and choice.
func chosen[C comparable, V any](
	read func(context.Context, []chain.Address, C, chain.Page) (map[chain.Address]V, error),
) *Loader[PageOf[Chosen[C]], V] {
	return Pages(func(ctx context.Context, parents []Chosen[C], page chain.Page) (map[Chosen[C]]V, error) {
		return grouped(Chosen[C].split, func(ctx context.Context, accounts []chain.Address, c C) (map[chain.Address]V, error) {
			return read(ctx, accounts, c, page)
		})(ctx, parents)
	})
}

// byKey returns rows by their keys.
func byKey[K comparable, V any](rows []V, err error, key func(*V) K) (map[K]*V, error) {
	if err != nil {
		return nil, err
	}
	found := make(map[K]*V, len(rows))
	for i := range rows {
		found[key(&rows[i])] = &rows[i]
	}
	return found, nil
}
