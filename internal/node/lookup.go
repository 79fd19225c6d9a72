package node

import (
	"context"
	"fmt"
	"sync"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
)

// Modes of a look-up.
const (
	bySeqno = 1
	byLT    = 2
	byUtime = 4
)

// narrowest is the last bit that the name of a shard can end with.
const narrowest = 8

// FindBlock finds a block by seqno, LT or time. It accepts a server's result when the block is part of the chain and
// matches the search, and the block before it does not.
func (c *Client) FindBlock(ctx context.Context, q chain.BlockSearch) (chain.BlockIDExt, error) {
	if q.Seqno == nil {
		q.Shard |= narrowest // the accounts in the middle of the shard, so that servers cannot choose among several
	}
	lookup := ton.LookupBlock{ID: &ton.BlockInfoShort{Workchain: q.Workchain, Shard: int64(q.Shard)}}
	w := want{what: fmt.Sprintf("block of shard %d:%s that is looked up", q.Workchain, q.Shard&^narrowest)}
	switch {
	case q.Seqno != nil:
		lookup.Mode, lookup.ID.Seqno = bySeqno, int32(*q.Seqno)
	case q.LT != nil:
		lookup.Mode, lookup.LT = byLT, *q.LT
	case q.Utime != nil:
		lookup.Mode, lookup.UTime = byUtime, *q.Utime
	default:
		return chain.BlockIDExt{}, chain.Invalidf("a block is looked up by seqno, LT or time")
	}
	if q.Workchain == chain.MasterchainID && q.Seqno != nil {
		return c.MasterBlockID(ctx, *q.Seqno)
	}
	claims := &claims{}
	id, err := query(ctx, c.pool, w, func(ctx context.Context, s *server) (chain.BlockIDExt, error) {
		found, err := call[ton.BlockHeader](ctx, s, lookup)
		if err != nil {
			return chain.BlockIDExt{}, err
		}
		id := fromTL(found.ID)
		if err = c.proveBlock(ctx, s, id); err == nil {
			err = matchesSearch(ctx, s, q, id)
		}
		claims.note(s, id, err)
		return id, err
	})
	if err == nil {
		claims.settle(w, id)
	}
	return id, err
}

// claims are the blocks that servers returned without proof.
type claims struct {
	mu sync.Mutex
	by map[*server]chain.BlockIDExt
}

func (c *claims) note(s *server, id chain.BlockIDExt, err error) {
	if !declined(err) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[*server]chain.BlockIDExt{}
	}
	c.by[s] = id
}

// settle blames the servers whose claim turned out to be another block than the one proven.
func (c *claims) settle(w want, proven chain.BlockIDExt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for s, claim := range c.by {
		if claim != proven {
			s.blame(w, lie(nil, "looked up %s and found one that does not exist", w.what))
		}
	}
}

// proveBlock proves that id is a block of the chain, of any shard.
func (c *Client) proveBlock(ctx context.Context, s *server, id chain.BlockIDExt) error {
	if id.IsMaster() {
		return c.trust.prove(ctx, s, id)
	}
	_, err := c.shardProof(ctx, s, id)
	return err
}

// matchesSearch checks that a block of the chain is the one that was searched for.
func matchesSearch(ctx context.Context, s *server, q chain.BlockSearch, id chain.BlockIDExt) error {
	wrong := func() error { return lie(nil, "looked a block up and found %s, which is another", id.BlockID) }
	if id.Workchain != q.Workchain || !overlap(id.Shard, q.Shard) {
		return wrong()
	}
	if q.Seqno != nil {
		if id.Seqno != *q.Seqno {
			return wrong()
		}
		return nil
	}
	h, err := header(ctx, s, id)
	if err != nil {
		return err
	}
	if !reaches(h, q) {
		return wrong()
	}
	parents, err := ton.GetParentBlocks(h)
	if err != nil {
		return lie(err, "returned a header without the blocks before")
	}
	for _, p := range parents {
		parent := fromTL(p)
		if parent.Seqno == 0 || !overlap(parent.Shard, q.Shard) {
			continue
		}
		before, err := header(ctx, s, parent)
		if err != nil {
			return err
		}
		if reaches(before, q) && !exact(before, q) {
			return wrong()
		}
	}
	return nil
}

// reaches reports whether a block ends at or after the LT, or was generated at or after the time, of the search.
func reaches(h *tlb.BlockHeader, q chain.BlockSearch) bool {
	if q.LT != nil {
		return h.EndLt >= *q.LT
	}
	return h.GenUtime >= *q.Utime
}

// exact reports whether a block ends exactly where the search begins: then the block after it matches the search, too.
func exact(h *tlb.BlockHeader, q chain.BlockSearch) bool {
	if q.LT != nil {
		return h.EndLt == *q.LT
	}
	return h.GenUtime == *q.Utime
}

// overlap reports whether one of two shards contains the other.
func overlap(a, b chain.Shard) bool {
	low := max(uint64(a)&-uint64(a), uint64(b)&-uint64(b))
	return uint64(a^b)&^(low<<1-1) == 0
}
