package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addTraces(index *store.Reader) {
	s.TraceByID = Batch(func(ctx context.Context, ids []chain.Hash) (map[chain.Hash]*chain.Trace, error) {
		rows, err := index.TracesByID(ctx, ids)
		return byKey(rows, err, func(t *chain.Trace) chain.Hash { return t.ID })
	})
	s.TraceContent = Batch(func(ctx context.Context, ids []chain.Hash) (map[chain.Hash]*chain.FullTrace, error) {
		rows, err := index.TracesByID(ctx, ids)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		full, err := index.FullTraces(ctx, rows, chain.TraceInclude{})
		return byKey(full, err, func(t *chain.FullTrace) chain.Hash { return t.ID })
	})
	s.TracesOfAccounts = Pages(index.TracesOfAccounts)
}
