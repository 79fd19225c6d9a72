package indexer

import (
	"context"
	"fmt"
	"time"

	"tonql/internal/chain"
)

// Bounds of a group of masterchain blocks that are written together when more than one is waiting. Each masterchain
// block is still whole or absent; a group only shares the commit.
const (
	groupBlocks       = 64
	groupTransactions = 4096
)

// apply writes the blocks that arrive, in order. What has gathered while the last group was written becomes the next
// one, so a follower at the head writes block by block and one that is behind catches up in larger steps.
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
		group = gather(group, ready)
		if err := x.write(ctx, group); err != nil {
			return err
		}
	}
}

// gather adds what is waiting already.
func gather(group []*chain.MasterBlock, ready <-chan *chain.MasterBlock) []*chain.MasterBlock {
	txs := len(group[0].Transactions)
	for len(group) < groupBlocks && txs < groupTransactions {
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
