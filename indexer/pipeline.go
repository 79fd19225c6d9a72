package indexer

import (
	"context"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// follow indexes new blocks of the network as they appear, beginning with seqno first.
func (x *Indexer) follow(ctx context.Context, first uint32) error {
	return x.pipeline(ctx, first, 0, x.db.Writer().Apply)
}

// pipeline processes masterchain blocks first … last (0: no end) in four steps: fetch ahead, then replay, detect contracts
// and write in order, by write. The steps run concurrently; the channels between them are short.
func (x *Indexer) pipeline(ctx context.Context, first, last uint32, write writeBlocks) error {
	group, ctx := errgroup.WithContext(ctx)
	slots := x.stream(ctx, group, first, last)
	replayed := make(chan *decode.Master, 1)
	ready := make(chan *chain.MasterBlock, x.opts.Ahead)
	group.Go(func() error { return x.replayBlocks(ctx, slots, replayed) })
	group.Go(func() error { return x.detect(ctx, replayed, ready) })
	group.Go(func() error { return x.apply(ctx, ready, write) })
	return group.Wait()
}

// send sends v to the next step of a pipeline, unless ctx ends first.
func send[T any](ctx context.Context, to chan<- T, v T) error {
	select {
	case to <- v:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// inOrder calls do with the value of each slot, in the order of the slots, until do fails or ctx ends.
func inOrder[T any](ctx context.Context, slots <-chan chan T, do func(T) error) error {
	for slot := range slots {
		select {
		case v := <-slot:
			if err := do(v); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
