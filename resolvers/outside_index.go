package resolvers

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// Blocks before the first indexed block, or in a gap of the index, come from the node with proofs. The indexer's decoder
// reads them. Their McSeqno is 0: the masterchain block that committed them is not looked up.

// FindBlock looks a block up by shard and seqno, LT or time, in the index and then at the node.
func (s *Service) FindBlock(ctx context.Context, q chain.BlockSearch) (*chain.Block, error) {
	found, err := s.findIndexed(ctx, q)
	if err == nil || chain.KindOf(err) != chain.NotFound || s.node == nil {
		return found, err
	}
	if future, ahead := s.ahead(ctx, q); future != nil || ahead {
		return nil, cmp.Or(future, err)
	}
	id, err := s.node.FindBlock(ctx, q)
	if err != nil {
		return nil, err
	}
	w, err := s.emulator.FullBlock(ctx, id)
	if err != nil {
		return nil, err
	}
	return &w.Block, nil
}

// ahead reports whether a search is for a block after the newest indexed one, so that the node need not be queried.
func (s *Service) ahead(ctx context.Context, q chain.BlockSearch) (error, bool) {
	v, err := s.emulator.At(ctx, nil)
	if err != nil {
		return err, false
	}
	found := false
	for i := range v.Shards {
		b := &v.Shards[i]
		if b.Workchain != q.Workchain {
			continue
		}
		found = true
		if q.Seqno != nil && *q.Seqno <= b.Seqno || q.LT != nil && *q.LT <= b.EndLT || q.Utime != nil && *q.Utime <= b.GenUtime {
			return nil, false
		}
	}
	return nil, found
}

// findIndexed looks a block up in the index. It is NotFound, too, when an earlier block that the index lacks could match.
func (s *Service) findIndexed(ctx context.Context, q chain.BlockSearch) (*chain.Block, error) {
	f := chain.BlockFilter{Workchain: &q.Workchain, Seqno: q.Seqno}
	switch {
	case q.Seqno != nil:
		return s.firstOf(ctx, f, q.Shard, chain.Ascending)
	case q.Utime != nil:
		f.StartUtime = q.Utime
		found, err := s.firstOf(ctx, f, q.Shard, chain.Ascending)
		return s.follows(ctx, found, err)
	}
	// The first block that ends at the LT or later: the last that begins by then, or the one after it.
	f.EndLT = q.LT
	found, err := s.firstOf(ctx, f, q.Shard, chain.Descending)
	if err == nil && found.EndLT >= *q.LT || err != nil && chain.KindOf(err) != chain.NotFound {
		return found, err
	}
	f.StartLT, f.EndLT = q.LT, nil
	found, err = s.firstOf(ctx, f, q.Shard, chain.Ascending)
	return s.follows(ctx, found, err)
}

// firstOf returns the first block in the order of sort that matches f and whose shard contains the prefix of shard. Blocks
// of one second are listed by shard; of those the LT decides, because a shard and its halves can have blocks in one second.
func (s *Service) firstOf(ctx context.Context, f chain.BlockFilter, shard chain.Shard, sort chain.Sort) (*chain.Block, error) {
	var prefix chain.Hash
	for i := range 8 {
		prefix[i] = byte(shard >> (56 - 8*i))
	}
	const rows, pages = 64, 64 // far more blocks than shards make in a second
	var first *chain.Block
	for page := range pages {
		blocks, err := s.Blocks(ctx, f, chain.Page{Limit: rows, Offset: page * rows, Sort: sort})
		if err != nil {
			return nil, err
		}
		for i := range blocks {
			b := &blocks[i]
			switch {
			case first != nil && b.GenUtime != first.GenUtime:
				return first, nil
			case b.Shard != shard && !b.Shard.Contains(prefix):
			case first == nil, sort == chain.Ascending && b.StartLT < first.StartLT, sort == chain.Descending && b.StartLT > first.StartLT:
				first = b
			}
		}
		if len(blocks) == rows {
			continue
		}
		if first != nil {
			return first, nil
		}
		break
	}
	return nil, notIndexed()
}

func notIndexed() error { return chain.NotFoundf("the block is not in the index") }

// follows returns a block if its predecessors are indexed or it has none; otherwise NotFound.
func (s *Service) follows(ctx context.Context, b *chain.Block, err error) (*chain.Block, error) {
	if err != nil {
		return nil, err
	}
	before, err := s.index.BlocksByID(ctx, b.PrevBlocks)
	if err != nil {
		return nil, err
	}
	for _, prev := range b.PrevBlocks {
		if prev.Seqno > 0 && !slices.ContainsFunc(before, func(b chain.Block) bool { return b.BlockID == prev }) {
			return nil, notIndexed()
		}
	}
	return b, nil
}

// ShardTops returns the ids of the newest block of every shard but the masterchain's at a masterchain block, ordered by shard
// as on chain.
func (s *Service) ShardTops(ctx context.Context, seqno uint32) ([]chain.BlockIDExt, error) {
	tops, err := s.index.ShardTops(ctx, seqno)
	if err != nil || len(tops) > 0 {
		slices.SortFunc(tops, func(a, b chain.BlockIDExt) int { return a.Compare(b.BlockID) })
		return tops, err
	}
	v, err := s.emulator.At(ctx, &seqno)
	if err != nil {
		return nil, err
	}
	if !v.FromNode {
		return nil, nil
	}
	return s.node.Shards(ctx, v.Master.BlockIDExt)
}

// BlockTransactions lists up to limit transactions of a block that [Service.FindBlock] found, by account id, then LT,
// from the one after the key on; nil: from the first.
func (s *Service) BlockTransactions(ctx context.Context, b *chain.Block, after *chain.TransactionKey, limit int) ([]chain.Transaction, error) {
	if b.McSeqno != 0 {
		return s.index.BlockTransactions(ctx, b.BlockID, after, limit)
	}
	page, err := s.fullBlockPage(ctx, b, after, limit)
	txs := make([]chain.Transaction, len(page))
	for i := range page {
		txs[i] = page[i].Transaction
	}
	return txs, err
}

// RawBlockTransactions is [Service.BlockTransactions] with messages and cells.
func (s *Service) RawBlockTransactions(ctx context.Context, b *chain.Block, after *chain.TransactionKey, limit int) ([]RawTransaction, error) {
	if b.McSeqno == 0 {
		return s.fullBlockPage(ctx, b, after, limit)
	}
	txs, err := s.index.BlockTransactions(ctx, b.BlockID, after, limit)
	if err != nil {
		return nil, err
	}
	return s.WithCells(ctx, txs)
}

func (s *Service) fullBlockPage(ctx context.Context, b *chain.Block, after *chain.TransactionKey, limit int) ([]RawTransaction, error) {
	w, err := s.emulator.FullBlock(ctx, b.BlockIDExt)
	if err != nil {
		return nil, err
	}
	list := w.Transactions
	if after != nil {
		first, found := slices.BinarySearchFunc(list, *after, func(t decode.Single, key chain.TransactionKey) int {
			return cmp.Or(bytes.Compare(t.Account.ID[:], key.Account.ID[:]), cmp.Compare(t.LT, key.LT))
		})
		if found {
			first++
		}
		list = list[first:]
	}
	page := make([]RawTransaction, min(limit, len(list)))
	for i := range page {
		page[i] = RawTransaction(list[i])
	}
	return page, nil
}
