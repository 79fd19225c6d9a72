package ledger

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
)

const (
	// A snapshot is written when the blocks since the last one have the size of the states, so that disk use at most doubles;
	// not before snapshotMinBlocks and not later than snapshotBlocks, counted over all workchains.
	snapshotMinBlocks = 64
	snapshotBlocks    = 1024
	snapshotMinBytes  = 4 << 20
)

// snapshotDue counts the blocks and bytes since the last snapshot.
type snapshotDue struct {
	blocks, bytes, lastSize int
}

func sortByLT(blocks []*Block) {
	slices.SortStableFunc(blocks, func(a, b *Block) int { return compare(a.EndLT, b.EndLT) })
}

// snapshotIfDue stores all states of a stored round. A snapshot only saves time later: a
// failed one is tried again after the next round. The caller holds mining.
func (c *Chain) snapshotIfDue(r *round, data [][]byte) {
	c.due.blocks += len(data)
	for _, d := range data {
		c.due.bytes += len(d)
	}
	heavy := c.due.blocks >= snapshotMinBlocks && c.due.bytes >= max(snapshotMinBytes, c.due.lastSize)
	if !heavy && c.due.blocks < snapshotBlocks {
		return
	}
	out, err := encodeSnapshot(append(slices.Clone(r.tips), r.mcTip))
	if err == nil {
		err = c.arch.PutSnapshot(r.mcTip.id.SeqNo, out)
	}
	if err == nil {
		c.due = snapshotDue{lastSize: len(out)}
	}
}

// A snapshot is a list of: workchain, shard, seqno, length, state BoC.
func encodeSnapshot(tips []*tip) ([]byte, error) {
	var out []byte
	for _, t := range tips {
		state, err := layout.Serialize(t.root)
		if err != nil {
			return nil, err
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(t.id.Workchain))
		out = binary.LittleEndian.AppendUint64(out, t.shard())
		out = binary.LittleEndian.AppendUint32(out, t.id.SeqNo)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(state)))
		out = append(out, state...)
	}
	return out, nil
}

func decodeSnapshot(data []byte) (map[blockKey]*cell.Cell, error) {
	const head = 20
	out := map[blockKey]*cell.Cell{}
	for len(data) > 0 {
		if len(data) < head {
			return nil, fmt.Errorf("snapshot is cut short")
		}
		k := blockKey{
			shardKey{int32(binary.LittleEndian.Uint32(data)), binary.LittleEndian.Uint64(data[4:])},
			binary.LittleEndian.Uint32(data[12:]),
		}
		size := int(binary.LittleEndian.Uint32(data[16:]))
		if data = data[head:]; len(data) < size {
			return nil, fmt.Errorf("snapshot is cut short")
		}
		root, err := cell.FromBOC(data[:size])
		if err != nil {
			return nil, fmt.Errorf("snapshot: %w", err)
		}
		out[k], data = root, data[size:]
	}
	return out, nil
}

// snapshotBefore reads the newest snapshot at or before a round; nil when there
// is none. It skips damaged ones.
func (c *Chain) snapshotBefore(mcSeqno uint32) map[blockKey]*cell.Cell {
	rounds, err := c.arch.Snapshots()
	if err != nil {
		return nil
	}
	for _, n := range slices.Backward(rounds) {
		if n > mcSeqno {
			continue
		}
		data, err := c.arch.Snapshot(n)
		if err != nil {
			continue
		}
		if states, err := decodeSnapshot(data); err == nil && c.verified(states) {
			return states
		}
	}
	return nil
}

// snapshotFor returns states that lead to the one after a block, empty when there are none. The
// snapshot of the block's round is of no use if the shard made later blocks in that round.
func (c *Chain) snapshotFor(target *Block) map[blockKey]*cell.Cell {
	states := c.snapshotBefore(target.McSeqno)
	for k := range states {
		if k.shardKey == keyOf(target.ID).shardKey && k.seqno > target.ID.SeqNo {
			states = c.snapshotBefore(target.McSeqno - 1)
			break
		}
	}
	if states == nil {
		states = map[blockKey]*cell.Cell{}
	}
	return states
}

// verified compares the states of a snapshot with the hashes in the blocks.
func (c *Chain) verified(states map[blockKey]*cell.Cell) bool {
	for k, root := range states {
		b, err := c.Block(ton.BlockIDExt{Workchain: k.wc, Shard: int64(k.shard), SeqNo: k.seqno})
		if err != nil {
			return false
		}
		update, err := b.Root.PeekRef(2)
		if err != nil {
			return false
		}
		after, err := update.PeekRef(1)
		if err != nil || after.HashKey(0) != root.HashKey() {
			return false
		}
	}
	return true
}
