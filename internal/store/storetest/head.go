package storetest

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// Head reads the newest masterchain block through a snapshot, without another try.
func Head(ctx context.Context, db *store.DB) (head uint32, err error) {
	at, done := db.Reader().Snapshot(ctx, func(seqno uint32) { head = seqno })
	defer done()
	_, err = at.Last().Blocks(ctx, chain.BlockFilter{}, chain.Page{Limit: 1})
	return head, err
}
