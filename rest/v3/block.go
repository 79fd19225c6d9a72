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

// spanPage caches the encoded response of /masterchainInfo, the most requested route. It is encoded once per change of the
// indexed range. Safe for concurrent use.
type spanPage struct {
	encoded atomic.Pointer[encodedSpan]
}

type encodedSpan struct {
	of   *chain.MasterchainInfo
	body []byte
}

func (p *spanPage) append(b []byte, info *chain.MasterchainInfo) []byte {
	span := p.encoded.Load()
	if span == nil || span.of != info {
		body := appendBlock([]byte(`{"last":`), &info.Last)
		body = appendBlock(append(body, `,"first":`...), &info.First)
		span = &encodedSpan{of: info, body: append(body, '}')}
		p.encoded.Store(span)
	}
	return append(b, span.body...)
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

// seqno reads a seqno, which the published API declares as a signed number. A negative value becomes a seqno that no
// block has.
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
		if c.mcSeqno == 0 { // an immutable block, read without a snapshot
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
