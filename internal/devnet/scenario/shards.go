package scenario

import (
	"tonql/internal/devnet/layout"
)

// The cycle of splits and merges, as fractions of its period: the basechain splits, in every second cycle its left half
// splits again and merges back, and finally both halves merge.
const (
	splitAt      = 30 // percent
	splitLeftAt  = 45
	mergeLeftAt  = 62
	mergeAt      = 80
	shardRetries = 5 // blocks between two requests for the same change
)

// shape is the required division of the basechain.
type shape struct{ halves, leftQuarters bool }

func wantedShape(mcSeqno, period uint32) shape {
	percent := mcSeqno % period * 100 / period
	odd := mcSeqno/period%2 == 1
	return shape{
		halves:       percent >= splitAt && percent < mergeAt,
		leftQuarters: odd && percent >= splitLeftAt && percent < mergeLeftAt,
	}
}

// reshape requests the change that leads towards the required shape. A change takes some blocks, and a repeated request
// is harmless. Other shapes, for example of a chain that started with more shards, are left unchanged.
func (t *batch) reshape(period uint32) error {
	if !t.crosses(shardRetries, 0) {
		return nil
	}
	want := wantedShape(t.last, period)
	left, right := layout.ShardChildren(layout.FullShard)
	leftLeft, leftRight := layout.ShardChildren(left)
	switch {
	case t.shardsAre(layout.FullShard) && want.halves:
		return t.chain.RequestSplit(layout.Basechain, shardID(layout.FullShard))
	case t.shardsAre(left, right) && want.leftQuarters:
		return t.chain.RequestSplit(layout.Basechain, shardID(left))
	case t.shardsAre(left, right) && !want.halves:
		return t.chain.RequestMerge(layout.Basechain, shardID(layout.FullShard))
	case t.shardsAre(leftLeft, leftRight, right) && !want.leftQuarters:
		return t.chain.RequestMerge(layout.Basechain, shardID(left))
	}
	return nil
}

// shardID returns a shard as in block ids: signed.
func shardID(shard uint64) int64 { return int64(shard) }

func (t *batch) shardsAre(want ...uint64) bool {
	if len(t.shards) != len(want) {
		return false
	}
	for i, d := range t.shards {
		if d.Shard != want[i] {
			return false
		}
	}
	return true
}
