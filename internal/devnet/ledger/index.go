package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/archive"
	"tonql/internal/devnet/layout"
)

// shardKey names a shard, blockKey a block.
type shardKey struct {
	wc    int32
	shard uint64
}

type blockKey struct {
	shardKey
	seqno uint32
}

func keyOf(id ton.BlockIDExt) blockKey {
	return blockKey{shardKey{id.Workchain, uint64(id.Shard)}, id.SeqNo}
}

// index finds blocks in the archive. Within a shard seqno, end LT and time all
// grow, so one ordered list serves every lookup.
type index struct {
	rounds []archive.Round               // by seqno, from 1
	shards map[shardKey][]*archive.Entry // the entries of rounds, by shard
}

func newIndex() *index { return &index{shards: map[shardKey][]*archive.Entry{}} }

func (x *index) add(r archive.Round) {
	for i := range r.Entries {
		e := &r.Entries[i]
		k := shardKey{e.Workchain, e.Shard}
		x.shards[k] = append(x.shards[k], e)
	}
	x.rounds = append(x.rounds, r)
}

// addChecked is add for rounds read from disk.
func (x *index) addChecked(r archive.Round) error {
	if int(r.Seqno) != len(x.rounds)+1 {
		return fmt.Errorf("round %d follows round %d", r.Seqno, len(x.rounds))
	}
	x.add(r)
	return nil
}

func (x *index) bySeqno(k blockKey) (archive.Entry, bool) {
	list := x.shards[k.shardKey]
	i, ok := slices.BinarySearchFunc(list, k.seqno, func(e *archive.Entry, seqno uint32) int { return compare(e.Seqno, seqno) })
	if !ok {
		return archive.Entry{}, false
	}
	return *list[i], true
}

// first finds, among all shards that intersect the given one, the earliest block
// for which reached is true; reached must be monotonic along a shard.
func (x *index) first(wc int32, shard uint64, reached func(archive.Entry) bool) (archive.Entry, bool) {
	var best archive.Entry
	found := false
	for k, list := range x.shards {
		if k.wc != wc || !layout.ShardIsAncestor(k.shard, shard) && !layout.ShardIsAncestor(shard, k.shard) {
			continue
		}
		i, _ := slices.BinarySearchFunc(list, true, func(e *archive.Entry, _ bool) int {
			if reached(*e) {
				return 1
			}
			return -1
		})
		if i == len(list) {
			continue
		}
		if e := *list[i]; !found || e.EndLT < best.EndLT || e.EndLT == best.EndLT && e.Shard < best.Shard {
			best, found = e, true
		}
	}
	return best, found
}

func compare[T uint32 | uint64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

func entryOf(b *Block) archive.Entry {
	return archive.Entry{
		Workchain: b.ID.Workchain, Shard: uint64(b.ID.Shard), Seqno: b.ID.SeqNo, McSeqno: b.McSeqno,
		GenUtime: b.GenUtime, StartLT: b.StartLT, EndLT: b.EndLT,
		RootHash: [32]byte(b.ID.RootHash), FileHash: [32]byte(b.ID.FileHash),
	}
}

func notFound(format string, args ...any) error {
	return &chain.Error{Kind: chain.NotFound, Message: "no " + fmt.Sprintf(format, args...)}
}

// IsNotFound reports whether an error means that there is no such block or state.
func IsNotFound(err error) bool {
	var e *chain.Error
	return errors.As(err, &e) && e.Kind == chain.NotFound
}

func isNoSuchKey(err error) bool { return errors.Is(err, cell.ErrNoSuchKeyInDict) }

// Block finds a block by its place. Hashes of the id are compared unless empty.
func (c *Chain) Block(id ton.BlockIDExt) (*Block, error) {
	b, err := c.BySeqno(id.Workchain, id.Shard, id.SeqNo)
	if err != nil {
		return nil, err
	}
	if len(id.RootHash) > 0 && !bytes.Equal(id.RootHash, b.ID.RootHash) || len(id.FileHash) > 0 && !bytes.Equal(id.FileHash, b.ID.FileHash) {
		return nil, notFound("block %s with these hashes", blockName(id))
	}
	return b, nil
}

// BySeqno finds the block of exactly this shard.
func (c *Chain) BySeqno(wc int32, shard int64, seqno uint32) (*Block, error) {
	k := blockKey{shardKey{wc, uint64(shard)}, seqno}
	c.mu.RLock()
	e, ok := c.index.bySeqno(k)
	c.mu.RUnlock()
	if !ok {
		return nil, notFound("block (%d,%016x,%d)", wc, uint64(shard), seqno)
	}
	return c.load(e)
}

// ByLT finds the first block whose end LT is lt or later, in any shard that
// covers or lies in the given one. Shard may be an account prefix.
func (c *Chain) ByLT(wc int32, shard int64, lt uint64) (*Block, error) {
	return c.firstBlock(wc, shard, func(e archive.Entry) bool { return e.EndLT >= lt }, "lt", lt)
}

// ByUtime finds the first block made at utime or later.
func (c *Chain) ByUtime(wc int32, shard int64, utime uint32) (*Block, error) {
	return c.firstBlock(wc, shard, func(e archive.Entry) bool { return e.GenUtime >= utime }, "utime", uint64(utime))
}

func (c *Chain) firstBlock(wc int32, shard int64, reached func(archive.Entry) bool, by string, value uint64) (*Block, error) {
	c.mu.RLock()
	e, ok := c.index.first(wc, uint64(shard), reached)
	c.mu.RUnlock()
	if !ok {
		return nil, notFound("block of (%d,%016x) with %s %d or later", wc, uint64(shard), by, value)
	}
	return c.load(e)
}

// Committed returns the shard blocks that a masterchain block commits, in the order of the
// shard tree.
func (c *Chain) Committed(mcSeqno uint32) ([]*Block, error) {
	c.mu.RLock()
	var entries []archive.Entry
	if mcSeqno >= 1 && int(mcSeqno) <= len(c.index.rounds) {
		entries = c.index.rounds[mcSeqno-1].Entries
	}
	c.mu.RUnlock()
	if entries == nil {
		return nil, notFound("masterchain block %d", mcSeqno)
	}
	var out []*Block
	for _, e := range entries {
		if e.Workchain == layout.Masterchain {
			continue
		}
		b, err := c.load(e)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// load reads a block from the cache or the archive.
func (c *Chain) load(e archive.Entry) (*Block, error) {
	if b, ok := c.blocks.get(blockKey{shardKey{e.Workchain, e.Shard}, e.Seqno}); ok {
		return b, nil
	}
	b, err := c.read(e)
	if err != nil {
		return nil, err
	}
	c.blocks.add(b)
	return b, nil
}

// read is load without the cache.
func (c *Chain) read(e archive.Entry) (*Block, error) {
	data, err := c.arch.Read(e)
	if err != nil {
		return nil, err
	}
	b, err := parseBlock(data)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(b.ID.FileHash, e.FileHash[:]) || !bytes.Equal(b.ID.RootHash, e.RootHash[:]) {
		return nil, &chain.Error{Kind: chain.Internal, Message: fmt.Sprintf("stored block %s has other hashes than recorded", blockName(b.ID))}
	}
	b.McSeqno = e.McSeqno
	return b, nil
}
