package ledger

import (
	"fmt"
	"math/big"
	"slices"

	"tonql/internal/boundedvm"
	"tonql/internal/devnet/layout"
)

// MaxShardBlocks is the number of blocks that a shard can make between two masterchain
// blocks, as on mainnet.
const MaxShardBlocks = 8

// shardChain is the blocks that one shard makes in a round. Each is the parent of the next,
// and all build on the same masterchain block: of the other shards they see what that one
// has committed. The round's masterchain block commits the last one and thereby all.
type shardChain struct {
	blocks []*collated
	tip    *tip // the last block
}

func (s *shardChain) top() *collated { return s.blocks[len(s.blocks)-1] }

// descr describes the last block, with the fees of all.
func (s *shardChain) descr() *layout.ShardDescr {
	d := *s.top().descr
	d.FeesCollected, d.FundsCreated = new(big.Int), new(big.Int)
	for _, b := range s.blocks {
		d.FeesCollected.Add(d.FeesCollected, b.descr.FeesCollected)
		d.FundsCreated.Add(d.FundsCreated, b.descr.FundsCreated)
	}
	return &d
}

// collateChain makes the blocks of one shard, from its first job of the round. before has the
// newest blocks before the round, waiting the external messages to the shard. The messages
// are spread over the blocks, as if they had arrived while those were made.
func (c *Chain) collateChain(first *job, before view, waiting []*external) (*shardChain, error) {
	s := &shardChain{}
	depth, splits := c.opts.ShardBlocks, first.beforeSplit
	for n, j := 0, first; ; n++ {
		last := n == depth-1
		j.beforeSplit = splits && last
		j.externals = waiting[:(len(waiting)+depth-n-1)/(depth-n)]
		j.seed = c.blockSeed(j)
		if err := before.prepare([]*job{j}); err != nil {
			return nil, err
		}
		out, err := collate(boundedvm.New(), *j)
		if err != nil {
			return nil, fmt.Errorf("block (%d,%016x,%d): %w", j.wc, j.shard, j.seqno, err)
		}
		s.blocks = append(s.blocks, out)
		if s.tip, err = newTip(out.block.ID, out.block.EndLT, out.state); err != nil {
			return nil, err
		}
		if last {
			return s, nil
		}
		waiting = without(waiting, out.used)
		next := *first
		next.seqno, next.prev, next.afterSplit, next.imports = j.seqno+1, []*tip{s.tip}, false, nil
		j, before = &next, before.with(s.tip)
	}
}

// without returns the messages that are not in used, in their order.
func without(all, used []*external) []*external {
	gone := make(map[*external]bool, len(used))
	for _, e := range used {
		gone[e] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(e *external) bool { return gone[e] })
}

// with returns the view with a newer block of a shard. Blocks of its parent shard or of its
// halves stay: messages of the other half still wait there.
func (v view) with(own *tip) view {
	out := slices.DeleteFunc(slices.Clone(v), func(t *tip) bool {
		return t.id.Workchain == own.id.Workchain && t.id.Shard == own.id.Shard
	})
	return append(out, own)
}

// supersedes reports whether the job's parents, later blocks than the source, have a message
// of the source's queue in their own queue or have removed it: the message was sent in the
// job's shard.
func (j *job) supersedes(source *tip, m layout.Queued) (bool, error) {
	if source.id.Workchain != j.wc || slices.Contains(j.prev, source) ||
		!layout.ShardIsAncestor(source.shard(), j.shard) && !layout.ShardIsAncestor(j.shard, source.shard()) {
		return false, nil
	}
	wc, prefix, err := layout.MessageSource(m.Envelope)
	return wc == j.wc && layout.ShardContains(j.shard, prefix), err
}
