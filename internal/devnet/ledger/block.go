package ledger

import (
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Block is one produced block. It is immutable: callers share it freely.
type Block struct {
	ID   ton.BlockIDExt
	Root *cell.Cell
	Data []byte // the BoC whose SHA-256 is ID.FileHash

	StartLT, EndLT uint64
	GenUtime       uint32
	// McSeqno is the masterchain block that committed this block; for a
	// masterchain block its own seqno.
	McSeqno  uint32
	KeyBlock bool
	// Prev lists the parents: two after a merge, otherwise one.
	Prev []ton.BlockIDExt
}
