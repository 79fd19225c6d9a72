package ledger

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
)

// ltAlign is the multiple at which blocks start their logical time.
const ltAlign = 1_000_000

// job is one block to make.
type job struct {
	wc    int32
	shard uint64
	seqno uint32
	// prev are the parents: two when the block follows a merge. afterSplit is set when
	// the only parent belongs to the shard's parent shard.
	prev        []*tip
	afterSplit  bool
	beforeSplit bool // last block of its shard: the next ones are its halves
	wantSplit   bool
	wantMerge   bool
	now         uint32
	seed        [32]byte
	ref         *reference
	imports     []inbound   // from all queues, oldest first
	externals   []*external // in order of arrival
	// delivered reports whether another shard has processed a queued message; lt is the
	// end LT of the block that did.
	delivered func(layout.Queued) (lt uint64, ok bool)
	// master is set for masterchain blocks.
	master    *masterJob
	limits    limits
	deferral  deferral
	createdBy []byte // the validator's public key
}

// inbound is a queued message to an account of the job's shard.
type inbound struct {
	msg layout.Queued
	own bool // it waits in the shard's own queue
}

// limits end a block; the remaining messages wait for the next one.
type limits struct {
	txs     int
	softGas int64 // no further imports and externals
	hardGas int64 // no further messages created in the block
	softLT  uint64
	hardLT  uint64

	softBytes, hardBytes int
}

// collator makes one block. It changes only its own state: the caller decides whether the
// block becomes part of the chain.
type collator struct {
	job
	machine *tvm.TVM
	context *blockContext

	usage    *usage
	oldRoot  *cell.Cell // untraced; of two parents the split_state pair
	state    *layout.State
	accounts *cell.AugmentedDictionary
	queue    *layout.OutQueue

	startLT, maxLT uint64
	lanes          map[[32]byte]*lane
	fresh          messageHeap // created here, for this shard, not yet processed
	inMsgs         *cell.AugmentedDictionary
	outMsgs        *cell.AugmentedDictionary

	senders      senders
	oldQueueSize uint64 // of the out-queue after the parent

	txs       int
	size      blockSize
	gas       int64
	full      bool
	used      []*external // externals that became transactions or were refused
	recovered *big.Int
	minted    layout.Currencies
	payout    *cell.Cell // InMsg of the fee payout; masterchain only
	mint      *cell.Cell // InMsg of the minted currencies; masterchain only
}

// collated is a finished block with all data that the chain needs to adopt it.
type collated struct {
	block    *Block
	data     []byte
	state    *cell.Cell
	descr    *layout.ShardDescr // nil for the masterchain
	used     []*external
	txs      int
	leftover bool // messages wait for a further block
}

func collate(machine *tvm.TVM, j job) (*collated, error) {
	c := &collator{job: j, machine: machine, lanes: map[[32]byte]*lane{}, recovered: new(big.Int), senders: newSenders(), size: newBlockSize()}
	if err := c.open(); err != nil {
		return nil, err
	}
	steps := []func() error{c.dequeueDelivered, c.tick, c.payFees, c.mintCurrencies, c.takeImports, c.dispatch, c.takeExternals, c.drainFresh, c.tock, c.enqueueFresh}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return c.finish()
}

// open reads the parent state under a usage tree and fixes the block's start.
func (c *collator) open() (err error) {
	if err = c.openState(); err != nil {
		return err
	}
	c.oldQueueSize = c.queue.Size
	last := c.ref.block.EndLt
	for _, p := range c.prev {
		last = max(last, p.endLT)
	}
	if c.master != nil {
		for _, d := range c.master.shards {
			last = max(last, d.EndLT)
		}
	}
	c.startLT = last/ltAlign*ltAlign + ltAlign
	c.maxLT = c.startLT + 1
	c.context, err = newBlockContext(c.ref.config, tvm.BlockOptions{
		Now:        c.now,
		BlockLT:    int64(c.startLT),
		RandSeed:   c.seed[:],
		PrevBlocks: c.ref.prevBlocks,
		Libraries:  c.ref.libraries(),
	})
	if err != nil {
		return err
	}
	if c.inMsgs, err = layout.NewInMsgDescr(); err != nil {
		return err
	}
	c.outMsgs, err = layout.NewOutMsgDescr()
	return err
}

// contains reports whether an account belongs to this block's shard.
func (c *collator) contains(addr *address.Address) bool {
	return addr.Workchain() == c.wc && layout.ShardContains(c.shard, layout.AccountPrefix(addr.Data()))
}

func (c *collator) lane(key [32]byte) (*lane, error) {
	if l := c.lanes[key]; l != nil {
		return l, nil
	}
	l, err := openLane(c.accounts, c.wc, key)
	if err == nil {
		c.lanes[key] = l
		c.size.bytes += accountUpdate
	}
	return l, err
}

// overSoft and overHard report whether the block is closed for two classes of messages.
func (c *collator) overSoft() bool {
	return c.txs >= c.limits.txs || c.gas >= c.limits.softGas || c.maxLT-c.startLT >= c.limits.softLT || c.size.bytes >= c.limits.softBytes
}

func (c *collator) overHard() bool {
	return c.txs >= c.limits.txs || c.gas >= c.limits.hardGas || c.maxLT-c.startLT >= c.limits.hardLT || c.size.bytes >= c.limits.hardBytes
}

// takeImports processes the messages in the queues, oldest first, and records the last
// one.
func (c *collator) takeImports() error {
	var last *inbound
	for i := range c.imports {
		if c.overSoft() {
			c.full = true
			break
		}
		in := &c.imports[i]
		if err := c.importMessage(in); err != nil {
			return err
		}
		// What an earlier block of the round queued leaves the queue here. Other shards may
		// yet send older messages: the record must not cover those.
		if !in.own || in.msg.EnqueuedLT <= c.ref.block.EndLt {
			last = in
		}
	}
	if last == nil {
		return nil
	}
	p := layout.Processed{Shard: c.shard, McSeqno: c.ref.block.SeqNo, LT: last.msg.EnqueuedLT}
	if c.master != nil {
		p.McSeqno = c.seqno
	}
	copy(p.Hash[:], last.msg.Key.MsgHash())
	c.queue.Advance(p)
	return nil
}

func (c *collator) importMessage(in *inbound) error {
	env, err := parseEnvelope(in.msg.Envelope)
	if err != nil {
		return err
	}
	msg, err := tvm.PrepareMessage(env.Msg)
	if err != nil {
		return fmt.Errorf("queued message %x: %w", in.msg.Key.MsgHash(), err)
	}
	res, err := c.execute(msg, env.Metadata, c.startLT)
	if err != nil {
		return err
	}
	record := layout.ImportFinal(in.msg.Envelope, res.TransactionCell, env.FwdFeeRemaining.Nano())
	if err := c.addInMsg(env.Msg, record); err != nil {
		return err
	}
	if !in.own {
		return nil
	}
	if err := c.queue.Remove(in.msg.Key); err != nil {
		return err
	}
	return c.addOutMsg(env.Msg.Hash(), layout.ExportDequeueImmediate(in.msg.Envelope, record))
}

// takeExternals tries the external messages. It drops those that are not accepted; the
// block does not contain them.
func (c *collator) takeExternals() error {
	for _, e := range c.externals {
		if c.full || c.overSoft() {
			c.full = true
			return nil
		}
		c.used = append(c.used, e)
		res, err := c.executeExternal(e)
		if err != nil {
			return err
		}
		if res == nil {
			continue
		}
		if err := c.addInMsg(e.cell, layout.ImportExternal(e.cell, res.TransactionCell)); err != nil {
			return err
		}
	}
	return nil
}

// drainFresh processes the messages that transactions of this block sent and those of the
// dispatch queue, by LT. Messages to other shards are queued. When the block is full, or imports
// are left over that new messages must not overtake, all are.
func (c *collator) drainFresh() error {
	for len(c.fresh) > 0 {
		c.full = c.full || c.overHard()
		if err := c.processFresh(c.fresh.pop(), c.full || c.senders.unfinished); err != nil {
			return err
		}
	}
	return nil
}

func (c *collator) processFresh(m *created, enqueueOnly bool) error {
	switch {
	case c.defers(m):
		return c.deferMessage(m)
	case enqueueOnly || !c.contains(m.dest):
		return c.enqueue(m)
	}
	res, err := c.execute(m.prepared, m.metadata, m.lt)
	if err != nil {
		return err
	}
	if m.dispatched != nil {
		return c.addInMsg(m.cell, layout.ImportDeferredFinal(m.dispatched, res.TransactionCell, m.fwdFee))
	}
	env, err := m.envelope(96)
	if err != nil {
		return err
	}
	imported := layout.ImportImmediate(env, res.TransactionCell, m.fwdFee)
	if err := c.addInMsg(m.cell, imported); err != nil {
		return err
	}
	return c.addOutMsg(m.cell.Hash(), layout.ExportImmediate(env, m.tx, imported))
}

// enqueueFresh queues the messages of the last transactions of a masterchain block.
func (c *collator) enqueueFresh() error {
	for len(c.fresh) > 0 {
		if err := c.processFresh(c.fresh.pop(), true); err != nil {
			return err
		}
	}
	return nil
}

func (c *collator) enqueue(m *created) error {
	if m.dispatched != nil {
		return c.transit(m)
	}
	env, err := m.envelope(0)
	if err != nil {
		return err
	}
	if err := c.queue.Put(layout.Queued{Key: m.queueKey(), EnqueuedLT: m.lt, Envelope: env}); err != nil {
		return err
	}
	return c.addOutMsg(m.cell.Hash(), layout.ExportNew(env, m.tx))
}

// dequeueDelivered drops queued messages that other shards have processed.
func (c *collator) dequeueDelivered() error {
	var done []layout.Queued
	var importLTs []uint64
	err := c.queue.Each(func(m layout.Queued) bool {
		if lt, ok := c.delivered(m); ok {
			done, importLTs = append(done, m), append(importLTs, lt)
		}
		return true
	})
	if err != nil {
		return err
	}
	for i, m := range done {
		if err := c.queue.Remove(m.Key); err != nil {
			return err
		}
		record := layout.ExportDequeueShort(m.Envelope.Hash(), m.Key.Workchain(), m.Key.Prefix(), importLTs[i])
		if err := c.addOutMsg(m.Key.MsgHash(), record); err != nil {
			return err
		}
	}
	return nil
}

func (c *collator) addInMsg(msg, record *cell.Cell) error {
	key := cell.BeginCell().MustStoreSlice(msg.Hash(), 256).EndCell()
	if err := c.inMsgs.Set(key, record); err != nil {
		return fmt.Errorf("in-message %x: %w", msg.Hash(), err)
	}
	return nil
}

func (c *collator) addOutMsg(hash []byte, record *cell.Cell) error {
	if err := c.outMsgs.Set(cell.BeginCell().MustStoreSlice(hash, 256).EndCell(), record); err != nil {
		return fmt.Errorf("out-message %x: %w", hash, err)
	}
	return nil
}

// sortedLanes returns the touched accounts in address order.
func (c *collator) sortedLanes() []*lane {
	out := make([]*lane, 0, len(c.lanes))
	for _, l := range c.lanes {
		if !l.txs.IsEmpty() {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b *lane) int { return bytes.Compare(a.key[:], b.key[:]) })
	return out
}
