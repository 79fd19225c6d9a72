package transactions

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// BlockKeys are the three columns of block ids.
type BlockKeys struct {
	Workchains []int32
	Shards     []int64
	Seqnos     []int64
}

// NewBlockKeys returns the columns of ids.
func NewBlockKeys(ids []chain.BlockID) BlockKeys {
	k := BlockKeys{make([]int32, len(ids)), make([]int64, len(ids)), make([]int64, len(ids))}
	for i, id := range ids {
		k.Workchains[i], k.Shards[i], k.Seqnos[i] = id.Workchain, int64(id.Shard), int64(id.Seqno)
	}
	return k
}

// RequireShard ends a walk before it begins when the index holds no block of that workchain or shard at all.
func RequireShard(s *sqlbuild.Statement, workchain *int32, shard *chain.Shard) {
	switch {
	case workchain != nil && shard != nil:
		s.And("EXISTS (SELECT 1 FROM blocks e WHERE e.workchain = ? AND e.shard = ?)", *workchain, int64(*shard))
	case workchain != nil:
		s.And("EXISTS (SELECT 1 FROM blocks e WHERE e.workchain = ?)", *workchain)
	case shard != nil:
		s.And("EXISTS (SELECT 1 FROM blocks e WHERE e.workchain = ANY('{-1,0}') AND e.shard = ?)", int64(*shard))
	}
}
