package synthetic

import (
	"context"
	"fmt"

	"tonql/internal/chain"
)

// Writer is where the blocks go.
type Writer interface {
	Apply(ctx context.Context, blocks ...*chain.MasterBlock) error
}

// LoadBatch is how many masterchain blocks [Load] writes in one transaction.
const LoadBatch = 200

// Load writes a complete chain. It calls progress, unless nil, with the number of transactions written so far.
func Load(ctx context.Context, w Writer, o Options, progress func(transactions int)) error {
	c := New(o)
	done := 0
	for {
		batch, n := c.Batch(LoadBatch)
		if len(batch) == 0 {
			return nil
		}
		if err := w.Apply(ctx, batch...); err != nil {
			return fmt.Errorf("synthetic blocks from %d: %w", batch[0].Block.Seqno, err)
		}
		done += n
		if progress != nil {
			progress(done)
		}
	}
}

// Batch is the next masterchain blocks, at most n, and the number of their transactions.
func (c *Chain) Batch(n int) (blocks []*chain.MasterBlock, transactions int) {
	for len(blocks) < n {
		mb := c.Next()
		if mb == nil {
			break
		}
		blocks = append(blocks, mb)
		transactions += len(mb.Transactions)
	}
	return blocks, transactions
}
