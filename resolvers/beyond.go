package resolvers

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// What lies before the index begins, or in a gap of it, is asked from the node, proven, and read by the indexer's own
// decoder. A block read so has no McSeqno: which masterchain block committed it is not asked.

// keptWhole is how many whole blocks of the node are kept: pages of one block are asked one after the other.
const (
	keptWhole      = 16
	keptWholeBytes = 16 << 20 // of the BoCs of their transactions; decoded they take several times as much
)

// whole is a block of the node.
type whole struct {
	block   chain.Block
	parents []chain.BlockIDExt
	txs     []RawTransaction // by account id, then LT
}

// wholeBlock reads a block of the node.
func (x *executor) wholeBlock(ctx context.Context, id chain.BlockIDExt) (*whole, error) {
	if w, ok := x.wholes.Get(id.RootHash); ok {
		return w, nil
	}
	return shared(ctx, &x.calls, "block "+id.String(), func(ctx context.Context) (*whole, error) {
		raw, err := x.svc.node.Block(ctx, id)
		if err != nil {
			return nil, err
		}
		header, list, err := decode.Block(raw)
		if err != nil {
			return nil, err
		}
		w, size := &whole{block: header.Block, parents: header.Parents}, 0
		for i := range list {
			size += len(list[i].BOC)
			w.txs = append(w.txs, RawTransaction{FullTransaction: list[i].FullTransaction, BOC: list[i].BOC})
		}
		x.wholes.Add(id.RootHash, w, size)
		return w, nil
	})
}

// viewOfNode is a masterchain block and its shards as the node tells them.
func (x *executor) viewOfNode(ctx context.Context, seqno uint32) (*view, error) {
	id, err := x.svc.node.MasterBlockID(ctx, seqno)
	if err != nil {
		return nil, err
	}
	tops, err := x.svc.node.Shards(ctx, id)
	if err != nil {
		return nil, err
	}
	tops = slices.DeleteFunc(tops, func(top chain.BlockIDExt) bool { return top.Seqno == 0 })
	v := &view{shards: make([]chain.Block, 1+len(tops)), beyond: true}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for i, id := range append(tops, id) {
		group.Go(func() error {
			w, err := x.wholeBlock(ctx, id)
			if err == nil {
				v.shards[i] = w.block
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("masterchain block %d: %w", seqno, err)
	}
	v.master = v.shards[len(tops)]
	return v, nil
}

// FindBlock looks a block up by place and seqno, LT or time, in the index and then at the node.
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
	w, err := s.exec.wholeBlock(ctx, id)
	if err != nil {
		return nil, err
	}
	return &w.block, nil
}

// ahead says that a search is for what comes after the newest indexed block, where the node need not be asked.
func (s *Service) ahead(ctx context.Context, q chain.BlockSearch) (error, bool) {
	v, err := s.exec.view(ctx, nil)
	if err != nil {
		return err, false
	}
	known := false
	for i := range v.shards {
		b := &v.shards[i]
		if b.Workchain != q.Workchain {
			continue
		}
		known = true
		if q.Seqno != nil && *q.Seqno <= b.Seqno || q.LT != nil && *q.LT <= b.EndLT || q.Utime != nil && *q.Utime <= b.GenUtime {
			return nil, false
		}
	}
	return nil, known
}

// findIndexed looks a block up in the index; NotFound also when an earlier block that the index lacks could be the answer.
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

// firstOf finds the first block that matches f whose shard holds the prefix that shard stands for.
func (s *Service) firstOf(ctx context.Context, f chain.BlockFilter, shard chain.Shard, sort chain.Sort) (*chain.Block, error) {
	var prefix chain.Hash
	for i := range 8 {
		prefix[i] = byte(shard >> (56 - 8*i))
	}
	const rows, pages = 64, 8 // far more blocks than shards have at one time
	for page := range pages {
		blocks, err := s.Blocks(ctx, f, chain.Page{Limit: rows, Offset: page * rows, Sort: sort})
		if err != nil {
			return nil, err
		}
		for i := range blocks {
			if blocks[i].Shard == shard || blocks[i].Shard.Contains(prefix) {
				return &blocks[i], nil
			}
		}
		if len(blocks) < rows {
			break
		}
	}
	return nil, notIndexed()
}

func notIndexed() error { return chain.NotFoundf("the block is not in the index") }

// follows passes a block on when the index holds what it follows, or nothing comes before it.
func (s *Service) follows(ctx context.Context, b *chain.Block, err error) (*chain.Block, error) {
	if err != nil {
		return nil, err
	}
	before, err := s.index.BlocksByID(ctx, b.PrevBlocks)
	if err != nil {
		return nil, err
	}
	for _, prev := range b.PrevBlocks {
		if prev.Seqno > 0 && !slices.ContainsFunc(before, func(known chain.Block) bool { return known.BlockID == prev }) {
			return nil, notIndexed()
		}
	}
	return b, nil
}

// ShardTops names the newest block of every shard but the masterchain's after a masterchain block, from left to right as
// the chain has them.
func (s *Service) ShardTops(ctx context.Context, seqno uint32) ([]chain.BlockIDExt, error) {
	tops, err := s.index.ShardTops(ctx, seqno)
	if err != nil || len(tops) > 0 {
		slices.SortFunc(tops, func(a, b chain.BlockIDExt) int { return a.Compare(b.BlockID) })
		return tops, err
	}
	v, err := s.exec.view(ctx, &seqno)
	if err != nil {
		return nil, err
	}
	if !v.beyond {
		return nil, nil
	}
	return s.node.Shards(ctx, v.master.BlockIDExt)
}

// BlockTransactions lists up to limit transactions of a block that [Service.FindBlock] found, by account id, then LT,
// from the one after the key on; nil: from the first.
func (s *Service) BlockTransactions(ctx context.Context, b *chain.Block, after *chain.TransactionKey, limit int) ([]chain.Transaction, error) {
	if b.McSeqno != 0 {
		return s.index.BlockTransactions(ctx, b.BlockID, after, limit)
	}
	page, err := s.pageOfWhole(ctx, b, after, limit)
	txs := make([]chain.Transaction, len(page))
	for i := range page {
		txs[i] = page[i].Transaction
	}
	return txs, err
}

// RawBlockTransactions is [Service.BlockTransactions] with messages and cells.
func (s *Service) RawBlockTransactions(ctx context.Context, b *chain.Block, after *chain.TransactionKey, limit int) ([]RawTransaction, error) {
	if b.McSeqno == 0 {
		return s.pageOfWhole(ctx, b, after, limit)
	}
	txs, err := s.index.BlockTransactions(ctx, b.BlockID, after, limit)
	if err != nil {
		return nil, err
	}
	return s.WithCells(ctx, txs)
}

func (s *Service) pageOfWhole(ctx context.Context, b *chain.Block, after *chain.TransactionKey, limit int) ([]RawTransaction, error) {
	w, err := s.exec.wholeBlock(ctx, b.BlockIDExt)
	if err != nil {
		return nil, err
	}
	list := w.txs
	if after != nil {
		first, found := slices.BinarySearchFunc(list, *after, func(t RawTransaction, key chain.TransactionKey) int {
			return cmp.Or(bytes.Compare(t.Account.ID[:], key.Account.ID[:]), cmp.Compare(t.LT, key.LT))
		})
		if found {
			first++
		}
		list = list[first:]
	}
	return list[:min(limit, len(list))], nil
}
