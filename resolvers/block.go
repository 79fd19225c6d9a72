package resolvers

import (
	"context"
	"errors"

	"tonql/internal/chain"
)

// Blocks lists the blocks that match f by gen_utime, then workchain (the other way round), shard and seqno.
func (s *Service) Blocks(ctx context.Context, f chain.BlockFilter, p chain.Page) ([]chain.Block, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.blocks(ctx, f, p)
}

// ShardState lists the latest block of every shard as masterchain block mcSeqno records it, and that block itself, by
// workchain, shard and seqno. NotFound when the index does not hold mcSeqno.
func (s *Service) ShardState(ctx context.Context, mcSeqno uint32) ([]chain.Block, error) {
	blocks, err := s.index.ShardState(ctx, mcSeqno)
	if err == nil && len(blocks) == 0 {
		err = s.dropped(ctx, mcSeqno, blocksNotFound())
	}
	return blocks, err
}

// ShardBlocks lists the blocks masterchain block mcSeqno committed, itself included. NotFound when there are none.
func (s *Service) ShardBlocks(ctx context.Context, mcSeqno uint32, p chain.Page) ([]chain.Block, error) {
	blocks, err := s.Blocks(ctx, chain.BlockFilter{McSeqno: &mcSeqno}, p)
	if err == nil && len(blocks) == 0 && p.After == nil { // the page after the last one is empty
		err = s.dropped(ctx, mcSeqno, blocksNotFound())
	}
	return blocks, err
}

func blocksNotFound() error { return chain.NotFoundf("blocks not found") }

// indexed gives NotFound, or RangeDropped, unless the index holds masterchain block mcSeqno.
func (s *Service) indexed(ctx context.Context, mcSeqno uint32) error {
	ok, err := s.index.IsIndexed(ctx, mcSeqno)
	if err == nil && !ok {
		err = s.dropped(ctx, mcSeqno, chain.NotFoundf("masterchain block %d not found", mcSeqno))
	}
	return err
}

// pin checks a cursor page and gives the masterchain seqno its cursors carry: that of the cursor it continues from, or
// the head where paging begins.
func (s *Service) pin(ctx context.Context, p *chain.Page) (mcSeqno uint32, err error) {
	if *p, err = s.page(*p); err != nil {
		return 0, err
	}
	if p.Offset != 0 {
		return 0, errors.New("a page by cursor has no offset")
	}
	for _, c := range []*chain.Cursor{p.After, p.Before} {
		if c != nil && c.McSeqno != 0 {
			return c.McSeqno, nil
		}
	}
	return s.McSeqno(ctx)
}
