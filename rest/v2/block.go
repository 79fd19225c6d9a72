package v2

import (
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
	// The index does not keep the root of the masterchain's state.
	c.b = append(appendBlockID(append(b, `,"state_root_hash":"","init":`...), zero), '}')
	return nil
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

// place reads workchain and shard.
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
	f := chain.BlockFilter{Workchain: &workchain, Seqno: seqno}
	var found *chain.Block
	var err error
	switch {
	case seqno != nil:
		found, err = c.firstBlock(f, shard, chain.Ascending)
	case utime != nil:
		f.StartUtime = new(uint32(*utime))
		found, err = c.firstBlock(f, shard, chain.Ascending)
	default:
		found, err = c.blockByLT(f, shard, uint64(*lt))
	}
	if err != nil {
		return err
	}
	c.b = appendBlockID(c.b, found.BlockIDExt)
	return nil
}

// blockByLT is the first block of a shard that ends at lt or later: the last that begins by then, or the one after it.
func (c *call) blockByLT(f chain.BlockFilter, shard chain.Shard, lt uint64) (*chain.Block, error) {
	f.EndLT = &lt
	found, err := c.firstBlock(f, shard, chain.Descending)
	if err == nil && found.EndLT >= lt {
		return found, nil
	}
	if err != nil && chain.KindOf(err) != chain.NotFound {
		return nil, err
	}
	f.StartLT, f.EndLT = &lt, nil
	return c.firstBlock(f, shard, chain.Ascending)
}

// firstBlock finds the first block that matches f whose shard holds the prefix that shard stands for.
func (c *call) firstBlock(f chain.BlockFilter, shard chain.Shard, sort chain.Sort) (*chain.Block, error) {
	var prefix chain.Hash
	for i := range 8 {
		prefix[i] = byte(shard >> (56 - 8*i))
	}
	const rows = 64
	for page := range 8 { // far more blocks than shards have at one time
		blocks, err := c.svc.Blocks(c.ctx, f, chain.Page{Limit: rows, Offset: page * rows, Sort: sort})
		if err != nil {
			return nil, err
		}
		for i := range blocks {
			if blocks[i].Shard == shard || blocks[i].Shard.Contains(prefix) {
				return &blocks[i], nil
			}
		}
		if len(blocks) < rows {
			break
		}
	}
	return nil, chain.NotFoundf("the block is not in the index")
}

func shards(c *call) error {
	seqno := c.p.seqno("seqno")
	c.p.required("seqno", seqno != nil)
	if err := c.p.end(); err != nil {
		return err
	}
	blocks, err := c.svc.ShardState(c.ctx, *seqno)
	if err != nil {
		return err
	}
	b, first := append(c.b, `{"@type":"blocks.shards","shards":[`...), true
	for i := range blocks {
		if blocks[i].IsMaster() {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		b, first = appendBlockID(b, blocks[i].BlockIDExt), false
	}
	c.b = append(b, "]}"...)
	return nil
}

// blockQuestion names a block; a full id must be that of the block found.
type blockQuestion struct {
	workchain  int32
	shard      chain.Shard
	seqno      *uint32
	root, file *chain.Hash
}

func (p *params) block() (q blockQuestion) {
	q.workchain, q.shard = p.place()
	q.seqno = p.seqno("seqno")
	p.required("seqno", q.seqno != nil)
	q.root, q.file = p.hash("root_hash"), p.hash("file_hash")
	return q
}

func (c *call) findBlock(q blockQuestion) (*chain.Block, error) {
	f := chain.BlockFilter{Workchain: &q.workchain, Seqno: q.seqno}
	found, err := c.firstBlock(f, q.shard, chain.Ascending)
	if err != nil {
		return nil, err
	}
	if q.root != nil && q.file != nil && (*q.root != found.RootHash || *q.file != found.FileHash) {
		return nil, chain.NotFoundf("the block is not in the index: %s has other hashes", found.BlockID)
	}
	return found, nil
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
	known, err := c.svc.BlockIDs(c.ctx, h.PrevBlocks)
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
		prevKey = 0 // nodes tell it of masterchain blocks alone
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
	for i, prev := range h.PrevBlocks {
		if i > 0 {
			b = append(b, ',')
		}
		id, ok := known[prev]
		if !ok {
			id.BlockID = prev
		}
		b = appendBlockID(b, id)
	}
	c.b = append(b, "]}"...)
	return nil
}
