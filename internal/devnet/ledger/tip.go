package ledger

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
)

// tip is the newest block of a shard with the state after it. It is immutable.
type tip struct {
	id       ton.BlockIDExt
	endLT    uint64
	genUtime uint32
	root     *cell.Cell
	// accounts and queue are parts of root, for reading.
	accounts *cell.AugmentedDictionary
	queue    *layout.OutQueue
}

func newTip(id ton.BlockIDExt, endLT uint64, root *cell.Cell) (*tip, error) {
	st, err := layout.ParseState(root)
	if err != nil {
		return nil, err
	}
	_, accounts, queue, err := openParts(st)
	if err != nil {
		return nil, err
	}
	return &tip{id: id, endLT: endLT, genUtime: st.GenUtime, root: root, accounts: accounts, queue: queue}, nil
}

func (t *tip) shard() uint64 { return uint64(t.id.Shard) }

func (t *tip) name() string { return blockName(t.id) }

func (t *tip) ref() tlb.ExtBlkRef {
	return tlb.ExtBlkRef{EndLt: t.endLT, SeqNo: t.id.SeqNo, RootHash: t.id.RootHash, FileHash: t.id.FileHash}
}

// contains reports whether this shard processes messages to an account prefix.
func (t *tip) contains(wc int32, prefix uint64) bool {
	return t.id.Workchain == wc && layout.ShardContains(t.shard(), prefix)
}

// blockName returns the id in the network's notation: (workchain,shard,seqno).
func blockName(id ton.BlockIDExt) string {
	return fmt.Sprintf("(%d,%016x,%d)", id.Workchain, uint64(id.Shard), id.SeqNo)
}

// view is the set of newest blocks at the start of a round: every shard and the masterchain.
type view []*tip

// delivered reports whether the shard a message goes to has processed it, and
// the end LT of the block that shows it.
func (v view) delivered(m layout.Queued) (uint64, bool) {
	for _, t := range v {
		if t.contains(m.Key.Workchain(), m.Key.Prefix()) && t.queue.Covers(m.Key.Prefix(), m.EnqueuedLT, m.Key.MsgHash()) {
			return t.endLT, true
		}
	}
	return 0, false
}

// route assigns every waiting message to the job of its destination's shard, oldest first.
func (v view) route(jobs []*job) error {
	for _, source := range v {
		var failed error
		err := source.queue.Each(func(m layout.Queued) bool {
			for _, j := range jobs {
				if j.wc != m.Key.Workchain() || !layout.ShardContains(j.shard, m.Key.Prefix()) {
					continue
				}
				if _, done := v.delivered(m); done {
					return true
				}
				moved, err := j.supersedes(source, m)
				if err == nil && moved {
					return true
				}
				var own bool
				if err == nil {
					own, err = j.owns(source, m)
				}
				if err != nil {
					failed = err
					return false
				}
				j.imports = append(j.imports, inbound{msg: m, own: own})
				return true
			}
			return true
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			return fmt.Errorf("queue of %s: %w", source.name(), err)
		}
	}
	for _, j := range jobs {
		slices.SortFunc(j.imports, func(a, b inbound) int {
			if a.msg.EnqueuedLT != b.msg.EnqueuedLT {
				if a.msg.EnqueuedLT < b.msg.EnqueuedLT {
					return -1
				}
				return 1
			}
			return bytes.Compare(a.msg.Key.MsgHash(), b.msg.Key.MsgHash())
		})
	}
	return nil
}

// owns reports whether a message of the source's queue will be in the job's own queue: the source is a parent, and after a split this half sent the message.
func (j *job) owns(source *tip, m layout.Queued) (bool, error) {
	if !slices.Contains(j.prev, source) {
		return false, nil
	}
	if !j.afterSplit {
		return true, nil
	}
	wc, prefix, err := layout.MessageSource(m.Envelope)
	return wc == j.wc && layout.ShardContains(j.shard, prefix), err
}
