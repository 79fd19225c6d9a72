package batch

import (
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Batch is the work of one database transaction of the writer. All steps of the transaction share it.
type Batch struct {
	Tx     pgx.Tx // nil until the transaction begins
	Copies *sqlbuild.CopyBuffer
	Blocks []*chain.MasterBlock
	// Before and After are the indexed ranges before and after the transaction.
	Before, After []chain.SeqnoRange
	// Dropped reports whether blocks before the indexed ones were dropped. Rows of traces that end later are left of them.
	Dropped bool
	// Outdated are the digests that the transaction has deleted.
	Outdated Outdated
	// Careful assumes nothing except that the transactions of the batch are new.
	Careful bool
	// Forced lets a detection about the stored state take its place, whatever was detected later.
	Forced bool
}

// LaterIndexed reports whether a block after the oldest one of the batch may be indexed. Only then can a row exist that a
// later block has written.
func (b *Batch) LaterIndexed() bool {
	n := len(b.Before)
	return b.Careful || n > 0 && b.Before[n-1].Last > lowest(b.Blocks)
}

// EarlierIndexed reports whether a block before the newest one of the batch may have been indexed. Only then can a row exist that
// an earlier block has written.
func (b *Batch) EarlierIndexed() bool {
	return b.Careful || b.Dropped || len(b.Before) > 0 && b.Before[0].First < Highest(b.Blocks)
}

func lowest(blocks []*chain.MasterBlock) uint32 {
	seqno := blocks[0].Block.Seqno
	for _, b := range blocks {
		seqno = min(seqno, b.Block.Seqno)
	}
	return seqno
}

// Highest returns the highest seqno of blocks, 0 without blocks.
func Highest(blocks []*chain.MasterBlock) uint32 {
	var seqno uint32
	for _, b := range blocks {
		seqno = max(seqno, b.Block.Seqno)
	}
	return seqno
}
