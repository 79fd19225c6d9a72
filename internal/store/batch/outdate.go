package batch

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

const (
	deleteDigests = `DELETE FROM range_digests WHERE number = ANY($1)`
	// Sums of the first blocks of a range do not change when later ones are added.
	deleteDays = `DELETE FROM day_ranges d USING unnest($1::bigint[]) s(seqno)
		WHERE d.number = s.seqno / $2 AND s.seqno <= greatest(d.target, d.last)`
)

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

// QueueBlocks queues the deletion of the digests and of the sums per day of the blocks of a batch, and of those that committed the
// states of its contracts.
func (o Outdated) QueueBlocks(b *pgx.Batch, blocks []*chain.MasterBlock) {
	lowest := map[int64]int64{}
	add := func(seqno uint32) {
		n := int64(seqno / chain.DigestBlocks)
		if low, ok := lowest[n]; !ok || int64(seqno) < low {
			lowest[n] = int64(seqno)
		}
	}
	for _, mb := range blocks {
		o.Queue(b, mb.Block.Seqno)
		add(mb.Block.Seqno)
		for i := range mb.Contracts {
			o.Queue(b, mb.Contracts[i].McSeqno)
			add(mb.Contracts[i].McSeqno)
		}
	}
	seqnos := make([]int64, 0, len(lowest))
	for _, seqno := range lowest {
		seqnos = append(seqnos, seqno)
	}
	slices.Sort(seqnos)
	b.Queue(deleteDays, seqnos, int64(chain.DigestBlocks))
}
