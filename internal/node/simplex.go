package node

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
	"tonql/internal/validator"
)

// Under the Simplex consensus validators vote for candidates in the slots of a session. A set of signatures holds the
// final votes for one candidate, and the candidate names the block. The votes are bound to the block by the hash of the
// candidate, and to a session by its id.
//
// The session id is the hash of the validators, the catchain seqno, the last key block, and of two values that no proof
// shows: the consensus options as the node's software hashes them and the vertical seqno, both of which operators can
// override. So it cannot be derived here, and the node does not derive it either when it checks a set. It need not be:
// whatever the session, the votes are final, name this block, and are of the validators in force.

// Constructors of what is signed, in TL. Types in capitals are boxed, so a parent has two constructors.
const (
	tlDataToSign        = 0xa8e33df8 // consensus.dataToSign session_id:int256 data:bytes
	tlFinalizeVote      = 0x40a7e105 // consensus.simplex.finalizeVote id:consensus.CandidateId
	tlCandidateID       = 0xb691cd3f // consensus.candidateId slot:int hash:int256
	tlCandidateOrdinary = 0xe8f9bcdc // consensus.candidateHashDataOrdinary block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent
	tlCandidateEmpty    = 0x72b4d933 // consensus.candidateHashDataEmpty block:tonNode.blockIdExt parent:consensus.candidateId
	tlCandidateParent   = 0x1a4b9af1 // consensus.candidateParent id:consensus.CandidateId
	tlNoCandidateParent = 0x22cbcca9 // consensus.candidateWithoutParents
)

// Sizes in TL.
const (
	blockIDSize     = 4 + 8 + 4 + 32 + 32 // tonNode.blockIdExt
	candidateIDSize = 4 + 32              // consensus.candidateId without its constructor
	voteSize        = 4 + 4 + candidateIDSize
)

// checkSimplex checks the final votes of a Simplex session for a block.
func checkSimplex(to chain.BlockIDExt, session *validator.Session, set ton.SignatureSetSimplex) error {
	if len(set.SessionID) != sha256.Size {
		return errors.New("the Simplex session has no id")
	}
	block, err := candidateBlock(set.Candidate)
	if err != nil {
		return fmt.Errorf("candidate: %w", err)
	}
	if block != to {
		return errors.New("the candidate is another block")
	}
	return session.Verify(finalVote(set), set.Signatures)
}

// candidateBlock returns the block that a candidate proposes or, when it is empty, repeats. It accepts exactly the bytes
// that the node would write.
func candidateBlock(b []byte) (id chain.BlockIDExt, err error) {
	tag, rest, err := readTag(b)
	if err != nil {
		return id, err
	}
	if len(rest) < blockIDSize {
		return id, errors.New("it is too short")
	}
	id, rest = readBlockID(rest), rest[blockIDSize:]
	switch tag {
	case tlCandidateEmpty:
		return id, exactly(rest, candidateIDSize)
	case tlCandidateOrdinary:
		if len(rest) < sha256.Size {
			return id, errors.New("it is too short")
		}
		return id, checkParent(rest[sha256.Size:])
	default:
		return id, fmt.Errorf("it has the unknown constructor %#x", tag)
	}
}

// checkParent checks the form of a CandidateParent that ends a candidate.
func checkParent(b []byte) error {
	tag, rest, err := readTag(b)
	if err != nil {
		return err
	}
	switch tag {
	case tlNoCandidateParent:
		return exactly(rest, 0)
	case tlCandidateParent:
		if tag, rest, err = readTag(rest); err != nil {
			return err
		}
		if tag == tlCandidateID {
			return exactly(rest, candidateIDSize)
		}
	}
	return fmt.Errorf("its parent has the unknown constructor %#x", tag)
}

func readTag(b []byte) (tag uint32, rest []byte, err error) {
	if len(b) < 4 {
		return 0, nil, errors.New("it is too short")
	}
	return binary.LittleEndian.Uint32(b), b[4:], nil
}

func exactly(b []byte, size int) error {
	if len(b) != size {
		return fmt.Errorf("it ends with %d bytes instead of %d", len(b), size)
	}
	return nil
}

// readBlockID reads a tonNode.blockIdExt; b is long enough.
func readBlockID(b []byte) chain.BlockIDExt {
	return chain.BlockIDExt{
		BlockID: chain.BlockID{
			Workchain: int32(binary.LittleEndian.Uint32(b)),
			Shard:     chain.Shard(binary.LittleEndian.Uint64(b[4:])),
			Seqno:     binary.LittleEndian.Uint32(b[12:]),
		},
		RootHash: chain.Hash(b[16:48]),
		FileHash: chain.Hash(b[48:80]),
	}
}

// finalVote returns what validators sign to finalize the candidate of a slot.
func finalVote(set ton.SignatureSetSimplex) []byte {
	hash := sha256.Sum256(set.Candidate)
	b := make([]byte, 0, 84)
	b = binary.LittleEndian.AppendUint32(b, tlDataToSign)
	b = append(b, set.SessionID...)
	b = append(b, voteSize) // the length of the bytes that follow
	b = binary.LittleEndian.AppendUint32(b, tlFinalizeVote)
	b = binary.LittleEndian.AppendUint32(b, tlCandidateID)
	b = binary.LittleEndian.AppendUint32(b, uint32(set.Slot))
	b = append(b, hash[:]...)
	return append(b, 0, 0, 0) // bytes are padded to a multiple of four
}
