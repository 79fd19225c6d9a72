package indexer

import (
	"slices"

	"tonql/internal/chain"
)

// plan says what a session has to do: follow from one seqno on, and fill what is missing below it.
type plan struct {
	floor  uint32 // lowest wanted seqno
	follow uint32 // first seqno of the following part
	ledger []chain.SeqnoRange
}

// nearby is how far behind the head an index may be and still simply go on following; beyond that, the newest blocks
// come first and the gap is refilled beside them.
const nearby = 256

func newPlan(floor, head uint32, ledger []chain.SeqnoRange) *plan {
	p := &plan{floor: floor, follow: max(floor, head), ledger: ledger}
	start := floor
	if n := len(ledger); n > 0 && ledger[n-1].Last >= floor {
		start = ledger[n-1].Last + 1
	}
	if start > head || head-start < nearby {
		p.follow = start
	}
	return p
}

// as is the plan with the ledger as it is now. Following writes in order, so whatever is missing below the newest run is
// a gap, even where following had passed already.
func (p *plan) as(ledger []chain.SeqnoRange) *plan {
	now := plan{floor: p.floor, follow: p.follow, ledger: ledger}
	if n := len(ledger); n > 0 {
		now.follow = max(now.follow, ledger[n-1].Last+1)
	}
	return &now
}

// gaps are the missing runs below follow, ascending. What lies between two indexed runs is missing even below floor.
func (p *plan) gaps() []chain.SeqnoRange {
	from := p.floor
	if len(p.ledger) > 0 {
		from = min(from, p.ledger[0].First)
	}
	var gaps []chain.SeqnoRange
	for _, r := range p.ledger {
		if from < r.First && from < p.follow {
			gaps = append(gaps, chain.SeqnoRange{First: from, Last: min(r.First, p.follow) - 1})
		}
		from = max(from, r.Last+1)
	}
	// The last run may end below the floor: what follows it up to the floor is between two runs, too, once the index
	// has anything above.
	if from < p.follow {
		gaps = append(gaps, chain.SeqnoRange{First: from, Last: p.follow - 1})
	}
	return gaps
}

func (p *plan) missing() uint32 {
	var n uint32
	for _, g := range p.gaps() {
		n += g.Len()
	}
	return n
}

// batches cuts gaps into runs of at most size, newest first. The cuts lie on multiples of size, so that they are the
// same whenever they are made.
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
