package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/xssnick/tonutils-go/ton"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
)

const (
	// maxParts bounds the partial proofs that one chain may take. From a network's first block there are about a thousand
	// key blocks a year, and a server puts several into each part.
	maxParts = 4096
	// maxPartLinks bounds the links of one part. Liteservers put at most 16 into it.
	maxPartLinks = 256
)

// provenBlock is a masterchain block that a link has proven.
type provenBlock struct {
	id     chain.BlockIDExt
	isKey  bool
	signed bool // its signatures were checked; false when they need not be, or when an older block is proven
}

// lastOf returns the block that a chain of links from a block ends at.
func lastOf(blocks []provenBlock, from chain.BlockIDExt) chain.BlockIDExt {
	if len(blocks) == 0 {
		return from
	}
	return blocks[len(blocks)-1].id
}

// walkLinks follows and checks the chain of links from one masterchain block to another. The trust remembers the blocks
// on the way; nil remembers none and is for a start that is not proven.
func walkLinks(ctx context.Context, s *server, from, to chain.BlockIDExt, t *trust) error {
	forward := to.Seqno > from.Seqno
	for parts := 0; from != to; parts++ {
		if parts == maxParts {
			return lie(nil, "returned an endless proof of block %d", to.Seqno)
		}
		part, err := call[ton.PartialBlockProof](ctx, s, ton.GetBlockProof{Mode: 1, KnownBlock: toTL(from), TargetBlock: toTL(to)})
		if err != nil {
			return err
		}
		var reached chain.BlockIDExt
		if err := believable("a block proof", func() error {
			reached, err = t.takePart(part, from, to)
			return err
		}); err != nil {
			return err
		}
		if (reached.Seqno > from.Seqno) != forward || reached == from {
			return lie(nil, "returned a block proof that leads nowhere")
		}
		from = t.continueAt(reached, to)
	}
	t.saveNew()
	return nil
}

// takePart checks the links of one response, remembers the blocks up to the first invalid link, and returns the block
// that the response ends at.
func (t *trust) takePart(part ton.PartialBlockProof, from, to chain.BlockIDExt) (chain.BlockIDExt, error) {
	if t == nil {
		blocks, err := checkPart(part, from, to, nil)
		return lastOf(blocks, from), err
	}
	if to.Seqno > from.Seqno { // signatures cost far more than the hashes of links to older blocks
		t.checking.Lock()
		defer t.checking.Unlock()
	}
	blocks, err := checkPart(part, from, to, t)
	signed := 0
	for _, b := range blocks {
		t.add(b.id, b.isKey)
		if b.signed {
			signed++
		}
	}
	reached := lastOf(blocks, from)
	if err == nil {
		t.progress.report(from.Seqno, reached.Seqno, to.Seqno, signed)
	}
	return reached, err
}

// continueAt returns the block that a chain to a block continues at: where this server has led, or further, where others
// have led in the meantime.
func (t *trust) continueAt(reached, to chain.BlockIDExt) chain.BlockIDExt {
	if t == nil || to.Seqno <= reached.Seqno {
		return reached
	}
	if t.isProven(to) {
		return to
	}
	if _, key := t.newest(); key.Seqno > reached.Seqno && key.Seqno < to.Seqno {
		return key
	}
	return reached
}

// checkPart checks the links of one response, several at once, and returns the blocks that they lead over, up to the
// first invalid link.
func checkPart(part ton.PartialBlockProof, from, to chain.BlockIDExt, t *trust) ([]provenBlock, error) {
	if fromTL(part.From) != from {
		return nil, errors.New("it starts from another block than requested")
	}
	if len(part.Steps) > maxPartLinks {
		return nil, fmt.Errorf("it has %d links", len(part.Steps))
	}
	blocks, errs := make([]provenBlock, len(part.Steps)), make([]error, len(part.Steps))
	var invalid atomic.Int64 // the first invalid link so far
	invalid.Store(math.MaxInt64)
	check := func(i int, start chain.BlockIDExt, step any) {
		if invalid.Load() < int64(i) {
			errs[i] = errors.New("the link is not checked")
			return
		}
		errs[i] = believable("a block proof", func() (err error) {
			blocks[i], err = checkLink(start, step, t)
			return err
		})
		for errs[i] != nil {
			first := invalid.Load()
			if first <= int64(i) || invalid.CompareAndSwap(first, int64(i)) {
				return
			}
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	at := from
	for i, step := range part.Steps {
		start := at
		group.Go(func() error { check(i, start, step); return nil })
		at = linkEnd(step)
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err == nil && blocks[i].id.Seqno == to.Seqno && blocks[i].id != to {
			err = fmt.Errorf("block %d on it is not the requested one", to.Seqno)
		}
		if err != nil {
			return blocks[:i], err
		}
	}
	if fromTL(part.To) != at || (part.Complete && at != to) {
		return blocks, errors.New("it ends at another block than it says")
	}
	return blocks, nil
}

// linkEnd returns the block that a link claims to lead to.
func linkEnd(step any) chain.BlockIDExt {
	switch l := step.(type) {
	case ton.BlockLinkForward:
		return fromTL(l.To)
	case ton.BlockLinkBackward:
		return fromTL(l.To)
	default:
		return chain.BlockIDExt{} // refused by checkLink
	}
}

// checkLink checks one link from a block.
func checkLink(from chain.BlockIDExt, step any, t *trust) (b provenBlock, err error) {
	switch l := step.(type) {
	case ton.BlockLinkForward:
		return checkForward(from, l, t)
	case ton.BlockLinkBackward:
		b.id, b.isKey, err = checkBackward(from, l)
		return b, err
	default:
		return b, fmt.Errorf("link of type %T", step)
	}
}
