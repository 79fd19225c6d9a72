package resolvers

import (
	"cmp"
	"context"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// ConfigParams lists configuration parameters at a masterchain block by number: all, or those of indexes that are set.
func (s *Service) ConfigParams(ctx context.Context, mcSeqno uint32, indexes []int) ([]chain.ConfigParam, error) {
	if len(indexes) > chain.MaxInputs {
		return nil, chain.Invalidf("indexes takes at most %d values", chain.MaxInputs)
	}
	root, err := s.ConfigRoot(ctx, &mcSeqno)
	if err != nil {
		return nil, err
	}
	items, err := root.AsDict(32).LoadAll()
	if err != nil {
		return nil, err
	}
	params := []chain.ConfigParam{}
	for _, item := range items {
		index, err := item.Key.LoadInt(32)
		if err != nil {
			return nil, err
		}
		if indexes != nil && !slices.Contains(indexes, int(index)) {
			continue
		}
		value, err := item.Value.LoadRefCell()
		if err != nil {
			return nil, err
		}
		params = append(params, chain.ConfigParam{Index: int(index), Value: value.ToBOCWithOptions(cell.BOCSerializeOptions{})})
	}
	slices.SortFunc(params, func(a, b chain.ConfigParam) int { return cmp.Compare(a.Index, b.Index) })
	return params, nil
}

// Shards lists the newest block of every shard at a masterchain block; nil is the newest indexed one.
func (s *Service) Shards(ctx context.Context, mcSeqno *uint32) ([]chain.Block, error) {
	v, err := s.emulator.At(ctx, mcSeqno)
	if err != nil {
		return nil, err
	}
	return v.Shards, nil
}
