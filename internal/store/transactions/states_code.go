package transactions

import (
	"encoding/binary"
	"errors"
	"math/big"

	"tonql/internal/chain"
)

// The column states of a transaction has the state of the account after the transaction and the one before it, in this form: a byte of
// flags; the hashes of code and data after; the other fields after; the state before, with hashes only where they differ; and, to the
// end, the rest of the state after. What the transaction says itself is left out: LTs, hashes of transactions and of states.
//
// The hashes of code and data come first, so that SQL finds them: see [CodeOfStates].
const (
	statesCode        = 0x01 // the state after has code, 32 bytes from the second byte on
	statesData        = 0x02 // and data, the next 32 bytes
	statesNone        = 0x04 // there is no account after
	statesBefore      = 0x30 // mask of what is given of the state before
	statesUnknown     = 0x00 // it is looked up by its key
	statesBeforeNone  = 0x10 // there was no account, and no transaction that deleted it
	statesDeleted     = 0x20 // the transaction before deleted the account
	statesBeforeGiven = 0x30 // its fields follow
)

// The flags of the fields of a state.
const (
	fieldStatus = 0x03
	fieldFrozen = 0x04
	fieldDue    = 0x08
	fieldExtra  = 0x10
)

// The hashes of code and data before, two bits each.
const (
	sameHash  = 0
	noHash    = 1
	otherHash = 2
)

// SQL expressions over the column of a transaction t.
const (
	// CodeOfStates is the hash of the code after a transaction.
	CodeOfStates = `substr(t.states, 2, 32)`
	// DataOfStates is the hash of the data after a transaction that leaves code, NULL for none.
	DataOfStates = `CASE WHEN get_byte(t.states, 0) & 2 <> 0 THEN substr(t.states, 34, 32) END`
	// LeftState is the condition for a transaction whose state after it is in the index.
	LeftState = `(t.states IS NOT NULL OR EXISTS (SELECT 1 FROM account_states o WHERE o.account = t.account AND o.lt = t.lt))`
	// StatesHaveCode is the condition for a transaction that leaves code.
	StatesHaveCode = `get_byte(t.states, 0) & 1 <> 0`
)

var errStates = errors.New("states around a transaction are malformed")

// EncodeStates returns the column states of a transaction from states by the keys of the transactions that left them. It is nil if the
// state after the transaction is unknown, or lacks its rest.
func EncodeStates(t *chain.Transaction, states map[chain.TransactionKey]*chain.AccountState) []byte {
	before, after := states[chain.TransactionKey{Account: t.Account, LT: t.PrevLT}], states[t.Key()]
	if after == nil || after.Hash != t.StateHashAfter || after.TxHash != t.Hash || after.Rest == nil && after.Status != chain.Nonexist {
		return nil
	}
	if before != nil && (before.Hash != t.StateHashBefore || before.TxHash != t.PrevHash) {
		before = nil
	}
	b := make([]byte, 1, 128)
	none := after.Status == chain.Nonexist
	if none {
		b[0] |= statesNone
	} else {
		if after.CodeHash != nil {
			b[0] |= statesCode
			b = append(b, after.CodeHash[:]...)
		}
		if after.DataHash != nil {
			b[0] |= statesData
			b = append(b, after.DataHash[:]...)
		}
		b = appendState(b, after, t.Now)
	}
	switch {
	case t.OrigStatus == chain.Nonexist && t.PrevLT == 0:
		b[0] |= statesBeforeNone
	case before == nil:
	case before.Status == chain.Nonexist:
		b[0] |= statesDeleted
	default:
		b[0] |= statesBeforeGiven
		b = append(b, hashChange(before.CodeHash, after.CodeHash)|hashChange(before.DataHash, after.DataHash)<<2)
		b = appendOther(b, before.CodeHash, after.CodeHash)
		b = appendOther(b, before.DataHash, after.DataHash)
		b = appendState(b, before, t.Now)
	}
	if none {
		return b
	}
	return append(b, after.Rest...)
}

func hashChange(before, after *chain.Hash) byte {
	switch {
	case before == nil:
		return noHash
	case after != nil && *before == *after:
		return sameHash
	default:
		return otherHash
	}
}

func appendOther(b []byte, before, after *chain.Hash) []byte {
	if hashChange(before, after) == otherHash {
		return append(b, before[:]...)
	}
	return b
}

// appendState appends the fields of a state but the hashes of code and data. now is the time of the transaction.
func appendState(b []byte, s *chain.AccountState, now uint32) []byte {
	flags := byte(s.Status)
	if s.FrozenHash != nil {
		flags |= fieldFrozen
	}
	if s.DuePayment != nil {
		flags |= fieldDue
	}
	if len(s.Extra) > 0 {
		flags |= fieldExtra
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, uint64(s.Balance))
	b = binary.AppendVarint(b, int64(now)-int64(s.LastPaid))
	b = binary.AppendUvarint(b, s.UsedCells)
	b = binary.AppendUvarint(b, s.UsedBits)
	if s.FrozenHash != nil {
		b = append(b, s.FrozenHash[:]...)
	}
	if s.DuePayment != nil {
		b = binary.AppendUvarint(b, uint64(*s.DuePayment))
	}
	if len(s.Extra) > 0 {
		b = binary.AppendUvarint(b, uint64(len(s.Extra)))
		for _, id := range s.Extra.IDs() {
			b = binary.AppendUvarint(b, uint64(id))
			amount := s.Extra[id].Bytes()
			b = append(append(b, byte(len(amount))), amount...)
		}
	}
	return b
}

// aroundParts is the memory of all that the states around a transaction point to.
type aroundParts struct {
	after, before stateParts
}

// decodeStates reads the column states of a transaction. given is false if the state before must be looked up; before has only its hash
// then, as if there was no account.
func decodeStates(t *chain.Transaction, before, after *chain.AccountState) (given bool, err error) {
	if len(t.States) == 0 {
		return false, errStates
	}
	p := &aroundParts{}
	r := statesReader{b: t.States[1:], now: t.Now}
	flags := t.States[0]
	*after = chain.AccountState{Account: t.Account, LT: t.LT, TxHash: t.Hash, Hash: t.StateHashAfter, Status: chain.Nonexist}
	if flags&statesNone == 0 {
		if flags&statesCode != 0 {
			after.CodeHash = r.hash(&p.after.code)
		}
		if flags&statesData != 0 {
			after.DataHash = r.hash(&p.after.data)
		}
		r.state(after, &p.after)
	}
	*before = chain.AccountState{Account: t.Account, Hash: t.StateHashBefore}
	switch flags & statesBefore {
	case statesUnknown, statesBeforeNone:
	case statesDeleted:
		before.LT, before.TxHash, before.Status = t.PrevLT, t.PrevHash, chain.Nonexist
	case statesBeforeGiven:
		before.LT, before.TxHash = t.PrevLT, t.PrevHash
		change := r.byte()
		before.CodeHash = r.changed(change&3, after.CodeHash, &p.before.code)
		before.DataHash = r.changed(change>>2, after.DataHash, &p.before.data)
		r.state(before, &p.before)
	}
	if flags&statesNone == 0 {
		after.Rest = r.b
	} else if len(r.b) > 0 {
		r.fail()
	}
	if r.failed || flags&^(statesCode|statesData|statesNone|statesBefore) != 0 {
		return false, errStates
	}
	return flags&statesBefore != statesUnknown, nil
}

// statesReader reads the fields of states. After the first that is malformed all methods return zero values.
type statesReader struct {
	b      []byte
	now    uint32
	failed bool
}

func (r *statesReader) fail() { r.failed, r.b = true, nil }

func (r *statesReader) next(n int) []byte {
	if len(r.b) < n {
		r.fail()
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *statesReader) byte() byte {
	if b := r.next(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *statesReader) hash(place *chain.Hash) *chain.Hash {
	copy(place[:], r.next(len(place)))
	return place
}

func (r *statesReader) changed(how byte, after, place *chain.Hash) *chain.Hash {
	switch how {
	case sameHash:
		return after
	case noHash:
		return nil
	case otherHash:
		return r.hash(place)
	default:
		r.fail()
		return nil
	}
}

func (r *statesReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *statesReader) varint() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *statesReader) state(s *chain.AccountState, p *stateParts) {
	flags := r.byte()
	s.Status = chain.AccountStatus(flags & fieldStatus)
	s.Balance = chain.Coins(r.uvarint())
	s.LastPaid = uint32(int64(r.now) - r.varint())
	s.UsedCells, s.UsedBits = r.uvarint(), r.uvarint()
	if flags&fieldFrozen != 0 {
		s.FrozenHash = r.hash(&p.frozen)
	}
	if flags&fieldDue != 0 {
		p.due = chain.Coins(r.uvarint())
		s.DuePayment = &p.due
	}
	if flags&fieldExtra != 0 {
		s.Extra = r.extra()
	}
	if flags&^(fieldStatus|fieldFrozen|fieldDue|fieldExtra) != 0 {
		r.fail()
	}
}

func (r *statesReader) extra() chain.ExtraCurrencies {
	e := chain.ExtraCurrencies{}
	for n := r.uvarint(); n > 0 && !r.failed; n-- {
		id := r.uvarint()
		amount := r.next(int(r.byte()))
		if id > 1<<32-1 {
			r.fail()
		}
		e[uint32(id)] = new(big.Int).SetBytes(amount)
	}
	return e
}
