package ledger

import (
	"crypto/sha256"
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// A Simplex session is a sequence of slots, each of which has at most one candidate: a new
// block, or an empty candidate that repeats the block of its parent. Validators notarize the
// candidate of a slot and then finalize it; final votes for an empty candidate finalize
// the block that it repeats.
//
// The local chain produces all of that on a fixed schedule, so that clients meet every form:
// most blocks are finalized in their own slot, every fifth one only by an empty
// candidate in the next slot, and every seventh slot or so is skipped.
const (
	emptyEvery = 5
	skipEvery  = 7
	// checkpointEvery is the number of blocks between two candidate ids in memory.
	checkpointEvery = 128
)

// noCollatedData is the hash of the proofs that come with a candidate: the local chain has none.
var noCollatedData = sha256.Sum256(nil)

// slotOf returns the slot of the candidate with the i-th block of a session, from 0.
func slotOf(i uint32) uint32 { return i + i/emptyEvery + (i+1)/skipEvery }

// emptied reports whether an empty candidate finalizes the i-th block of a session.
func emptied(i uint32) bool { return i%emptyEvery == emptyEvery-1 }

// finalize signs a block in the form of Simplex. The caller holds sessions.mu.
func (c *Chain) finalize(s *session, b *Block) (ton.SignatureSetSimplex, error) {
	i := b.ID.SeqNo - s.keySeqno - 1
	parent, err := c.candidateAt(s, i)
	if err != nil {
		return ton.SignatureSetSimplex{}, err
	}
	candidate, data, err := finalCandidate(i, b.ID, parent)
	if err != nil {
		return ton.SignatureSetSimplex{}, err
	}
	payload, err := simplexVote(s.id, candidate)
	if err != nil {
		return ton.SignatureSetSimplex{}, err
	}
	signers, err := s.set.certificate(int(candidate.Slot) % len(s.set.signers))
	if err != nil {
		return ton.SignatureSetSimplex{}, err
	}
	return ton.SignatureSetSimplex{
		CCSeqno:          genesis.CatchainSeqno,
		ValidatorSetHash: int32(s.set.listHash),
		Signatures:       sign(signers, payload),
		SessionID:        s.id,
		Slot:             candidate.Slot,
		Candidate:        data,
	}, nil
}

// simplexVote returns the signed bytes of a final vote.
func simplexVote(session []byte, candidate ton.ConsensusCandidateID) ([]byte, error) {
	vote, err := tl.Serialize(ton.ConsensusSimplexFinalizeVote{ID: candidate}, true)
	if err != nil {
		return nil, fmt.Errorf("final vote: %w", err)
	}
	payload, err := tl.Serialize(ton.ConsensusDataToSign{SessionID: session, Data: vote}, true)
	if err != nil {
		return nil, fmt.Errorf("signed vote: %w", err)
	}
	return payload, nil
}

// finalCandidate returns the candidate whose finalization finalizes the i-th block of a session.
// Its parent is nil at the start of the session.
func finalCandidate(i uint32, block ton.BlockIDExt, parent *ton.ConsensusCandidateID) (ton.ConsensusCandidateID, []byte, error) {
	ordinary := ton.ConsensusCandidateHashDataOrdinary{
		Block: block, CollatedFileHash: noCollatedData[:], Parent: ton.ConsensusCandidateWithoutParents{},
	}
	if parent != nil {
		ordinary.Parent = ton.ConsensusCandidateParent{ID: *parent}
	}
	id, data, err := candidateID(slotOf(i), ordinary)
	if err != nil || !emptied(i) {
		return id, data, err
	}
	return candidateID(slotOf(i)+1, ton.ConsensusCandidateHashDataEmpty{Block: block, Parent: id})
}

func candidateID(slot uint32, hashed tl.Serializable) (ton.ConsensusCandidateID, []byte, error) {
	data, err := tl.Serialize(hashed, true)
	if err != nil {
		return ton.ConsensusCandidateID{}, nil, fmt.Errorf("candidate of slot %d: %w", slot, err)
	}
	hash := sha256.Sum256(data)
	return ton.ConsensusCandidateID{Slot: int32(slot), Hash: hash[:]}, data, nil
}

// candidateAt returns the parent of the candidate with the i-th block of a session: each candidate
// contains the hash of the one before. It starts at the last checkpoint and adds those on its
// way. The caller holds sessions.mu.
func (c *Chain) candidateAt(s *session, i uint32) (*ton.ConsensusCandidateID, error) {
	have := uint32(len(s.candidates))
	start := min(i/checkpointEvery, have)
	var parent *ton.ConsensusCandidateID
	if start > 0 {
		parent = &s.candidates[start-1]
	}
	for n := start * checkpointEvery; n < i; n++ {
		id, err := c.masterID(s.keySeqno + 1 + n)
		if err != nil {
			return nil, err
		}
		next, _, err := finalCandidate(n, id, parent)
		if err != nil {
			return nil, err
		}
		parent = &next
		if (n+1)%checkpointEvery == 0 && (n+1)/checkpointEvery == uint32(len(s.candidates))+1 {
			s.candidates = append(s.candidates, next)
		}
	}
	return parent, nil
}

// masterID returns the id of a masterchain block without its content.
func (c *Chain) masterID(seqno uint32) (ton.BlockIDExt, error) {
	full := layout.FullShard
	c.mu.RLock()
	e, ok := c.index.bySeqno(blockKey{shardKey{layout.Masterchain, full}, seqno})
	c.mu.RUnlock()
	if !ok {
		return ton.BlockIDExt{}, notFound("masterchain block %d", seqno)
	}
	return ton.BlockIDExt{Workchain: layout.Masterchain, Shard: int64(full), SeqNo: seqno, RootHash: e.RootHash[:], FileHash: e.FileHash[:]}, nil
}
