package indexer

import (
	"context"
	"fmt"
	"time"

	"tonql/indexer/decode"
	"tonql/indexer/detect"
	"tonql/internal/chain"
)

// detect adds contracts to replayed blocks, in order, and sends the blocks to ready. It closes ready when it returns.
func (x *Indexer) detect(ctx context.Context, replayed <-chan *decode.Master, ready chan<- *chain.MasterBlock) error {
	defer close(ready)
	var batch *detect.Batch
	if x.detector != nil {
		batch = x.detector.NewBatch()
	}
	for {
		select {
		case m, ok := <-replayed:
			if !ok {
				return nil
			}
			if batch != nil {
				if err := x.detectBlock(ctx, batch, m); err != nil {
					return err
				}
			}
			if err := send(ctx, ready, m.MasterBlock); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// detectBlock detects the contracts of the accounts of a block.
func (x *Indexer) detectBlock(ctx context.Context, batch *detect.Batch, m *decode.Master) error {
	began := time.Now()
	what := fmt.Sprintf("contracts of masterchain block %d", m.Block.Seqno)
	stats, err := retry(ctx, x, what, what, func(ctx context.Context) (detect.Stats, error) { return batch.Run(ctx, m) })
	if err != nil {
		return err
	}
	x.metrics.detecting.Observe(time.Since(began).Seconds())
	x.metrics.detected(stats)
	if stats.Undetected > 0 { // which anyone can cause, and so do contracts of the local chain
		x.opts.Logger.Info("contracts left undetected: get-methods or facts over budget, or a referenced account is not available",
			"mc_seqno", m.Block.Seqno, "count", stats.Undetected, "of", stats.Accounts)
	}
	return nil
}
