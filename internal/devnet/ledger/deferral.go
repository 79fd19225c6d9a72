package ledger

import (
	"bytes"
	"container/heap"
	"fmt"
	"math"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// An account that sends many messages in one block does not fill it: since the capability
// of deferred messages, its further messages wait in the dispatch queue of the shard, in the
// order in which it sent them, and each block takes some of every account. The first message
// of a transaction is never among the counted ones. The numbers are the defaults of nodes.
const (
	// DefaultDeferAfter is the number of messages from which on an account's are deferred.
	DefaultDeferAfter = 10
	// deferQueueSize is the size of the out-queue above which all but the first message of
	// a transaction are deferred.
	deferQueueSize = 2048
	// dispatchTotal and dispatchInitiator limit the messages that the second phase of a block
	// takes out of the dispatch queue; dispatchTotal also the third.
	dispatchTotal     = 150
	dispatchInitiator = 20
)

// deferral decides which messages of a block are deferred.
type deferral struct {
	after     int    // 0 = nothing is deferred
	hardQueue uint64 // size of the out-queue after the last block above which nothing leaves the dispatch queue
	exempt    map[string]bool
}

// deferrals reads the rules of the configuration and the options.
func (c *Chain) deferrals(ref *reference, masterchain bool) (d deferral, err error) {
	if ref.config.Capabilities()&genesis.CapDeferMessages == 0 {
		return d, nil
	}
	d = deferral{after: c.opts.DeferAfter, hardQueue: genesis.DeferOutQueueSize, exempt: map[string]bool{}}
	if limits, err := ref.params.GetSizeLimitsConfig(); err == nil {
		if v, ok := limits.Config.(tlb.SizeLimitsConfigV2); ok {
			d.hardQueue = uint64(v.DeferOutQueueSizeLimit)
		}
	}
	for _, a := range c.opts.DeferExempt {
		if (a.Workchain() == layout.Masterchain) == masterchain {
			d.exempt[string(a.Data())] = true
		}
	}
	if !masterchain {
		return d, nil
	}
	special, err := ref.params.GetFundamentalSmartContractAddresses()
	if err != nil || special.Addresses == nil {
		return d, nil //nolint:nilerr // a configuration without fundamental contracts has none to exempt
	}
	list, err := special.Addresses.LoadAll()
	if err != nil {
		return d, fmt.Errorf("fundamental contracts: %w", err)
	}
	for _, kv := range list {
		key, err := kv.Key.LoadSlice(256)
		if err != nil {
			return d, fmt.Errorf("fundamental contracts: %w", err)
		}
		d.exempt[string(key)] = true
	}
	return d, nil
}

// senders counts the messages of each account in a block.
type senders struct {
	sent     map[[32]byte]int    // sent or taken out of the dispatch queue
	deferred map[[32]byte]int    // in the dispatch queue
	emitting map[[32]byte]int    // taken out, not processed yet
	emitted  map[[32]byte]uint64 // LT of the last one taken out
	// unfinished is set when the block is full before every account had its turn: then
	// new messages may not overtake.
	unfinished bool
}

func newSenders() senders {
	return senders{
		sent: map[[32]byte]int{}, deferred: map[[32]byte]int{},
		emitting: map[[32]byte]int{}, emitted: map[[32]byte]uint64{},
	}
}

// defers decides whether a new message goes to the dispatch queue. Once an account has a
// message there, its later ones follow, so that they keep their order.
func (c *collator) defers(m *created) bool {
	src := m.source
	if m.dispatched != nil {
		c.senders.emitting[src]--
		return false
	}
	if c.deferral.after > 0 && m.index > 0 && !c.deferral.exempt[string(src[:])] {
		c.senders.sent[src]++
		if c.senders.sent[src] >= c.deferral.after || c.queue.Size > deferQueueSize {
			return true
		}
	}
	return c.senders.deferred[src] > 0 || c.senders.emitting[src] > 0
}

// deferMessage puts a new message into the dispatch queue.
func (c *collator) deferMessage(m *created) error {
	env, err := tlb.MsgEnvelope{FwdFeeRemaining: tlb.FromNanoTON(m.fwdFee), Msg: m.cell, Metadata: m.metadata, V2: true}.ToCell()
	if err != nil {
		return err
	}
	c.senders.deferred[m.source]++
	if err := c.queue.Dispatch.Put(m.source, m.lt, env); err != nil {
		return err
	}
	return c.addOutMsg(m.cell.Hash(), layout.ExportNewDefer(env, m.tx))
}

// dispatch takes deferred messages out of the dispatch queue, in three phases: the oldest of
// each account; then, oldest first, until an account reaches the number from which on new
// messages are deferred; then some of each initiator, fewer while the out-queue is long.
func (c *collator) dispatch() error {
	list, err := c.queue.Dispatch.List()
	if err != nil || len(list) == 0 {
		return err
	}
	for i := range list {
		c.senders.deferred[list[i].Account] = list[i].Count
	}
	if c.queue.Size > max(deferQueueSize, c.deferral.hardQueue) && c.oldQueueSize > c.deferral.hardQueue {
		return nil
	}
	c.senders.unfinished = true
	for phase := range dispatchPhases {
		if phase > 0 {
			if list, err = c.queue.Dispatch.List(); err != nil {
				return err
			}
		}
		if full, err := c.dispatchPhase(phase, list); err != nil || full {
			c.full = c.full || full
			return err
		}
		c.senders.unfinished = false
	}
	return nil
}

const dispatchPhases = 3

// initiatorKey names the transaction that began a chain of messages.
type initiatorKey struct {
	address string
	lt      uint64
}

func (c *collator) dispatchPhase(phase int, list []layout.Deferred) (full bool, err error) {
	total, perInitiator := math.MaxInt, math.MaxInt
	if phase > 0 {
		total, perInitiator = dispatchTotal, dispatchInitiator
	}
	if phase == 2 {
		perInitiator = initiatorLimit(c.queue.Size)
	}
	initiators := map[initiatorKey]int{}
	waiting := deferredHeap(list)
	heap.Init(&waiting)
	for n := 0; len(waiting) > 0 && n < total && perInitiator > 0; n++ {
		if c.overSoft() {
			return true, nil
		}
		d := &waiting[0]
		initiator, err := c.emit(d)
		if err != nil {
			return false, err
		}
		initiators[initiator]++
		done := phase == 0 ||
			phase == 1 && c.senders.sent[d.Account] >= c.deferral.limit() && !c.deferral.exempt[string(d.Account[:])] ||
			initiator != (initiatorKey{}) && initiators[initiator] >= perInitiator
		if !done {
			more, err := d.Next()
			if err != nil {
				return false, err
			}
			done = !more
		}
		if done {
			heap.Pop(&waiting)
		} else {
			heap.Fix(&waiting, 0)
		}
	}
	return false, nil
}

// limit is the number of messages of an account in a block also when new ones are not
// deferred any more.
func (d *deferral) limit() int {
	if d.after > 0 {
		return d.after
	}
	return DefaultDeferAfter
}

func initiatorLimit(queueSize uint64) int {
	switch {
	case queueSize <= 256:
		return 10
	case queueSize <= 512:
		return 2
	case queueSize <= 1500:
		return 1
	default:
		return 0
	}
}

// emit takes a message out of the dispatch queue. From then on it counts as sent at a new
// LT, emitted_lt, after the account's last transaction in the block.
func (c *collator) emit(d *layout.Deferred) (initiatorKey, error) {
	env, err := parseEnvelope(d.Envelope)
	if err != nil {
		return initiatorKey{}, err
	}
	if err := c.queue.Dispatch.Remove(d.Account, d.LT); err != nil {
		return initiatorKey{}, err
	}
	lt := max(c.startLT, c.senders.emitted[d.Account]) + 1
	if l := c.lanes[d.Account]; l != nil {
		lt = max(lt, l.endLT+1)
	}
	c.senders.emitted[d.Account] = lt
	c.maxLT = max(c.maxLT, lt+1)
	c.senders.sent[d.Account]++
	c.senders.deferred[d.Account]--
	c.senders.emitting[d.Account]++

	prepared, err := tvm.PrepareMessage(env.Msg)
	if err != nil {
		return initiatorKey{}, fmt.Errorf("deferred message %x: %w", env.Msg.Hash(), err)
	}
	env.EmittedLT = &lt
	m := &created{
		cell: env.Msg, prepared: prepared, source: d.Account, dest: prepared.Message().AsInternal().DstAddr,
		lt: lt, fwdFee: env.FwdFeeRemaining.Nano(), metadata: env.Metadata,
	}
	if m.dispatched, err = env.ToCell(); err != nil {
		return initiatorKey{}, err
	}
	heap.Push(&c.fresh, m)
	if env.Metadata == nil {
		return initiatorKey{}, nil
	}
	return initiatorKey{address: addressKey(env.Metadata.Initiator), lt: env.Metadata.InitiatorLT}, nil
}

func addressKey(a *address.Address) string { return fmt.Sprintf("%d:%x", a.Workchain(), a.Data()) }

// transit moves a message from the dispatch queue to the out-queue.
func (c *collator) transit(m *created) error {
	lt := m.lt
	env, err := tlb.MsgEnvelope{
		NextAddr:        tlb.IntermediateAddress{UseDestBits: 96},
		FwdFeeRemaining: tlb.FromNanoTON(m.fwdFee), Msg: m.cell, Metadata: m.metadata, EmittedLT: &lt,
	}.ToCell()
	if err != nil {
		return err
	}
	imported := layout.ImportDeferredTransit(m.dispatched, env)
	if err := c.addInMsg(m.cell, imported); err != nil {
		return err
	}
	if err := c.queue.Put(layout.Queued{Key: m.queueKey(), EnqueuedLT: lt, Envelope: env}); err != nil {
		return err
	}
	return c.addOutMsg(m.cell.Hash(), layout.ExportDeferredTransit(env, imported))
}

func (m *created) queueKey() layout.QueueKey {
	return layout.NewQueueKey(m.dest.Workchain(), layout.AccountPrefix(m.dest.Data()), m.cell.Hash())
}

// deferredHeap orders accounts by their oldest message.
type deferredHeap []layout.Deferred

func (h deferredHeap) Len() int { return len(h) }
func (h deferredHeap) Less(i, j int) bool {
	if h[i].LT != h[j].LT {
		return h[i].LT < h[j].LT
	}
	return bytes.Compare(h[i].Account[:], h[j].Account[:]) < 0
}
func (h deferredHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push and Pop serve container/heap; nothing is pushed.
func (h *deferredHeap) Push(x any) { *h = append(*h, x.(layout.Deferred)) } //nolint:errcheck // the only type that is ever put there

// Pop removes the last element.
func (h *deferredHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
