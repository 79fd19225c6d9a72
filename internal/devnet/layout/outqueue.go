package layout

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// OutQueue is an OutMsgQueueInfo.
type OutQueue struct {
	Messages  *cell.AugmentedDictionary // HashmapAugE 352 EnqueuedMsg uint64
	Processed []Processed
	// Size is the number of messages in Messages.
	Size     uint64
	Dispatch *DispatchQueue
}

// Processed records that, in all queues after masterchain block McSeqno, the messages to
// accounts of Shard up to (LT, Hash) are processed.
type Processed struct {
	Shard   uint64
	McSeqno uint32
	LT      uint64
	Hash    [32]byte
}

// Covers reports whether a message to an account prefix has been processed.
func (p Processed) Covers(prefix, lt uint64, hash []byte) bool {
	return ShardContains(p.Shard, prefix) && (lt < p.LT || lt == p.LT && bytes.Compare(hash, p.Hash[:]) <= 0)
}

// Covers reports whether any entry covers the message.
func (q *OutQueue) Covers(prefix, lt uint64, hash []byte) bool {
	return slices.ContainsFunc(q.Processed, func(p Processed) bool { return p.Covers(prefix, lt, hash) })
}

// Advance adds an entry and drops those that it covers.
func (q *OutQueue) Advance(p Processed) {
	q.Processed = slices.DeleteFunc(q.Processed, func(old Processed) bool {
		if !ShardIsAncestor(p.Shard, old.Shard) {
			return false
		}
		return old.LT < p.LT || old.LT == p.LT && bytes.Compare(old.Hash[:], p.Hash[:]) <= 0
	})
	q.Processed = append(q.Processed, p)
}

// Split reduces the queue to a half of its shard: what has been processed, and deferred
// messages by sender. The caller removes the foreign messages.
func (q *OutQueue) Split(shard uint64) error {
	q.Restrict(shard)
	return q.Dispatch.cut(shard)
}

// Merge adds the queue of the other half.
func (q *OutQueue) Merge(other *OutQueue) error {
	if ok, err := q.Messages.CombineWith(other.Messages); err != nil || !ok {
		return fmt.Errorf("merge of the out-queues: overlap=%t: %w", !ok, err)
	}
	q.Size += other.Size
	q.Processed = append(q.Processed, other.Processed...)
	return q.Dispatch.combine(other.Dispatch)
}

// Restrict narrows the entries to a shard that was split off.
func (q *OutQueue) Restrict(shard uint64) {
	var stored []Processed
	for _, p := range q.Processed {
		switch {
		case ShardIsAncestor(p.Shard, shard):
			p.Shard = shard
			stored = append(stored, p)
		case ShardIsAncestor(shard, p.Shard):
			stored = append(stored, p)
		}
	}
	q.Processed = stored
}

// NewOutQueue returns an empty queue.
func NewOutQueue() (*OutQueue, error) {
	d, err := tlb.NewOutMsgQueueAugDict()
	if err != nil {
		return nil, err
	}
	dispatch, err := newDispatchQueue()
	return &OutQueue{Messages: d.AugmentedDictionary, Dispatch: dispatch}, err
}

// Cell builds the queue: messages, what has been processed here, and the extra
// part with the dispatch queue and the size.
func (q *OutQueue) Cell() (*cell.Cell, error) {
	messages, err := q.Messages.ToCell()
	if err != nil {
		return nil, fmt.Errorf("out-queue: %w", err)
	}
	dispatch, err := q.Dispatch.accounts.ToCell()
	if err != nil {
		return nil, fmt.Errorf("dispatch queue: %w", err)
	}
	done := cell.NewDict(96)
	for _, p := range q.Processed {
		key := cell.BeginCell().MustStoreUInt(p.Shard, 64).MustStoreUInt(uint64(p.McSeqno), 32).EndCell()
		value := cell.BeginCell().MustStoreUInt(p.LT, 64).MustStoreSlice(p.Hash[:], 256).EndCell()
		if err := done.Set(key, value); err != nil {
			return nil, fmt.Errorf("processed messages: %w", err)
		}
	}
	return cell.BeginCell().
		MustStoreBuilder(messages.ToBuilder()).
		MustStoreDict(done).
		MustStoreBoolBit(true). // extra
		MustStoreUInt(0, 4).    // out_msg_queue_extra#0
		MustStoreBuilder(dispatch.ToBuilder()).
		MustStoreBoolBit(true).
		MustStoreUInt(q.Size, 48).
		EndCell(), nil
}

// ParseOutQueue reads an OutMsgQueueInfo that Cell wrote.
func ParseOutQueue(c *cell.Cell) (*OutQueue, error) {
	s, err := c.BeginParse()
	if err != nil {
		return nil, err
	}
	q := &OutQueue{}
	if q.Messages, err = s.LoadAugDict(352, tlb.AugOutMsgQueue{}, false); err != nil {
		return nil, fmt.Errorf("out-queue: %w", err)
	}
	processed, err := s.LoadDict(96)
	if err != nil {
		return nil, fmt.Errorf("processed messages: %w", err)
	}
	if head, err := s.LoadUInt(5); err != nil || head != 0b10000 { // extra, out_msg_queue_extra#0
		return nil, fmt.Errorf("out-queue extra of an unknown form: %w", err)
	}
	if q.Dispatch, err = loadDispatchQueue(s); err != nil {
		return nil, err
	}
	r := reader{s: s}
	if r.bool() {
		q.Size = r.uint(48)
	}
	if r.err != nil {
		return nil, fmt.Errorf("size of the out-queue: %w", r.err)
	}
	done, err := processed.LoadAll()
	if err != nil {
		return nil, fmt.Errorf("processed messages: %w", err)
	}
	for _, kv := range done {
		k, v := reader{s: kv.Key}, reader{s: kv.Value}
		p := Processed{Shard: k.uint(64), McSeqno: uint32(k.uint(32)), LT: v.uint(64)}
		copy(p.Hash[:], v.bytes(32))
		if k.err != nil || v.err != nil {
			return nil, fmt.Errorf("processed messages are malformed")
		}
		q.Processed = append(q.Processed, p)
	}
	return q, nil
}

// Queued is one message of an out-queue.
type Queued struct {
	Key        QueueKey
	EnqueuedLT uint64
	Envelope   *cell.Cell
}

// Each calls fn for every message in key order until it returns false.
func (q *OutQueue) Each(fn func(Queued) bool) error {
	// The dictionary's own trace belongs to the root it was read from. Under a changed root it would take new cells
	// for old ones, and a Merkle update would leave them out; cells that are still old carry their trace themselves.
	it, err := q.Messages.Copy().SetTrace(nil).IteratorExtra(false, false)
	if err != nil {
		return fmt.Errorf("out-queue: %w", err)
	}
	for it.Next() {
		var m Queued
		key, err := it.Key().BeginParse()
		if err != nil {
			return err
		}
		if err := key.LoadSliceInto(m.Key[:], 352); err != nil {
			return err
		}
		v := reader{s: it.Value()}
		m.EnqueuedLT, m.Envelope = v.uint(64), v.ref()
		if v.err != nil {
			return fmt.Errorf("out-queue entry: %w", v.err)
		}
		if !fn(m) {
			return nil
		}
	}
	return it.Err()
}

// Put and Remove change the queue and its size.
func (q *OutQueue) Put(m Queued) error {
	v := cell.BeginCell().MustStoreUInt(m.EnqueuedLT, 64).MustStoreRef(m.Envelope).EndCell()
	if err := q.Messages.Set(m.Key.Cell(), v); err != nil {
		return fmt.Errorf("message %x into the out-queue: %w", m.Key.MsgHash(), err)
	}
	q.Size++
	return nil
}

// Remove removes a message, which must be there.
func (q *OutQueue) Remove(k QueueKey) error {
	if _, err := q.Messages.LoadValueAndDelete(k.Cell()); err != nil {
		return fmt.Errorf("message %x out of the out-queue: %w", k.MsgHash(), err)
	}
	q.Size--
	return nil
}

// MessageSource returns the workchain and account prefix that sent an internal
// message; split shards divide a queue by it.
func MessageSource(envelope *cell.Cell) (wc int32, prefix uint64, err error) {
	var env tlb.MsgEnvelope
	s, err := envelope.BeginParse()
	if err != nil {
		return 0, 0, err
	}
	if err := env.LoadFromCell(s); err != nil {
		return 0, 0, fmt.Errorf("envelope: %w", err)
	}
	m, err := env.Msg.BeginParse()
	if err != nil {
		return 0, 0, err
	}
	if err := m.SkipBits(4); err != nil { // int_msg_info$0 and three flags
		return 0, 0, err
	}
	addr, err := m.LoadAddr()
	if err != nil {
		return 0, 0, fmt.Errorf("source of a queued message: %w", err)
	}
	if len(addr.Data()) != 32 {
		return 0, 0, fmt.Errorf("source %s of a queued message is not a standard address", addr)
	}
	return addr.Workchain(), binary.BigEndian.Uint64(addr.Data()), nil
}
