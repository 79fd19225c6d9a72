package layout

import (
	"encoding/binary"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Records of InMsgDescr and OutMsgDescr. Both dictionaries are keyed by the
// hash of the message itself, not of its envelope.

// ImportExternal is msg_import_ext: an external message and its transaction.
func ImportExternal(msg, tx *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b000, 3).MustStoreRef(msg).MustStoreRef(tx).EndCell()
}

// ImportImmediate is msg_import_imm: processed in the block that created it.
func ImportImmediate(envelope, tx *cell.Cell, fee *big.Int) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b011, 3).MustStoreRef(envelope).MustStoreRef(tx).MustStoreBigCoins(fee).EndCell()
}

// ImportFinal is msg_import_fin: taken from a queue and processed.
func ImportFinal(envelope, tx *cell.Cell, fee *big.Int) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b100, 3).MustStoreRef(envelope).MustStoreRef(tx).MustStoreBigCoins(fee).EndCell()
}

// ImportDeferredFinal is msg_import_deferred_fin: taken from the dispatch queue and processed.
func ImportDeferredFinal(envelope, tx *cell.Cell, fee *big.Int) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b00100, 5).MustStoreRef(envelope).MustStoreRef(tx).MustStoreBigCoins(fee).EndCell()
}

// ImportDeferredTransit is msg_import_deferred_tr: taken from the dispatch queue and added to
// the out-queue, in another envelope.
func ImportDeferredTransit(from, to *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b00101, 5).MustStoreRef(from).MustStoreRef(to).EndCell()
}

// ExportExternal is msg_export_ext: an external-out message.
func ExportExternal(msg, tx *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b000, 3).MustStoreRef(msg).MustStoreRef(tx).EndCell()
}

// ExportImmediate is msg_export_imm, the counterpart of ImportImmediate.
func ExportImmediate(envelope, tx, imported *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b010, 3).MustStoreRef(envelope).MustStoreRef(tx).MustStoreRef(imported).EndCell()
}

// ExportNew is msg_export_new: added to the out-queue.
func ExportNew(envelope, tx *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b001, 3).MustStoreRef(envelope).MustStoreRef(tx).EndCell()
}

// ExportNewDefer is msg_export_new_defer: added to the dispatch queue.
func ExportNewDefer(envelope, tx *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b10100, 5).MustStoreRef(envelope).MustStoreRef(tx).EndCell()
}

// ExportDeferredTransit is msg_export_deferred_tr, the counterpart of ImportDeferredTransit.
func ExportDeferredTransit(envelope, imported *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b10101, 5).MustStoreRef(envelope).MustStoreRef(imported).EndCell()
}

// ExportDequeueImmediate is msg_export_deq_imm: the shard processed a message of
// its own queue.
func ExportDequeueImmediate(envelope, imported *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b100, 3).MustStoreRef(envelope).MustStoreRef(imported).EndCell()
}

// ExportDequeueShort is msg_export_deq_short: another shard processed the
// message; importLT is the end of the block in which this one learned of it.
func ExportDequeueShort(envelopeHash []byte, nextWc int32, nextPrefix, importLT uint64) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b1101, 4).
		MustStoreSlice(envelopeHash, 256).
		MustStoreInt(int64(nextWc), 32).
		MustStoreUInt(nextPrefix, 64).
		MustStoreUInt(importLT, 64).EndCell()
}

// QueueKey is the key of an out-queue entry: where the message goes next and its hash.
type QueueKey [44]byte

// NewQueueKey makes the key of a message to an account prefix.
func NewQueueKey(wc int32, prefix uint64, msgHash []byte) (k QueueKey) {
	binary.BigEndian.PutUint32(k[:4], uint32(wc))
	binary.BigEndian.PutUint64(k[4:12], prefix)
	copy(k[12:], msgHash)
	return k
}

// Workchain is the key's first part; Prefix and MsgHash are the others.
func (k QueueKey) Workchain() int32 { return int32(binary.BigEndian.Uint32(k[:4])) }

// Prefix is the destination's account prefix.
func (k QueueKey) Prefix() uint64 { return binary.BigEndian.Uint64(k[4:12]) }

// MsgHash is the hash of the message.
func (k QueueKey) MsgHash() []byte { return k[12:] }

// Cell is the key as dictionaries want it.
func (k QueueKey) Cell() *cell.Cell {
	return cell.BeginCell().MustStoreSlice(k[:], 352).EndCell()
}
