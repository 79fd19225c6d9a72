package chain

import (
	"math/big"
	"slices"
)

// A match is the conditions of a filter that no index serves: they are applied to rows that an index leads to. Nil and empty fields do
// not restrict.

// TransactionMatch is the conditions on a transaction and on its messages.
type TransactionMatch struct {
	Workchain *int32
	Aborted   *bool
	Success   *bool // the outcome is [OutcomeSuccess]
	Outcomes  []TransactionOutcome
	Kind      *TransactionKind
	ExitCode  *int32  // of a compute phase that was not skipped
	Opcode    *uint32 // of the in-message

	// Of one internal message, received or sent as Direction says.
	Direction      TransferDirection
	Counterparties []Address // source of the in-message, or destination of an out-message
	MinValue       *Coins
	MaxValue       *Coins
}

// Empty reports whether every transaction matches.
func (m *TransactionMatch) Empty() bool {
	return m.Workchain == nil && m.Aborted == nil && m.Success == nil && m.Outcomes == nil && m.Kind == nil && m.ExitCode == nil &&
		m.Opcode == nil && !m.ofMessage()
}

// ofMessage reports whether one of the messages has to match.
func (m *TransactionMatch) ofMessage() bool {
	return m.Direction != AnyDirection || m.Counterparties != nil || m.MinValue != nil || m.MaxValue != nil
}

// NeedsReceived reports whether the in-message has to be known.
func (m *TransactionMatch) NeedsReceived() bool {
	return m.Opcode != nil || m.ofMessage() && m.Direction != Outgoing
}

// NeedsSent reports whether the out-messages have to be known.
func (m *TransactionMatch) NeedsSent() bool { return m.ofMessage() && m.Direction != Incoming }

// Validate refuses lists that are too long.
func (m *TransactionMatch) Validate() error {
	return CheckInputs(len(m.Counterparties), len(m.Outcomes))
}

// Own reports whether the conditions on the transaction itself hold. It needs no messages.
func (m *TransactionMatch) Own(t *Transaction) bool {
	d := &t.Description
	outcome := d.Outcome()
	return (m.Workchain == nil || *m.Workchain == t.Account.Workchain) &&
		(m.Aborted == nil || *m.Aborted == d.Aborted) &&
		(m.Success == nil || *m.Success == (outcome == OutcomeSuccess)) &&
		(m.Outcomes == nil || slices.Contains(m.Outcomes, outcome)) &&
		(m.Kind == nil || *m.Kind == d.Kind) &&
		(m.ExitCode == nil || d.Compute != nil && !d.Compute.Skipped && d.Compute.ExitCode == *m.ExitCode)
}

// Holds reports whether a transaction with these messages matches; received is nil when there is none.
func (m *TransactionMatch) Holds(t *Transaction, received *Message, sent []*Message) bool {
	if !m.Own(t) || m.Opcode != nil && (received == nil || received.Opcode == nil || *received.Opcode != *m.Opcode) {
		return false
	}
	if !m.ofMessage() {
		return true
	}
	if m.Direction != Outgoing && received != nil && m.message(received, received.Source) {
		return true
	}
	return m.Direction != Incoming && slices.ContainsFunc(sent, func(s *Message) bool { return m.message(s, s.Destination) })
}

func (m *TransactionMatch) message(x *Message, other *Address) bool {
	return x.Kind == InternalMessage && other != nil && (m.Counterparties == nil || slices.Contains(m.Counterparties, *other)) &&
		between(x.Value, m.MinValue, m.MaxValue)
}

// MessageMatch is the conditions on a message.
type MessageMatch struct {
	Workchain *int32 // of the destination, or of the source when there is none
	Bounced   *bool
	MinValue  *Coins
	MaxValue  *Coins
}

// Empty reports whether every message matches.
func (m *MessageMatch) Empty() bool {
	return m.Workchain == nil && m.Bounced == nil && m.MinValue == nil && m.MaxValue == nil
}

// Holds reports whether a message matches.
func (m *MessageMatch) Holds(x *Message) bool {
	return (m.Workchain == nil || inWorkchain(x, *m.Workchain)) &&
		(m.Bounced == nil || *m.Bounced == (x.Bounced != nil && *x.Bounced)) && between(x.Value, m.MinValue, m.MaxValue)
}

// inWorkchain reports whether a message goes to a workchain or, when it has no destination, comes from it.
func inWorkchain(x *Message, workchain int32) bool {
	if x.Destination != nil {
		return x.Destination.Workchain == workchain
	}
	return x.Source != nil && x.Source.Workchain == workchain
}

// ActionMatch is the conditions on an action. Those on its details are in resolvers, which know the kinds.
type ActionMatch struct {
	Success        *bool
	Opcode         *uint32
	Direction      TransferDirection // relative to the accounts of the filter
	Counterparties []Address         // that take part, besides these accounts
	Asset          *Address
	MinAmount      *big.Int
	MaxAmount      *big.Int
}

// Empty reports whether every action matches.
func (m *ActionMatch) Empty() bool {
	return m.Success == nil && m.Opcode == nil && m.Counterparties == nil && !m.OfDetails()
}

// OfDetails reports whether there are conditions on the details.
func (m *ActionMatch) OfDetails() bool {
	return m.Direction != AnyDirection || m.Asset != nil || m.MinAmount != nil || m.MaxAmount != nil
}

// Validate refuses lists that are too long, and conditions that are relative to accounts without any.
func (m *ActionMatch) Validate(field string, accounts int) error {
	if err := CheckInputs(len(m.Counterparties)); err != nil {
		return err
	}
	if accounts == 0 && (m.Direction != AnyDirection || m.Counterparties != nil) {
		return Invalidf("direction and counterparties need %s", field)
	}
	return nil
}

// AmountWithin reports whether an amount is in a range.
func AmountWithin(v, least, most *big.Int) bool {
	return v != nil && (least == nil || v.Cmp(least) >= 0) && (most == nil || v.Cmp(most) <= 0)
}

// TransferMatch is the conditions on a transfer or a burn.
type TransferMatch struct {
	Success        *bool
	Counterparties []Address // on the other side than the owners of the filter
	MinAmount      *big.Int
	MaxAmount      *big.Int
}

// Empty reports whether every transfer matches.
func (m *TransferMatch) Empty() bool {
	return m.Success == nil && m.Counterparties == nil && m.MinAmount == nil && m.MaxAmount == nil
}

// Validate refuses lists that are too long, and counterparties of nobody.
func (m *TransferMatch) Validate(owners int) error {
	if err := CheckInputs(len(m.Counterparties)); err != nil {
		return err
	}
	if m.Counterparties != nil && owners == 0 {
		return Invalidf("counterparties need owners")
	}
	return nil
}

// Holds reports whether a transfer between two accounts matches. amount is nil for what has none; owners and direction are those of the
// filter.
func (m *TransferMatch) Holds(from Address, to *Address, amount *big.Int, aborted bool, owners []Address, d TransferDirection) bool {
	if m.Success != nil && *m.Success == aborted {
		return false
	}
	if (m.MinAmount != nil || m.MaxAmount != nil) && !AmountWithin(amount, m.MinAmount, m.MaxAmount) {
		return false
	}
	if m.Counterparties == nil {
		return true
	}
	sent := to != nil && slices.Contains(owners, from) && slices.Contains(m.Counterparties, *to)
	received := to != nil && slices.Contains(owners, *to) && slices.Contains(m.Counterparties, from)
	return d != Incoming && sent || d != Outgoing && received
}

// The filters of lists whose rows are matched.
type (
	// ActionWhere selects actions.
	ActionWhere struct {
		ActionFilter
		ActionMatch
	}
	// JettonTransferWhere selects transfers of Jettons.
	JettonTransferWhere struct {
		JettonTransferFilter
		TransferMatch
	}
	// JettonBurnWhere selects burns.
	JettonBurnWhere struct {
		JettonBurnFilter
		TransferMatch
	}
	// NFTTransferWhere selects transfers of items.
	NFTTransferWhere struct {
		NFTTransferFilter
		TransferMatch
	}
)
