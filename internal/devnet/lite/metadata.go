package lite

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Constructors of InMsg whose first reference is a message envelope on its final way.
const (
	inMsgImmediate = 0b011 // msg_import_imm
	inMsgFinal     = 0b100 // msg_import_fin
	inMsgDeferred  = 0b001 // two more bits follow
	deferredFinal  = 0b00  // msg_import_deferred_fin
)

// messageMetadata returns the initiator of the chain of messages that led to a
// transaction. It returns nil for transactions without an internal in-message and for
// envelopes without metadata.
func messageMetadata(inMsgs, tx *cell.Cell) (*ton.TransactionMetadata, error) {
	hash, err := inMessageHash(tx)
	if err != nil || hash == nil {
		return nil, err
	}
	s, err := inMsgs.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("in-message descriptions: %w", err)
	}
	root, err := loadMaybeRef(s)
	if err != nil {
		return nil, fmt.Errorf("in-message descriptions: %w", err)
	}
	v, err := lookup(root, bytesKey(hash), 256)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, fmt.Errorf("in-message %X has no description", hash)
	}
	env, err := openEnvelope(v)
	if err != nil || env == nil || env.Metadata == nil {
		return nil, err
	}
	m := env.Metadata
	return &ton.TransactionMetadata{
		Depth:       int32(m.Depth),
		Initiator:   ton.AccountID{Workchain: m.Initiator.Workchain(), ID: m.Initiator.Data()},
		InitiatorLT: m.InitiatorLT,
	}, nil
}

// inMessageHash returns the hash of a transaction's in-message; nil when it has none.
func inMessageHash(tx *cell.Cell) ([]byte, error) {
	s, err := openTagged(tx, 0b0111, 4)
	if err != nil {
		return nil, fmt.Errorf("transaction: %w", err)
	}
	io, err := s.LoadRef() // in_msg:(Maybe ^Message) out_msgs:(HashmapE 15 ^Message)
	if err != nil {
		return nil, fmt.Errorf("transaction: %w", err)
	}
	msg, err := loadMaybeRef(io)
	if err != nil || msg == nil {
		return nil, err
	}
	return msg.Hash(), nil
}

// openEnvelope reads the envelope of an InMsg; nil for kinds that have none.
func openEnvelope(v *cell.Slice) (*tlb.MsgEnvelope, error) {
	if _, err := v.LoadBigCoins(); err != nil { // ImportFees: fees, value
		return nil, fmt.Errorf("in-message description: %w", err)
	}
	if err := skipCurrencies(v); err != nil {
		return nil, fmt.Errorf("in-message description: %w", err)
	}
	tag, err := v.LoadUInt(3)
	if err != nil {
		return nil, fmt.Errorf("in-message description: %w", err)
	}
	if tag == inMsgDeferred {
		if tag, err = v.LoadUInt(2); err != nil {
			return nil, fmt.Errorf("in-message description: %w", err)
		}
		if tag != deferredFinal {
			return nil, nil
		}
	} else if tag != inMsgImmediate && tag != inMsgFinal {
		return nil, nil
	}
	s, err := v.LoadRef()
	if err != nil {
		return nil, fmt.Errorf("message envelope: %w", err)
	}
	var env tlb.MsgEnvelope
	if err := tlb.LoadFromCell(&env, s); err != nil {
		return nil, fmt.Errorf("message envelope: %w", err)
	}
	return &env, nil
}
