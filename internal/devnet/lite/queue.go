package lite

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
)

// queueSizeLimit is the out-queue size at which nodes stop taking external messages.
const queueSizeLimit = 8000

// queueProof requests a proof of the queue's data.
const queueProof = 1

// outQueue has the parts of OutMsgQueueInfo that responses need.
type outQueue struct {
	size     uint64
	hasSize  bool
	dispatch *cell.Cell // root of the dispatch queue; nil when empty
}

func openQueue(c *cell.Cell) (outQueue, error) {
	s, err := c.BeginParse()
	if err != nil {
		return outQueue{}, fmt.Errorf("out-queue: %w", err)
	}
	if _, err := loadMaybeRef(s); err != nil { // the queue itself
		return outQueue{}, fmt.Errorf("out-queue: %w", err)
	}
	if err := s.SkipBits(64); err != nil { // its augmentation, the smallest LT
		return outQueue{}, fmt.Errorf("out-queue: %w", err)
	}
	if _, err := loadMaybeRef(s); err != nil { // proc_info
		return outQueue{}, fmt.Errorf("out-queue: %w", err)
	}
	has, err := s.LoadBoolBit()
	if err != nil || !has {
		return outQueue{}, err
	}
	if err := s.SkipBits(4); err != nil { // out_msg_queue_extra#0
		return outQueue{}, fmt.Errorf("out-queue: %w", err)
	}
	var q outQueue
	if q.dispatch, err = loadMaybeRef(s); err != nil {
		return outQueue{}, fmt.Errorf("dispatch queue: %w", err)
	}
	if err := s.SkipBits(64); err != nil {
		return outQueue{}, fmt.Errorf("dispatch queue: %w", err)
	}
	if q.hasSize, err = s.LoadBoolBit(); err != nil || !q.hasSize {
		return q, err
	}
	q.size, err = s.LoadUInt(48)
	return q, err
}

// openStateQueue opens a state down to its out-queue.
func openStateQueue(root *cell.Cell) (outQueue, error) {
	parts, err := openState(root)
	if err != nil {
		return outQueue{}, err
	}
	return openQueue(parts.queue)
}

// inState runs look on the state after b and, on request, returns the serialized proof of
// the cells it opened.
func (a *api) inState(b *ledger.Block, withProof bool, look func(root *cell.Cell) error) ([]byte, error) {
	state, err := a.stateOf(b)
	if err != nil {
		return nil, err
	}
	if !withProof {
		return nil, look(state)
	}
	proof, err := a.stateProof(b, state, look)
	if err != nil {
		return nil, err
	}
	return boc(proof...)
}

func (a *api) getBlockOutMsgQueueSize(q ton.GetBlockOutMsgQueueSize) (tl.Serializable, error) {
	b, err := a.blockOf(q.ID)
	if err != nil {
		return nil, err
	}
	response := ton.BlockOutMsgQueueSize{Mode: q.Mode, ID: b.ID.Copy()}
	response.Proof, err = a.inState(b, q.Mode&queueProof != 0, func(root *cell.Cell) error {
		queue, err := openStateQueue(root)
		if err != nil {
			return err
		}
		if !queue.hasSize {
			return fail(codeBadRequest, "no out_msg_queue_size in shard state")
		}
		response.Size = int64(queue.size)
		return nil
	})
	return response, err
}

// getOutMsgQueueSizes returns the queue sizes of the newest blocks, of all shards or of
// those that overlap the requested one.
func (a *api) getOutMsgQueueSizes(q ton.GetOutMsgQueueSizes) (tl.Serializable, error) {
	head, err := a.head()
	if err != nil {
		return nil, err
	}
	blocks, err := a.newest(head)
	if err != nil {
		return nil, err
	}
	response := ton.OutMsgQueueSizes{Shards: []ton.OutMsgQueueSize{}, ExtMsgQueueSizeLimit: queueSizeLimit}
	for _, b := range blocks {
		if q.Mode&1 != 0 && (b.ID.Workchain != q.WC || !intersects(b.ID.Shard, q.Shard)) {
			continue
		}
		state, err := a.stateOf(b)
		if err != nil {
			return nil, err
		}
		queue, err := openStateQueue(state)
		if err != nil {
			return nil, err
		}
		response.Shards = append(response.Shards, ton.OutMsgQueueSize{ID: b.ID.Copy(), Size: int32(queue.size)})
	}
	return response, nil
}

// newest lists a masterchain block and the newest block of each shard it lists.
func (a *api) newest(head *ledger.Block) ([]*ledger.Block, error) {
	blocks := []*ledger.Block{head}
	master, err := openBlockMaster(head.Root)
	if err != nil {
		return nil, err
	}
	if master.shards == nil {
		return blocks, nil
	}
	ids, err := ton.LoadShardsFromHashes(master.shards.AsDict(32), false)
	if err != nil {
		return nil, fmt.Errorf("shard hashes: %w", err)
	}
	for _, id := range ids {
		if id.SeqNo == 0 {
			continue // a shard that still stands at its zerostate
		}
		b, err := a.blockOf(id)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}
