package ledger

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// finish closes the accounts and builds the block and the state after it. A
// block whose value flow does not balance or whose Merkle update does not lead
// to the new state is refused.
func (c *collator) finish() (*collated, error) {
	lanes := c.sortedLanes()
	accountBlocks, err := c.closeLanes(lanes)
	if err != nil {
		return nil, err
	}
	body := &layout.Body{GlobalID: c.state.GlobalID, Accounts: accountBlocks, RandSeed: c.seed[:], CreatedBy: c.createdBy}
	if body.InMsgs, err = c.inMsgs.ToCell(); err != nil {
		return nil, err
	}
	if body.OutMsgs, err = c.outMsgs.ToCell(); err != nil {
		return nil, err
	}
	flow, err := c.valueFlow(accountBlocks)
	if err != nil {
		return nil, err
	}
	if err := flow.Check(); err != nil {
		return nil, err
	}
	body.Flow = *flow

	head := c.header()
	next, err := c.nextState(flow, lanes)
	if err != nil {
		return nil, err
	}
	if c.master != nil {
		next.Extra, body.McExtra, head.KeyBlock, err = c.masterExtras()
		if err != nil {
			return nil, err
		}
	}
	nextRoot, err := next.Cell()
	if err != nil {
		return nil, err
	}
	state, err := c.update(body, nextRoot)
	if err != nil {
		return nil, err
	}
	return c.seal(head, body, state, flow)
}

func (c *collator) closeLanes(lanes []*lane) (*cell.Cell, error) {
	blocks, err := tlb.NewShardAccountBlocksAugDict()
	if err != nil {
		return nil, err
	}
	for _, l := range lanes {
		block, err := l.close(c.accounts)
		if err != nil {
			return nil, err
		}
		if err := blocks.Set(cell.BeginCell().MustStoreSlice(l.key[:], 256).EndCell(), block); err != nil {
			return nil, fmt.Errorf("account block %x: %w", l.key, err)
		}
	}
	return blocks.ToCell()
}

func (c *collator) valueFlow(accountBlocks *cell.Cell) (*layout.ValueFlow, error) {
	imported, err := c.inMsgs.LoadRootExtra()
	if err != nil {
		return nil, err
	}
	importFees, err := imported.LoadBigCoins()
	if err != nil {
		return nil, fmt.Errorf("import fees: %w", err)
	}
	flow := &layout.ValueFlow{FromPrev: c.state.TotalBalance, Recovered: c.recovered, Minted: c.minted}
	if flow.Imported, err = layout.LoadCurrencies(imported); err != nil {
		return nil, fmt.Errorf("imported value: %w", err)
	}
	exported, err := c.outMsgs.LoadRootExtra()
	if err != nil {
		return nil, err
	}
	if flow.Exported, err = layout.LoadCurrencies(exported); err != nil {
		return nil, fmt.Errorf("exported value: %w", err)
	}
	txFees, err := rootGrams(accountBlocks, 256, tlb.AugShardAccountBlocks{})
	if err != nil {
		return nil, fmt.Errorf("transaction fees: %w", err)
	}
	if flow.ToNext, err = balance(c.accounts); err != nil {
		return nil, err
	}
	if flow.Created, err = c.reward(); err != nil {
		return nil, err
	}
	if c.master != nil {
		flow.FeesImported = c.master.feesImported()
	}
	flow.FeesCollected = layout.Sum(txFees, importFees, flow.Created, flow.FeesImported)
	return flow, nil
}

func rootGrams(dict *cell.Cell, keyBits uint, aug cell.Augmentation) (*big.Int, error) {
	s, err := dict.BeginParse()
	if err != nil {
		return nil, err
	}
	d, err := s.LoadAugDict(keyBits, aug, false)
	if err != nil {
		return nil, err
	}
	extra, err := d.LoadRootExtra()
	if err != nil {
		return nil, err
	}
	return layout.LoadGrams(extra)
}

func (c *collator) header() *layout.Header {
	h := &layout.Header{
		Workchain: c.wc, Shard: c.shard, Seqno: c.seqno,
		AfterMerge: len(c.prev) == 2, AfterSplit: c.afterSplit, BeforeSplit: c.beforeSplit,
		WantSplit: c.wantSplit, WantMerge: c.wantMerge,
		GenUtime: c.now, StartLT: c.startLT, EndLT: c.maxLT,
		ValidatorListHash: c.ref.extra.ValidatorListHash, CatchainSeqno: genesis.CatchainSeqno,
		MinRefMcSeqno: c.ref.block.SeqNo, PrevKeySeq: c.ref.keyBlock.SeqNo,
		Version: c.ref.config.GlobalVersion(), Capabilities: c.ref.config.Capabilities(),
	}
	if c.master == nil {
		h.MasterRef = &c.ref.block
	} else {
		for _, d := range c.master.shards {
			h.MinRefMcSeqno = min(h.MinRefMcSeqno, d.MinRefMcSeqno)
		}
	}
	for _, p := range c.prev {
		h.Prev = append(h.Prev, p.ref())
	}
	return h
}

func (c *collator) nextState(flow *layout.ValueFlow, lanes []*lane) (*layout.State, error) {
	next := *c.state
	next.Workchain, next.Shard, next.Seqno = c.wc, c.shard, c.seqno
	next.GenUtime, next.GenLT = c.now, c.maxLT
	next.BeforeSplit = c.beforeSplit
	next.MinRefMcSeqno = c.header().MinRefMcSeqno
	next.Overload = next.Overload<<1 | bit(c.full)
	next.Underload = next.Underload<<1 | bit(c.gas < c.limits.softGas/8)
	next.TotalBalance = flow.ToNext
	next.ValidatorFees = layout.Sum(next.ValidatorFees, flow.FeesCollected, new(big.Int).Neg(c.recovered))
	if c.master == nil {
		next.MasterRef = &c.ref.block
	}
	var err error
	if next.Accounts, err = c.accounts.ToCell(); err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	if next.OutQueue, err = c.queue.Cell(); err != nil {
		return nil, err
	}
	next.Libraries, err = c.nextLibraries(lanes)
	return &next, err
}

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// update makes the Merkle update and applies it to the old state; the result is the new
// state of the chain.
func (c *collator) update(body *layout.Body, nextRoot *cell.Cell) (*cell.Cell, error) {
	update, err := c.usage.merkleUpdate(c.oldRoot, nextRoot)
	if err != nil {
		return nil, fmt.Errorf("state update: %w", err)
	}
	if update, err = detach(update, map[cell.Hash]*cell.Cell{}); err != nil {
		return nil, fmt.Errorf("state update: %w", err)
	}
	state, _, err := cell.ApplyMerkleUpdate(c.oldRoot, update)
	if err != nil {
		return nil, fmt.Errorf("state update: %w", err)
	}
	if state.HashKey() != nextRoot.HashKey() {
		return nil, fmt.Errorf("state update leads to %x instead of %x", state.Hash(), nextRoot.Hash())
	}
	body.StateUpdate = update
	return state, nil
}

// seal serializes the block and sets its id.
func (c *collator) seal(head *layout.Header, body *layout.Body, state *cell.Cell, flow *layout.ValueFlow) (*collated, error) {
	data, err := layout.Serialize(layout.BlockCell(head, body))
	if err != nil {
		return nil, fmt.Errorf("block: %w", err)
	}
	block, err := parseBlock(data)
	if err != nil {
		return nil, err
	}
	if c.master != nil {
		block.McSeqno = c.seqno
	} else {
		block.McSeqno = c.ref.block.SeqNo + 1
	}
	out := &collated{block: block, data: data, state: state, used: c.used, txs: c.txs}
	out.leftover = c.full || c.queue.Size > 0 || !c.queue.Dispatch.IsEmpty()
	if c.master == nil {
		out.descr = &layout.ShardDescr{
			Workchain: c.wc, Shard: c.shard, Seqno: c.seqno, RegMcSeqno: block.McSeqno,
			StartLT: c.startLT, EndLT: c.maxLT, RootHash: block.ID.RootHash, FileHash: block.ID.FileHash,
			BeforeSplit: c.beforeSplit, WantSplit: c.wantSplit, WantMerge: c.wantMerge,
			MinRefMcSeqno: c.ref.block.SeqNo, GenUtime: c.now,
			FeesCollected: flow.FeesCollected, FundsCreated: flow.Created,
		}
	}
	return out, nil
}
