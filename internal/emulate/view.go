package emulate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"tonql/internal/chain"
)

// View is the chain at one masterchain block. It is shared and read-only.
type View struct {
	Master   chain.Block
	Shards   []chain.Block // the newest block of every indexed shard, including the masterchain's
	FromNode bool          // outside the index: the node proved it
	Since    uint32        // first masterchain block after the newest gap of the index before Master; 0: there is no gap
	latest   bool          // requested as the newest block, so the latest account states belong to it

	libraries *blockLibraries
}

// maxLag is the number of masterchain blocks by which an index may be behind the network while the time of its newest block counts as that of the network.
const maxLag = 60

// Time returns the time of the network, which is that of the View, the newest one, unless the index is behind: then it is the clock of this machine.
func (x *Emulator) Time(ctx context.Context, v *View) uint32 {
	if x.node == nil {
		return v.Master.GenUtime
	}
	head, err := x.node.Head(ctx)
	if err != nil || head.Seqno < v.Master.Seqno+maxLag {
		return v.Master.GenUtime
	}
	return max(v.Master.GenUtime, uint32(time.Now().Unix()))
}

// At returns the View at a masterchain seqno; nil: the newest indexed one. A block outside the index comes from the node.
// It fails with NotFound when neither has the block, and with Behind while the index is empty.
func (x *Emulator) At(ctx context.Context, seqno *uint32) (*View, error) {
	latest := seqno == nil
	if latest {
		head, err := x.headSeqno(ctx)
		if err != nil {
			return nil, err
		}
		if head == 0 {
			return nil, &chain.Error{Kind: chain.Behind, Message: "the index is empty, try again when the first block is indexed"}
		}
		seqno = &head
	}
	if v, ok := x.views.Get(*seqno); ok {
		return v.as(latest), nil
	}
	v, err := Shared(ctx, &x.calls, "view "+strconv.Itoa(int(*seqno)), func(ctx context.Context) (*View, error) {
		return x.loadView(ctx, *seqno)
	})
	if err != nil {
		return nil, err
	}
	return v.as(latest), nil
}

func (v *View) as(latest bool) *View {
	if v.latest == latest {
		return v
	}
	same := *v
	same.latest = latest
	return &same
}

func (x *Emulator) loadView(ctx context.Context, seqno uint32) (*View, error) {
	blocks, err := x.index.ShardState(ctx, seqno)
	if err != nil {
		return nil, err
	}
	v := &View{Shards: blocks}
	for i := range blocks {
		if blocks[i].IsMaster() {
			v.Master = blocks[i]
		}
	}
	if len(blocks) > 0 {
		if v.Since, err = x.since(ctx, seqno); err != nil {
			return nil, err
		}
	} else {
		head, err := x.head(ctx)
		if err != nil {
			return nil, err
		}
		if x.node == nil || seqno > head.Last.Seqno {
			if d, err := x.index.Dropped(ctx); err != nil || d.Last > 0 && seqno <= d.Last {
				return nil, cmp.Or(err, d.Error(fmt.Sprintf("masterchain block %d", seqno)))
			}
			return nil, chain.NotFoundf("masterchain block %d is not in the index, which holds %d to %d", seqno, head.First.Seqno, head.Last.Seqno)
		}
		if v, err = x.viewFromNode(ctx, seqno); err != nil {
			return nil, err
		}
	}
	v.libraries = newBlockLibraries(v.Master.BlockIDExt)
	x.views.Add(seqno, v)
	return v, nil
}

// since returns View.Since of an indexed masterchain block. Blocks that were dropped count as indexed. Blocks before the first one are no gap:
// the index has no state of an account that is older.
func (x *Emulator) since(ctx context.Context, seqno uint32) (uint32, error) {
	runs, err := x.runs(ctx)
	for i, r := range runs {
		if i > 0 && r.First <= seqno && seqno <= r.Last {
			return r.First, err
		}
	}
	return 0, err
}

// joined reports whether the index has every masterchain block between two, first and last included. Blocks that were dropped count as indexed.
func (x *Emulator) joined(ctx context.Context, first, last uint32) (bool, error) {
	runs, err := x.runs(ctx)
	return slices.ContainsFunc(runs, func(r chain.SeqnoRange) bool { return r.First <= first && last <= r.Last }), err
}

// runs lists the indexed ranges, ascending, the dropped blocks among them: the states of accounts after these are retained.
func (x *Emulator) runs(ctx context.Context) ([]chain.SeqnoRange, error) {
	indexed, err := x.index.Ranges(ctx)
	if err != nil {
		return nil, err
	}
	dropped, err := x.index.Dropped(ctx)
	if err != nil || dropped.Last == 0 {
		return indexed, err
	}
	runs := []chain.SeqnoRange{{Last: dropped.Last}}
	if dropped.Gap > 0 { // what is older matters no more
		runs = []chain.SeqnoRange{{}, {First: dropped.Gap + 1, Last: dropped.Last}}
	}
	for _, r := range indexed {
		if before := &runs[len(runs)-1]; uint64(r.First) <= uint64(before.Last)+1 {
			before.Last = max(before.Last, r.Last)
			continue
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// BlockOf returns the newest block of the shard that an account belongs to, or the masterchain block when the shard's
// block is older than the index.
func (v *View) BlockOf(a chain.Address) *chain.Block {
	for i := range v.Shards {
		if b := &v.Shards[i]; b.Workchain == a.Workchain && b.Shard.Contains(a.ID) {
			return b
		}
	}
	return &v.Master
}
