package nodetest

import (
	"slices"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
)

// falsifyVotes changes the votes of Simplex in every link between masterchain blocks.
func falsifyVotes(change func(set *ton.SignatureSetSimplex)) Fault {
	return Falsify(func(a ton.PartialBlockProof) tl.Serializable {
		for i, step := range a.Steps {
			l, ok := step.(ton.BlockLinkForward)
			if !ok {
				continue
			}
			if set, ok := l.SignatureSet.(ton.SignatureSetSimplex); ok {
				set.Signatures, set.Candidate = slices.Clone(set.Signatures), slices.Clone(set.Candidate)
				change(&set)
				l.SignatureSet = set
				a.Steps[i] = l
			}
		}
		return a
	})
}

// MissingVote removes a vote, without which the others are not enough.
func MissingVote() Fault {
	return falsifyVotes(func(set *ton.SignatureSetSimplex) { set.Signatures = set.Signatures[1:] })
}

// RepeatedVote replaces a vote by another one of the set.
func RepeatedVote() Fault {
	return falsifyVotes(func(set *ton.SignatureSetSimplex) { set.Signatures[0] = set.Signatures[1] })
}

// ForeignSigner ascribes a vote to a key that is no validator's.
func ForeignSigner() Fault {
	return falsifyVotes(func(set *ton.SignatureSetSimplex) {
		set.Signatures[0].NodeIDShort = flipped(set.Signatures[0].NodeIDShort)
	})
}

// ForeignSession moves the votes to another session.
func ForeignSession() Fault {
	return falsifyVotes(func(set *ton.SignatureSetSimplex) { set.SessionID = flipped(set.SessionID) })
}

// OtherSlot moves the votes to another slot.
func OtherSlot() Fault {
	return falsifyVotes(func(set *ton.SignatureSetSimplex) { set.Slot++ })
}

// OtherCandidate changes the block that the candidate names.
func OtherCandidate() Fault {
	return falsifyVotes(func(set *ton.SignatureSetSimplex) { set.Candidate[40] ^= 1 })
}

// LongCandidate adds a mebibyte to the candidate.
func LongCandidate() Fault {
	return falsifyVotes(func(set *ton.SignatureSetSimplex) { set.Candidate = append(set.Candidate, make([]byte, 1<<20)...) })
}

// OrdinaryForm passes the votes off as signatures of the ordinary form.
func OrdinaryForm() Fault {
	return Falsify(func(a ton.PartialBlockProof) tl.Serializable {
		for i, step := range a.Steps {
			l, ok := step.(ton.BlockLinkForward)
			if !ok {
				continue
			}
			if set, ok := l.SignatureSet.(ton.SignatureSetSimplex); ok {
				l.SignatureSet = ton.SignatureSetOrdinary{
					ValidatorSetHash: set.ValidatorSetHash, CatchainSeqno: set.CCSeqno, Signatures: set.Signatures,
				}
				a.Steps[i] = l
			}
		}
		return a
	})
}
