package indexer

import (
	"context"
	"fmt"
	"time"

	"tonql/internal/chain"
)

// groupTransactions limits the transactions, and so the memory, of a group of masterchain blocks.
const groupTransactions = 4096

// writeBlocks writes masterchain blocks in one database transaction.
type writeBlocks func(ctx context.Context, group ...*chain.MasterBlock) error

// apply writes the blocks from ready in order, each in one database transaction. With Options.Group above 1, the blocks
// that arrived during a commit share the next commit: at the head the indexer still writes block by block, and behind the
// head it catches up in larger transactions. Every masterchain block is stored completely or not at all.
func (x *Indexer) apply(ctx context.Context, ready <-chan *chain.MasterBlock, write writeBlocks) error {
	for {
		var group []*chain.MasterBlock
		select {
		case m, ok := <-ready:
			if !ok {
				return nil
			}
			group = append(group, m)
		case <-ctx.Done():
			return ctx.Err()
		}
		group = gather(group, ready, x.opts.Group)
		if err := x.write(ctx, group, write); err != nil {
			return err
		}
	}
}

// gather appends the blocks that are waiting in ready, up to limit blocks.
func gather(group []*chain.MasterBlock, ready <-chan *chain.MasterBlock, limit int) []*chain.MasterBlock {
	txs := len(group[0].Transactions)
	for len(group) < limit && txs < groupTransactions {
		select {
		case m, ok := <-ready:
			if !ok {
				return group
			}
			group = append(group, m)
			txs += len(m.Transactions)
		default:
			return group
		}
	}
	return group
}

// write commits a group. Its error ends the session.
func (x *Indexer) write(ctx context.Context, group []*chain.MasterBlock, write writeBlocks) error {
	began := time.Now()
	if err := write(ctx, group...); err != nil {
		return fmt.Errorf("writing masterchain block %d: %w", group[0].Block.Seqno, err)
	}
	x.metrics.apply.Observe(time.Since(began).Seconds())
	x.metrics.wrote(group)
	x.status.wrote(group)
	return nil
}
