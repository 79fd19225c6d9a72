package v3

import (
	"context"
	"sync/atomic"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

func masterchainInfo(c *call) (func() error, error) {
	return func() error { return c.printSpan(c.ctx, c.out) }, nil
}

func (a *api) printSpan(ctx context.Context, out *handler.Stream) error {
	info, err := a.svc.MasterchainInfo(ctx)
	if err != nil {
		return orEmptyIndex(err)
	}
	out.B = a.span.append(out.B, info)
	return nil
}

// spanPage is the span of the index as it is printed, made once for all who ask while it stands: it is what clients ask
// most.
type spanPage struct {
	made atomic.Pointer[printedSpan]
}

type printedSpan struct {
	of   *chain.MasterchainInfo
	body []byte
}

func (p *spanPage) append(b []byte, info *chain.MasterchainInfo) []byte {
	made := p.made.Load()
	if made == nil || made.of != info {
		body := appendBlock([]byte(`{"last":`), &info.Last)
		body = appendBlock(append(body, `,"first":`...), &info.First)
		made = &printedSpan{of: info, body: append(body, '}')}
		p.made.Store(made)
	}
	return append(b, made.body...)
}

func blocks(c *call) (func() error, error) {
	f := chain.BlockFilter{
		Workchain: c.q.Int32("workchain"), Shard: c.q.Shard("shard"), Seqno: seqno(c.q, "seqno"),
		RootHash: c.q.Hash("root_hash"), FileHash: c.q.Hash("file_hash"), McSeqno: seqno(c.q, "mc_seqno"),
		StartUtime: c.q.Utime("start_utime"), EndUtime: c.q.Utime("end_utime"),
		StartLT: c.q.Uint64("start_lt"), EndLT: c.q.Uint64("end_lt"),
	}
	p := c.cursored(c.page(), chain.BlockList)
	return func() error {
		rows, err := c.svc.Last().Blocks(c.ctx, f, p)
		return c.printBlocks(rows, err)
	}, nil
}

func shardState(c *call) (func() error, error) {
	mcSeqno := uint32(max(0, c.q.Lenient("seqno")))
	return func() error {
		rows, err := c.svc.Last().ShardState(c.ctx, mcSeqno)
		return c.printBlocks(rows, err)
	}, nil
}

func shardBlocks(c *call) (func() error, error) {
	mcSeqno, p := uint32(max(0, c.q.Lenient("seqno"))), c.cursored(c.page(), chain.BlockList)
	return func() error {
		rows, err := c.svc.Last().ShardBlocks(c.ctx, mcSeqno, p)
		return c.printBlocks(rows, err)
	}, nil
}

// seqno reads a seqno, published as a signed number. A negative one becomes a seqno no block has, so it finds nothing.
func seqno(q *handler.Query, name string) *uint32 {
	v := q.Int32(name)
	if v == nil {
		return nil
	}
	n := uint32(*v)
	return &n
}

func (c *call) printBlocks(rows []chain.Block, err error) error {
	if err != nil {
		return err
	}
	if n := len(rows); n > 0 {
		if c.mcSeqno == 0 { // a finished block, read from no state
			c.asOf(max(c.head, rows[0].McSeqno))
		}
		c.offerNext(n, rows[n-1].Cursor())
	}
	c.out.B = append(c.out.B, `{"blocks":[`...)
	for i := range rows {
		if i > 0 {
			c.out.B = append(c.out.B, ',')
		}
		c.out.B = appendBlock(c.out.B, &rows[i])
		if err := c.out.Spill(); err != nil {
			return err
		}
	}
	c.out.B = append(c.out.B, "]}"...)
	return nil
}
