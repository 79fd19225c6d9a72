package ledger

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tlb"
	"golang.org/x/sync/errgroup"

	"tonql/internal/boundedvm"
	"tonql/internal/devnet/archive"
	"tonql/internal/devnet/layout"
)

// round is a masterchain block in the making, with the shard blocks it commits.
type round struct {
	now    uint32
	shards []*shardChain // in the order of the tree
	tips   []*tip        // the shards after the round
	master *collated
	mcTip  *tip
	ref    *reference
}

// Mine makes one masterchain block with the pending messages; without any it makes an empty
// one. Rounds run one at a time. A failed round does not change the chain.
func (c *Chain) Mine(ctx context.Context) (*Block, error) {
	c.mining.Lock()
	defer c.mining.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.mu.RLock()
	closed, ref, tips, mcTip := c.closed, c.ref, c.tips, c.mcTip
	requests := c.requests.clone()
	c.mu.RUnlock()
	if closed {
		return nil, errClosed
	}

	r := &round{now: c.Now()}
	waiting := c.pool.list()
	jobs, err := c.plan(r, ref, tips, requests)
	if err != nil {
		return nil, err
	}
	if err := c.collateShards(r, jobs, append(view{mcTip}, tips...), waiting); err != nil {
		return nil, err
	}
	if err := c.collateMaster(r, ref, mcTip, waiting); err != nil {
		return nil, err
	}
	if err := c.adopt(r); err != nil {
		return nil, err
	}
	return r.master.block, nil
}

// prepare sets every job's imports and its view of the messages that other shards have
// processed.
func (v view) prepare(jobs []*job) error {
	for _, j := range jobs {
		j.delivered = v.delivered
	}
	return v.route(jobs)
}

// pick returns the waiting externals for the job's shard.
func (j *job) pick(waiting []*external) (out []*external) {
	for _, e := range waiting {
		if e.dest.Workchain() == j.wc && layout.ShardContains(j.shard, layout.AccountPrefix(e.dest.Data())) {
			out = append(out, e)
		}
	}
	return out
}

// collateShards makes the shard blocks. Shards are independent of each other.
func (c *Chain) collateShards(r *round, jobs []*job, before view, waiting []*external) error {
	r.shards = make([]*shardChain, len(jobs))
	var g errgroup.Group
	g.SetLimit(2)
	for i, j := range jobs {
		g.Go(func() (err error) {
			r.shards[i], err = c.collateChain(j, before, j.pick(waiting))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, s := range r.shards {
		r.tips = append(r.tips, s.tip)
	}
	return nil
}

// blocks returns the blocks of the round, parents first and the masterchain block last.
func (r *round) blocks() (all []*collated) {
	for _, s := range r.shards {
		all = append(all, s.blocks...)
	}
	return append(all, r.master)
}

func (c *Chain) collateMaster(r *round, ref *reference, mcTip *tip, waiting []*external) error {
	m := &masterJob{keys: c.keys}
	for _, s := range r.shards {
		m.shards = append(m.shards, s.descr())
		m.blocks += len(s.blocks)
	}
	announce(r.now, ref, m.shards)
	j := &job{
		wc: layout.Masterchain, shard: layout.FullShard, seqno: mcTip.id.SeqNo + 1,
		prev: []*tip{mcTip}, now: r.now, ref: ref, master: m,
		limits: c.limits(ref, true), createdBy: c.validator(),
	}
	j.seed = c.blockSeed(j)
	var err error
	if j.deferral, err = c.deferrals(ref, true); err != nil {
		return err
	}
	if err := (append(view{mcTip}, r.tips...)).prepare([]*job{j}); err != nil {
		return err
	}
	j.externals = j.pick(waiting)
	if r.master, err = collate(boundedvm.New(), *j); err != nil {
		return fmt.Errorf("masterchain block %d: %w", j.seqno, err)
	}
	block := r.master.block
	if r.mcTip, err = newTip(block.ID, block.EndLT, r.master.state); err != nil {
		return err
	}
	r.ref, err = newReference(r.mcTip.ref(), r.master.state, ref)
	return err
}

func (c *Chain) validator() []byte { return c.key.Public().(ed25519.PublicKey) } //nolint:errcheck // the public half of an ed25519 key is of no other type

// blockSeed returns the random seed of a block. It depends on the chain's seed and the
// block's place only, so a deterministic chain is reproducible.
func (c *Chain) blockSeed(j *job) [32]byte {
	buf := append([]byte("block seed\x00"), c.opts.Seed[:]...)
	buf = binary.BigEndian.AppendUint32(buf, uint32(j.wc))
	buf = binary.BigEndian.AppendUint64(buf, j.shard)
	buf = binary.BigEndian.AppendUint32(buf, j.seqno)
	return sha256.Sum256(buf)
}

// limits come from the config, and the number of transactions from the options.
func (c *Chain) limits(ref *reference, masterchain bool) limits {
	l := limits{txs: c.opts.MaxBlockTxs, softGas: 1 << 40, hardGas: 1 << 40, softLT: 1 << 40, hardLT: 1 << 40, softBytes: 1 << 40, hardBytes: 1 << 40}
	cfg, err := ref.params.GetBlockLimits(masterchain)
	if err != nil {
		return l
	}
	var gas, lt, size tlb.ParamLimits
	switch v := cfg.Limits.(type) {
	case tlb.BlockLimitsV1:
		gas, lt, size = v.Gas, v.LTDelta, v.Bytes
	case tlb.BlockLimitsV2:
		gas, lt, size = v.Gas, v.LTDelta, v.Bytes
	default:
		return l
	}
	l.softGas, l.hardGas = int64(gas.SoftLimit), int64(gas.HardLimit)
	l.softLT, l.hardLT = uint64(lt.SoftLimit), uint64(lt.HardLimit)
	l.softBytes, l.hardBytes = int(size.SoftLimit), int(size.HardLimit)
	return l
}

// adopt stores the round and makes it the head.
func (c *Chain) adopt(r *round) error {
	var entries []archive.Entry
	var data [][]byte
	all := r.blocks()
	for _, x := range all {
		entries = append(entries, entryOf(x.block))
		data = append(data, x.data)
	}
	stored, err := c.arch.Append(r.master.block.ID.SeqNo, entries, data)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.index.add(stored)
	for _, x := range all {
		c.blocks.add(x.block)
		c.pool.remove(x.used)
		c.states.keep(x.block.ID, x.state, r.master.block.ID.SeqNo)
	}
	c.states.trim(r.master.block.ID.SeqNo)
	c.head, c.ref, c.tips, c.mcTip = r.master.block, r.ref, r.tips, r.mcTip
	c.leftover = slices.ContainsFunc(all, func(x *collated) bool { return x.leftover })
	c.requests.settle(r.ref.shards)
	changed := c.changed
	c.changed = make(chan struct{})
	c.mu.Unlock()
	close(changed)
	c.snapshotIfDue(r, data)
	return nil
}
