package validator

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Session is the validator session of masterchain blocks: who signs them, in the order of the session.
type Session struct {
	CatchainSeqno uint32
	ListHash      uint32 // validator_list_hash_short of the blocks
	Validators    []Validator

	weight uint64 // of all validators
	byNode map[chain.Hash]int
}

// MasterSession returns the session with a catchain seqno of the masterchain, under a configuration.
func MasterSession(config *cell.Dictionary, catchainSeqno uint32) (*Session, error) {
	shuffle, err := shuffled(config)
	if err != nil {
		return nil, err
	}
	set, err := Current(config)
	if err != nil {
		return nil, err
	}
	order := set.Main
	if shuffle {
		order = make([]Validator, len(set.Main))
		for i, j := range masterOrder(catchainSeqno, len(set.Main)) {
			order[i] = set.Main[j]
		}
	}
	s := &Session{
		CatchainSeqno: catchainSeqno, Validators: order,
		ListHash: listHash(catchainSeqno, order),
		byNode:   make(map[chain.Hash]int, len(order)),
	}
	for i := range order {
		s.weight += order[i].Weight
		s.byNode[order[i].NodeID()] = i
	}
	return s, nil
}

// pubEd25519 is the TL constructor pub.ed25519#4813b4c6 in the order of bytes on the wire.
var pubEd25519 = [4]byte{0xc6, 0xb4, 0x13, 0x48}

// NodeID is the hash by which signatures name the validator.
func (v *Validator) NodeID() chain.Hash {
	var b [36]byte
	copy(b[:], pubEd25519[:])
	copy(b[4:], v.Key[:])
	return sha256.Sum256(b[:])
}

// validatorSet is the TL constructor test0.validatorSet#901660ed, whose form is hashed for the list hash.
const validatorSet = 0x901660ed

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// listHash is the CRC-32C over the session: catchain seqno, then key, weight and ADNL id of each validator.
func listHash(catchainSeqno uint32, list []Validator) uint32 {
	b := make([]byte, 0, 12+len(list)*72)
	b = binary.LittleEndian.AppendUint32(b, validatorSet)
	b = binary.LittleEndian.AppendUint32(b, catchainSeqno)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(list)))
	for i := range list {
		b = append(b, list[i].Key[:]...)
		b = binary.LittleEndian.AppendUint64(b, list[i].Weight)
		b = append(b, list[i].ADNL[:]...)
	}
	return crc32.Checksum(b, castagnoli)
}

// Verify checks that validators with more than two thirds of the weight signed the payload. Every signature must hold,
// and no validator may sign twice.
func (s *Session) Verify(payload []byte, signatures []ton.Signature) error {
	if len(signatures) == 0 {
		return errors.New("there are no signatures")
	}
	if len(signatures) > len(s.Validators) {
		return fmt.Errorf("%d signatures of %d validators", len(signatures), len(s.Validators))
	}
	signed := make([]bool, len(s.Validators))
	weight := uint64(0)
	for _, sig := range signatures {
		if len(sig.NodeIDShort) != len(chain.Hash{}) {
			return errors.New("a signature names no validator")
		}
		id := chain.Hash(sig.NodeIDShort)
		i, ok := s.byNode[id]
		if !ok {
			return fmt.Errorf("signature of %s, who is no validator of the session", id)
		}
		if signed[i] {
			return fmt.Errorf("validator %s signed twice", id)
		}
		signed[i] = true
		weight += s.Validators[i].Weight
	}
	if 3*weight <= 2*s.weight { // at most 3·2^61
		return fmt.Errorf("signatures of a weight of %d out of %d, which is not more than two thirds", weight, s.weight)
	}
	for _, sig := range signatures {
		v := &s.Validators[s.byNode[chain.Hash(sig.NodeIDShort)]]
		if !ed25519.Verify(v.Key[:], payload, sig.Signature) {
			return fmt.Errorf("the signature of %s does not hold", chain.Hash(sig.NodeIDShort))
		}
	}
	return nil
}
