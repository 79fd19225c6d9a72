package v2

import (
	"context"
	"math"
	"time"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

func masterchainInfo(c *call) error {
	if err := c.p.end(); err != nil {
		return err
	}
	info, err := c.svc.MasterchainInfo(c.ctx)
	if err != nil {
		return err
	}
	b := appendBlockID(append(c.b, `{"@type":"blocks.masterchainInfo","last":`...), info.Last.BlockIDExt)
	zero := c.svc.Zerostate()
	zero.Workchain, zero.Shard, zero.Seqno = chain.MasterchainID, 0, 0
	b = appendHash(append(b, `,"state_root_hash":`...), c.stateRoot(info.Last.BlockIDExt))
	c.b = append(appendBlockID(append(b, `,"init":`...), zero), '}')
	return nil
}

// stateRootWait is the maximum wait for the state root hash of the latest block, which is fetched from a node once per
// block.
const stateRootWait = time.Second

// stateRoot returns the root hash of the state after a block. It returns the zero hash if no node provides it: the block is
// still worth returning.
func (c *call) stateRoot(id chain.BlockIDExt) chain.Hash {
	ctx, cancel := context.WithTimeout(c.ctx, stateRootWait)
	defer cancel()
	root, err := c.svc.StateRoot(ctx, id)
	if err != nil {
		handler.RecordOf(c.ctx).Err = err
		return chain.Hash{}
	}
	return root
}

func consensusBlock(c *call) error {
	if err := c.p.end(); err != nil {
		return err
	}
	info, err := c.svc.MasterchainInfo(c.ctx)
	if err != nil {
		return err
	}
	b := handler.AppendUint(append(c.b, `{"@type":"ext.blocks.consensusBlock","consensus_block":`...), info.Last.Seqno)
	c.b = append(handler.AppendInt(append(b, `,"timestamp":`...), time.Now().Unix()), '}')
	return nil
}

// place reads the parameters workchain and shard.
func (p *params) place() (int32, chain.Shard) {
	workchain := p.integer("workchain", math.MinInt32, math.MaxInt32)
	shard := p.integer("shard", math.MinInt64, math.MaxInt64)
	p.required("workchain", workchain != nil)
	p.required("shard", shard != nil)
	if p.err != nil {
		return 0, 0
	}
	return int32(*workchain), chain.Shard(*shard)
}

func lookupBlock(c *call) error {
	workchain, shard := c.p.place()
	seqno := c.p.seqno("seqno")
	lt := c.p.integer("lt", 0, math.MaxInt64)
	utime := c.p.integer("unixtime", 0, math.MaxInt32)
	ways := 0
	for _, sent := range []bool{seqno != nil, lt != nil, utime != nil} {
		if sent {
			ways++
		}
	}
	if ways != 1 {
		c.p.refuse(chain.Invalidf("give exactly one of seqno, lt, unixtime"))
	}
	if err := c.p.end(); err != nil {
		return err
	}
	q := chain.BlockSearch{Workchain: workchain, Shard: shard, Seqno: seqno}
	if lt != nil {
		q.LT = new(uint64(*lt))
	}
	if utime != nil {
		q.Utime = new(uint32(*utime))
	}
	found, err := c.svc.FindBlock(c.ctx, q)
	if err != nil {
		return err
	}
	c.b = appendBlockID(c.b, found.BlockIDExt)
	return nil
}

func shards(c *call) error {
	seqno := c.p.seqno("seqno")
	c.p.required("seqno", seqno != nil)
	if err := c.p.end(); err != nil {
		return err
	}
	tops, err := c.svc.ShardTops(c.ctx, *seqno)
	if err != nil {
		return err
	}
	b := append(c.b, `{"@type":"blocks.shards","shards":[`...)
	for i, top := range tops {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendBlockID(b, top)
	}
	c.b = append(b, "]}"...)
	return nil
}

// blockRequest identifies a block. If both hashes are given, they must match the block.
type blockRequest struct {
	workchain  int32
	shard      chain.Shard
	seqno      *uint32
	root, file *chain.Hash
}

func (p *params) block() (q blockRequest) {
	q.workchain, q.shard = p.place()
	q.seqno = p.seqno("seqno")
	p.required("seqno", q.seqno != nil)
	q.root, q.file = p.hash("root_hash"), p.hash("file_hash")
	return q
}

func (c *call) findBlock(q blockRequest) (*chain.Block, error) {
	found, err := c.svc.FindBlock(c.ctx, chain.BlockSearch{Workchain: q.workchain, Shard: q.shard, Seqno: q.seqno})
	if err != nil {
		return nil, err
	}
	if q.root != nil && q.file != nil && (*q.root != found.RootHash || *q.file != found.FileHash) {
		return nil, chain.NotFoundf("block %s has other hashes", found.BlockID)
	}
	return found, nil
}

// blockData serves a block as validators made it. The parameter archival chooses between servers, of which the node client knows the fitting
// ones.
func blockData(c *call) error {
	q := c.p.block()
	c.p.flag("archival")
	if err := c.p.end(); err != nil {
		return err
	}
	h, err := c.findBlock(q)
	if err != nil {
		return err
	}
	data, err := c.svc.BlockData(c.ctx, h.BlockIDExt)
	if err != nil {
		return err
	}
	b := appendBlockID(append(c.b, `{"@type":"blocks.blockData","id":`...), h.BlockIDExt)
	c.b = append(handler.AppendBytes(append(b, `,"data":`...), data), '}')
	return nil
}

func blockHeader(c *call) error {
	q := c.p.block()
	if err := c.p.end(); err != nil {
		return err
	}
	h, err := c.findBlock(q)
	if err != nil {
		return err
	}
	parents, err := c.svc.Parents(c.ctx, h)
	if err != nil {
		return err
	}
	b := appendBlockID(append(c.b, `{"@type":"blocks.header","id":`...), h.BlockIDExt)
	b = handler.AppendInt(append(b, `,"global_id":`...), h.GlobalID)
	b = handler.AppendUint(append(b, `,"version":`...), h.Version)
	b = handler.AppendUint(append(b, `,"flags":`...), h.Flags)
	for _, flag := range []struct {
		name string
		on   bool
	}{
		{`,"after_merge":`, h.AfterMerge},
		{`,"after_split":`, h.AfterSplit},
		{`,"before_split":`, h.BeforeSplit},
		{`,"want_merge":`, h.WantMerge},
		{`,"want_split":`, h.WantSplit},
		{`,"is_key_block":`, h.KeyBlock},
	} {
		b = handler.AppendBool(append(b, flag.name...), flag.on)
	}
	prevKey := h.PrevKeyBlockSeqno
	if !h.IsMaster() {
		prevKey = 0 // nodes return it for masterchain blocks only
	}
	b = handler.AppendInt(append(b, `,"validator_list_hash_short":`...), int32(h.ValidatorListHashShort))
	b = handler.AppendUint(append(b, `,"catchain_seqno":`...), h.GenCatchainSeqno)
	b = handler.AppendUint(append(b, `,"min_ref_mc_seqno":`...), h.MinRefMcSeqno)
	b = handler.AppendUint(append(b, `,"prev_key_block_seqno":`...), prevKey)
	b = handler.AppendDecimal(append(b, `,"start_lt":`...), h.StartLT)
	b = handler.AppendDecimal(append(b, `,"end_lt":`...), h.EndLT)
	b = handler.AppendUint(append(b, `,"gen_utime":`...), h.GenUtime)
	b = handler.AppendUint(append(b, `,"vert_seqno":`...), h.VertSeqno)
	b = append(b, `,"prev_blocks":[`...)
	for i, parent := range parents {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendBlockID(b, parent)
	}
	c.b = append(b, "]}"...)
	return nil
}
