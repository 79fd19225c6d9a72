package node

import (
	"context"
	"slices"

	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
)

// QueueSizes returns the sizes of the out-queues after the newest masterchain block of the responding server. The blocks
// are proven. The sizes, and the limit above which nodes refuse external messages, are not.
func (c *Client) QueueSizes(ctx context.Context) (*chain.QueueSizes, error) {
	return query(ctx, c.pool, want{what: "sizes of out-queues", query: "GetOutMsgQueueSizes"}, func(ctx context.Context, s *server) (*chain.QueueSizes, error) {
		response, err := call[ton.OutMsgQueueSizes](ctx, s, ton.GetOutMsgQueueSizes{})
		if err != nil {
			return nil, err
		}
		sizes := &chain.QueueSizes{Limit: uint32(response.ExtMsgQueueSizeLimit)}
		var tops []chain.BlockIDExt
		for i, shard := range response.Shards {
			id := fromTL(shard.ID)
			if i > len(tops) {
				return nil, lie(nil, "returned more out-queues than there are shards")
			}
			switch {
			case i == 0:
				if err := c.trust.prove(ctx, s, id); err != nil {
					return nil, err
				}
				if tops, err = c.topsAfter(ctx, id); err != nil {
					return nil, err
				}
			case !slices.Contains(tops, id):
				return nil, lie(nil, "returned the out-queue of %s, which is no shard's newest block", id)
			}
			sizes.Shards = append(sizes.Shards, chain.QueueSize{ID: id, Size: uint64(uint32(shard.Size))})
		}
		if len(sizes.Shards) == 0 {
			return nil, lie(nil, "returned no out-queue")
		}
		return sizes, nil
	})
}
