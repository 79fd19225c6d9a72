package ledger

import (
	"fmt"
	"maps"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// A split takes three rounds: the shard announces it (want_split, and the
// masterchain sets a date), makes its last block (before_split), and its halves
// begin. A merge takes three as well: both halves announce it, the masterchain
// marks them (before_merge), and the next block has both as parents. Between the
// steps the masterchain state contains all that is needed, so a closed chain resumes at
// any step.

// changeWindow is the time, in seconds, the masterchain allows for a split or merge.
const changeWindow = 100

// requests are requested splits and merges that no block has announced yet.
type requests struct {
	split map[uint64]bool // by shard
	merge map[uint64]bool // by parent
}

func (r requests) clone() requests {
	return requests{split: maps.Clone(r.split), merge: maps.Clone(r.merge)}
}

// settle drops the requests that the masterchain has scheduled.
func (r requests) settle(shards []*layout.ShardDescr) {
	for _, d := range shards {
		if d.FutureSplit != nil {
			delete(r.split, d.Shard)
		}
		if d.FutureMerge != nil {
			delete(r.merge, layout.ShardParent(d.Shard))
		}
	}
}

// RequestSplit requests the split of a shard, which takes the next three rounds.
func (c *Chain) RequestSplit(wc int32, shard int64) error {
	s := uint64(shard)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.hasShard(wc, s) {
		return noShard(wc, s)
	}
	if layout.ShardDepth(s) >= genesis.MaxSplit {
		return &chain.Error{Kind: chain.Invalid, Message: fmt.Sprintf("shard %016x cannot be split further", s)}
	}
	c.requests.split[s] = true
	return nil
}

// RequestMerge requests the merge of the two halves of a shard.
func (c *Chain) RequestMerge(wc int32, parent int64) error {
	left, right := layout.ShardChildren(uint64(parent))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, half := range []uint64{left, right} {
		if !c.hasShard(wc, half) {
			return noShard(wc, half)
		}
	}
	c.requests.merge[uint64(parent)] = true
	return nil
}

func noShard(wc int32, shard uint64) error {
	return &chain.Error{Kind: chain.NotFound, Message: fmt.Sprintf("there is no shard (%d,%016x) now", wc, shard)}
}

func (c *Chain) hasShard(wc int32, shard uint64) bool {
	return slices.ContainsFunc(c.tips, func(t *tip) bool { return t.id.Workchain == wc && t.shard() == shard })
}

// plan decides which shard blocks a round makes.
func (c *Chain) plan(r *round, ref *reference, tips []*tip, requested requests) ([]*job, error) {
	deferral, err := c.deferrals(ref, false)
	if err != nil {
		return nil, err
	}
	states := map[uint64]*layout.ShardDescr{}
	for _, d := range ref.shards {
		states[d.Shard] = d
	}
	var jobs []*job
	for i := 0; i < len(tips); i++ {
		t := tips[i]
		d := states[t.shard()]
		if d == nil { // the basechain's zerostate
			d = &layout.ShardDescr{}
		}
		switch {
		case d.BeforeSplit:
			left, right := layout.ShardChildren(t.shard())
			for _, half := range []uint64{left, right} {
				jobs = append(jobs, &job{shard: half, seqno: t.id.SeqNo + 1, prev: []*tip{t}, afterSplit: true})
			}
		case d.BeforeMerge:
			sibling := tips[i+1] // halves lie side by side, left first
			jobs = append(jobs, &job{
				shard: layout.ShardParent(t.shard()), seqno: max(t.id.SeqNo, sibling.id.SeqNo) + 1,
				prev: []*tip{t, sibling},
			})
			i++
		default:
			jobs = append(jobs, &job{shard: t.shard(), seqno: t.id.SeqNo + 1, prev: []*tip{t}, beforeSplit: d.FutureSplit != nil, wantMerge: d.FutureMerge != nil})
		}
	}
	for _, j := range jobs {
		j.wc, j.now, j.ref = layout.Basechain, r.now, ref
		j.limits, j.deferral = c.limits(ref, false), deferral
		j.createdBy = c.validator()
		j.wantSplit = !j.beforeSplit && (requested.split[j.shard] || c.settling(ref, j.shard))
		j.wantMerge = j.wantMerge || requested.merge[layout.ShardParent(j.shard)] && !j.wantSplit && !j.beforeSplit && len(j.prev) == 1
	}
	return jobs, nil
}

// settling reports whether the shard must split because the chain is new and
// Options.InitialSplit is not reached.
func (c *Chain) settling(ref *reference, shard uint64) bool {
	depth := c.opts.InitialSplit
	return layout.ShardDepth(shard) < depth && ref.block.SeqNo < uint32(3*depth)
}

// announce completes the shard descriptions: the times of requested changes, and the mark
// that both halves are ready to merge.
func announce(utime uint32, ref *reference, shards []*layout.ShardDescr) {
	was := map[uint64]*layout.ShardDescr{}
	for _, d := range ref.shards {
		was[d.Shard] = d
	}
	now := map[uint64]*layout.ShardDescr{}
	for _, d := range shards {
		now[d.Shard] = d
	}
	for shard, d := range now {
		switch sibling := now[layout.ShardSibling(shard)]; {
		case d.WantSplit:
			d.FutureSplit = &layout.FutureChange{Utime: utime, Interval: changeWindow}
		case d.WantMerge && sibling != nil && sibling.WantMerge:
			d.FutureMerge = &layout.FutureChange{Utime: utime, Interval: changeWindow}
			old := was[shard]
			d.BeforeMerge = old != nil && old.FutureMerge != nil
		}
	}
}
