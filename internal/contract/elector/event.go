package elector

import (
	"encoding/binary"

	"tonql/internal/boc"
	"tonql/internal/chain"
)

// Opcodes of messages between accounts that stake and the elector.
const (
	OpNewStake     = 0x4e73744b
	OpRecoverStake = 0x47657424
	OpStakeOK      = 0xf374484c
	OpStakeError   = 0xee6f454c
	OpRecovered    = 0xf96f7324
	OpRecoverError = 0xfffffffe
)

// confirmation is what the elector takes from a stake to send its confirmation.
const confirmation chain.Coins = 1_000_000_000

// body is what the root of the body of a message has.
type body struct{ data []byte }

func bodyOf(m *chain.Message) body {
	data, bits, ok := boc.Root(m.BodyBOC())
	if !ok {
		return body{}
	}
	return body{data[:min(len(data), bits/8)]}
}

// uint32 takes 32 bits; ok is false when there are fewer.
func (b *body) uint32() (n uint32, ok bool) {
	if len(b.data) < 4 {
		return 0, false
	}
	n, b.data = binary.BigEndian.Uint32(b.data), b.data[4:]
	return n, true
}

// head takes the opcode and the query id.
func (b *body) head() (op uint32, query uint64, ok bool) {
	if len(b.data) < 12 {
		return 0, 0, false
	}
	op, query = binary.BigEndian.Uint32(b.data), binary.BigEndian.Uint64(b.data[4:])
	b.data = b.data[12:]
	return op, query, true
}

// Event reads what a message between an account and the elector did. A transaction received it successfully, and sent the messages out. It is nil
// for other messages. The transaction is left to the caller.
func Event(m *chain.Message, elector chain.Address, out []chain.Message) *chain.StakeEvent {
	if m.Source == nil || m.Destination == nil || m.Value == nil || m.Bounced != nil && *m.Bounced {
		return nil
	}
	b := bodyOf(m)
	op, query, ok := b.head()
	if !ok {
		return nil
	}
	e := &chain.StakeEvent{QueryID: query, Amount: *m.Value}
	to, from := *m.Destination == elector, *m.Source == elector
	switch {
	case to && op == OpNewStake:
		return newStake(e, m, b, out)
	case to && op == OpRecoverStake:
		e.Type, e.StakeHolder = chain.StakeRecoverRequested, *m.Source
	case from && op == OpRecovered:
		e.Type, e.StakeHolder = chain.StakeRecovered, *m.Destination
	case from && op == OpRecoverError:
		e.Type, e.StakeHolder = chain.StakeRecoverFailed, *m.Destination
	default:
		return nil
	}
	return e
}

// newStake reads a stake: public key, time at which the validators begin, maximum factor, ADNL id, signature. The elector confirms it unless its
// query id is 0, or returns it with a reason.
func newStake(e *chain.StakeEvent, m *chain.Message, b body, out []chain.Message) *chain.StakeEvent {
	const hash, fields = len(chain.Hash{}), 2*len(chain.Hash{}) + 8
	if len(b.data) < fields {
		return nil
	}
	key, adnl, id := chain.HashFrom(b.data[:hash]), chain.HashFrom(b.data[hash+8:fields]), binary.BigEndian.Uint32(b.data[hash:])
	e.StakeHolder, e.Key, e.ADNL, e.ElectionID = *m.Source, &key, &adnl, &id
	e.Type, e.Amount = chain.StakeAccepted, max(e.Amount, confirmation)-confirmation
	for i := range out {
		reply := bodyOf(&out[i])
		op, query, ok := reply.head()
		if !ok || query != e.QueryID {
			continue
		}
		switch op {
		case OpStakeOK:
			return e
		case OpStakeError:
			e.Type, e.Amount = chain.StakeRejected, 0
			if out[i].Value != nil {
				e.Amount = *out[i].Value
			}
			if reason, ok := reply.uint32(); ok {
				e.Reason = new(int32(reason))
			}
			return e
		}
	}
	if e.QueryID != 0 {
		return nil
	}
	return e
}
