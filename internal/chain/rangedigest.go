package chain

import "math"

// DigestBlocks is the number of masterchain blocks that have a digest together.
const DigestBlocks = 1000

// MaxDigests bounds the digests of one request.
const MaxDigests = 100

// RangeDigest is a hash of everything that the index has derived from a range of masterchain blocks.
type RangeDigest struct {
	Range SeqnoRange
	// Hash is equal in every index of the range, in whatever order it was indexed and whatever other blocks are. It covers the complete
	// traces that begin and end in the range.
	Hash Hash
	// CrossingHash covers the complete traces that begin before the range and end in it, as far as the blocks before it are indexed.
	CrossingHash   Hash
	Rows           int64 // that Hash covers
	CrossingTraces int64 // that CrossingHash covers
	WantingTraces  int64 // that lack records of contracts from blocks before the index, so that their actions may differ
	ActionSets     []int // versions of the classifier that made the actions, ascending
}

// DigestRange returns the range that has a digest and contains a masterchain block. It begins at a multiple of [DigestBlocks], the first
// one at 1.
func DigestRange(seqno uint32) SeqnoRange {
	first := seqno / DigestBlocks * DigestBlocks
	last := uint32(math.MaxUint32)
	if first <= last-DigestBlocks {
		last = first + DigestBlocks - 1
	}
	return SeqnoRange{First: max(first, 1), Last: last}
}

// DigestRanges divides a range at the multiples of [DigestBlocks].
func DigestRanges(within SeqnoRange) []SeqnoRange {
	var parts []SeqnoRange
	for first := within.First; first <= within.Last; {
		last := min(DigestRange(first).Last, within.Last)
		parts = append(parts, SeqnoRange{First: first, Last: last})
		if last == math.MaxUint32 {
			break
		}
		first = last + 1
	}
	return parts
}

// FullDigestRanges returns the ranges with a digest that lie in a range.
func FullDigestRanges(within SeqnoRange) []SeqnoRange {
	var full []SeqnoRange
	within.First = max(within.First, 1) // there is no block 0
	for _, r := range DigestRanges(within) {
		if r == DigestRange(r.First) {
			full = append(full, r)
		}
	}
	return full
}

// MissingIn lists the parts of a range that ascending ranges do not contain.
func (r SeqnoRange) MissingIn(ranges []SeqnoRange) []SeqnoRange {
	var missing []SeqnoRange
	next := uint64(r.First)
	for _, run := range ranges {
		first, last := max(run.First, r.First), min(run.Last, r.Last)
		if first > last {
			continue
		}
		if next < uint64(first) {
			missing = append(missing, SeqnoRange{First: uint32(next), Last: first - 1})
		}
		next = uint64(last) + 1
	}
	if next <= uint64(r.Last) {
		missing = append(missing, SeqnoRange{First: uint32(next), Last: r.Last})
	}
	return missing
}
