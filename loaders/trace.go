package loaders

import (
	"context"

	"tonql/internal/chain"
)

func (s *Set) addTraces(index Index) {
	read := func(ctx context.Context, ids []chain.Hash) ([]chain.Trace, error) {
		return index.Traces(ctx, chain.TraceFilter{IDs: ids}, chain.Page{Limit: len(ids)})
	}
	s.TraceByID = batch(func(ctx context.Context, ids []chain.Hash) (map[chain.Hash]*chain.Trace, error) {
		rows, err := read(ctx, ids)
		return byKey(rows, err, func(t *chain.Trace) chain.Hash { return t.ID })
	})
	s.TraceContent = batch(func(ctx context.Context, ids []chain.Hash) (map[chain.Hash]*chain.FullTrace, error) {
		rows, err := read(ctx, ids)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		full, err := index.FullTraces(ctx, rows, chain.TraceInclude{})
		return byKey(full, err, func(t *chain.FullTrace) chain.Hash { return t.ID })
	})
	s.TracesOfAccounts = pages(index.TracesOfAccounts)
}
