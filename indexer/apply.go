package indexer

import (
	"context"
	"fmt"
	"time"

	"tonql/internal/chain"
)

// groupTransactions bounds the memory of a group of masterchain blocks that share a commit.
const groupTransactions = 4096

// apply writes the blocks that arrive, in order, each in a database transaction of its own. With Options.Group above 1,
// blocks that gathered while the last were written share the next commit: a follower at the head still writes block by
// block, and one that is behind catches up in larger steps. Each masterchain block is whole or absent either way.
func (x *Indexer) apply(ctx context.Context, ready <-chan *chain.MasterBlock) error {
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
		if err := x.write(ctx, group); err != nil {
			return err
		}
	}
}

// gather adds what is waiting already, up to most blocks.
func gather(group []*chain.MasterBlock, ready <-chan *chain.MasterBlock, most int) []*chain.MasterBlock {
	txs := len(group[0].Transactions)
	for len(group) < most && txs < groupTransactions {
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

// write commits a group. A database that refuses ends the session.
func (x *Indexer) write(ctx context.Context, group []*chain.MasterBlock) error {
	began := time.Now()
	if err := x.db.Writer().Apply(ctx, group...); err != nil {
		return fmt.Errorf("writing masterchain block %d: %w", group[0].Block.Seqno, err)
	}
	x.metrics.apply.Observe(time.Since(began).Seconds())
	x.metrics.wrote(group)
	x.status.wrote(group)
	return nil
}
