package batch

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

const deleteDigests = `DELETE FROM range_digests WHERE number = ANY($1)`

// Outdated are the numbers of the ranges whose digests a transaction has deleted, because it changes their rows.
type Outdated map[int64]bool

// Queue queues the deletion of the digests of masterchain blocks, except those that are deleted already.
func (o Outdated) Queue(b *pgx.Batch, seqnos ...uint32) {
	var numbers []int64
	for _, seqno := range seqnos {
		if n := int64(seqno / chain.DigestBlocks); !o[n] {
			o[n] = true
			numbers = append(numbers, n)
		}
	}
	if len(numbers) > 0 {
		slices.Sort(numbers)
		b.Queue(deleteDigests, numbers)
	}
}

// QueueBlocks queues the deletion of the digests of the blocks of a batch, and of those that committed the states of its contracts.
func (o Outdated) QueueBlocks(b *pgx.Batch, blocks []*chain.MasterBlock) {
	for _, mb := range blocks {
		o.Queue(b, mb.Block.Seqno)
		for i := range mb.Contracts {
			o.Queue(b, mb.Contracts[i].McSeqno)
		}
	}
}
