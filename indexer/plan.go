package indexer

import (
	"slices"

	"tonql/internal/chain"
)

// plan is what a session has to index: follow from one seqno on, and fill the gaps below it.
type plan struct {
	floor   uint32 // lowest seqno to index
	follow  uint32 // first seqno to follow from
	first   uint32 // lowest seqno to retain
	indexed []chain.SeqnoRange
}

// nearby is how many blocks an index may be behind the head to continue by following. An index that is further behind
// follows from the head, and fills the gap at the same time.
const nearby = 256

func newPlan(floor, head uint32, indexed []chain.SeqnoRange) *plan {
	p := &plan{floor: floor, follow: max(floor, head), indexed: indexed}
	start := floor
	if n := len(indexed); n > 0 && indexed[n-1].Last >= floor {
		start = indexed[n-1].Last + 1
	}
	if start > head || head-start < nearby {
		p.follow = start
	}
	return p
}

// update returns the plan for the present indexed ranges. Following writes in order, so whatever is missing below the
// newest range is a gap, even above the seqno from which the session follows.
func (p *plan) update(indexed []chain.SeqnoRange) *plan {
	now := plan{floor: p.floor, follow: p.follow, first: p.first, indexed: indexed}
	if n := len(indexed); n > 0 {
		now.follow = max(now.follow, indexed[n-1].Last+1)
	}
	return &now
}

// gaps returns the missing ranges below follow, ascending. Gaps between two indexed ranges count even below floor, but not what is not
// retained.
func (p *plan) gaps() []chain.SeqnoRange {
	from := p.floor
	if len(p.indexed) > 0 {
		from = min(from, p.indexed[0].First)
	}
	var gaps []chain.SeqnoRange
	for _, r := range p.indexed {
		if from < r.First && from < p.follow {
			gaps = append(gaps, chain.SeqnoRange{First: from, Last: min(r.First, p.follow) - 1})
		}
		from = max(from, r.Last+1)
	}
	// The last range may end below the floor. The blocks from there to the floor are a gap between two ranges as soon as
	// anything above is indexed.
	if from < p.follow {
		gaps = append(gaps, chain.SeqnoRange{First: from, Last: p.follow - 1})
	}
	return retained(gaps, p.first)
}

// blocksIn returns the number of blocks in ranges.
func blocksIn(ranges []chain.SeqnoRange) (n uint32) {
	for _, r := range ranges {
		n += r.Len()
	}
	return n
}

// missingIn returns the parts of within that canonical ranges do not contain, ascending.
func missingIn(within chain.SeqnoRange, indexed []chain.SeqnoRange) (gaps []chain.SeqnoRange) {
	first := uint64(within.First)
	for _, r := range indexed {
		if r.Last < within.First || r.First > within.Last {
			continue
		}
		if first < uint64(r.First) {
			gaps = append(gaps, chain.SeqnoRange{First: uint32(first), Last: r.First - 1})
		}
		first = uint64(r.Last) + 1
	}
	if first <= uint64(within.Last) {
		gaps = append(gaps, chain.SeqnoRange{First: uint32(first), Last: within.Last})
	}
	return gaps
}

// batches splits gaps into ranges of at most size blocks, newest first. The boundaries are multiples of size, so that
// every call makes the same batches.
func batches(gaps []chain.SeqnoRange, size int) []chain.SeqnoRange {
	var out []chain.SeqnoRange
	step := uint32(size)
	for _, g := range slices.Backward(gaps) {
		for last := g.Last; ; {
			first := max(g.First, last/step*step)
			out = append(out, chain.SeqnoRange{First: first, Last: last})
			if first == g.First {
				break
			}
			last = first - 1
		}
	}
	return out
}
