package payment

import (
	"math/big"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// Refund is a payment that its recipient sent back, completely or in part.
type Refund struct {
	Reference string
	Amount    *big.Int
	To        chain.Address
	TraceID   chain.Hash
	TxHash    chain.Hash // of the transaction that received it
	LT        uint64
	Now       uint32
}

// Pair is the direction of a transfer between wallets.
type Pair struct{ From, To chain.Address }

// Payer returns the wallet that paid the deciding payment; false while there is none, and for Jettons that were minted for a transfer
// without a registered sender.
func (r *Record) Payer() (chain.Address, bool) {
	switch {
	case r.TxHash == nil:
		return chain.Address{}, false
	case r.PaidBy != nil:
		return *r.PaidBy, true
	case r.IsOpen():
		return chain.Address{}, false
	default:
		return r.Sender, true
	}
}

// transferred is a transfer of an asset between two wallets, in a trace.
type transferred struct {
	Pair

	master    bool          // of Jettons
	wallet    chain.Address // Jetton wallet of From
	amount    *big.Int
	reference string // in its comment
	tx        *chain.TraceTransaction
}

// transfersOf lists the transfers of a trace that may be refunds: of coins with a text comment or without a body, and of Jettons.
func transfersOf(t *chain.TraceContent, visit func(*transferred)) {
	v := &visitor{trace: t}
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		m := tx.In
		if m == nil || m.Source == nil || m.Destination == nil || isBounced(m) || m.Kind != chain.InternalMessage {
			continue
		}
		switch {
		case m.Opcode == nil || *m.Opcode == opComment:
			if m.Value != nil && *m.Value > 0 && !v.returned(tx) {
				visit(&transferred{
					Pair: Pair{*m.Source, tx.Account}, amount: new(big.Int).SetUint64(uint64(*m.Value)), reference: named(parse(m.BodyBOC())), tx: tx,
				})
			}
		case *m.Opcode == jetton.OpInternalTransfer:
			v.jettons(tx, visit)
		}
	}
}

// visitor finds the senders of messages in a trace.
type visitor struct {
	trace   *chain.TraceContent
	senders map[chain.MessageKey]int
}

func (*visitor) returned(tx *chain.TraceTransaction) bool { return (&visit{}).wasReturned(tx) }

// jettons visits a credit of Jettons whose order is in the trace.
func (v *visitor) jettons(tx *chain.TraceTransaction, visit func(*transferred)) {
	c, err := parseCredit(parse(tx.In.BodyBOC()))
	if err != nil || tx.Description.Aborted {
		return
	}
	if v.senders == nil {
		v.senders = sendersOf(v.trace)
	}
	at, ok := v.senders[tx.In.Key]
	if !ok {
		return
	}
	by := &v.trace.Transactions[at]
	if by.In == nil || by.In.Source == nil || by.In.Opcode == nil || *by.In.Opcode != jetton.OpTransfer {
		return
	}
	order, err := jetton.ParseTransfer(parse(by.In.BodyBOC()))
	if err != nil || order.Destination == nil {
		return
	}
	visit(&transferred{
		Pair: Pair{*by.In.Source, *order.Destination}, master: true, wallet: by.Account, amount: c.amount, reference: named(c.payload), tx: tx,
	})
}

// FindRefunds returns the refunds in a trace of payments that were recognised before: transfers of the asset from the recipient to the
// payer whose comment has the reference, or whose amount is exactly that of the newest payment between the two that has no refund yet.
// Records are the candidates, ordered by the LT of their deciding transactions, newest first. stored has the refunds that were found
// before, the references by transaction: they are not found for another payment.
func FindRefunds(t *chain.TraceContent, records []*Record, stored map[chain.Hash]string) (found []Refund) {
	if len(records) == 0 {
		return nil
	}
	taken := map[string]bool{}
	for _, reference := range stored {
		taken[reference] = true
	}
	transfersOf(t, func(m *transferred) {
		if stored[m.tx.Hash] != "" {
			return
		}
		for _, exact := range []bool{false, true} {
			for _, r := range records {
				if !m.refunds(r, exact) || exact && taken[r.Reference] {
					continue
				}
				taken[r.Reference] = true
				found = append(found, Refund{
					Reference: r.Reference, Amount: m.amount, To: m.To, TraceID: t.ID, TxHash: m.tx.Hash, LT: m.tx.LT, Now: m.tx.Now,
				})
				return
			}
		}
	})
	return found
}

// refunds reports whether the transfer refunds a payment: by its comment, or by its exact amount.
func (m *transferred) refunds(r *Record, exact bool) bool {
	payer, paid := r.Payer()
	if !paid || r.Recipient != m.From || payer != m.To || payer == r.Recipient || m.tx.LT <= r.TxLT {
		return false
	}
	if m.master != (r.Wallets != nil) || m.master && m.wallet != r.Wallets.Recipient {
		return false
	}
	if !exact {
		return m.reference == r.Reference
	}
	return m.reference == "" && r.Status == Success && r.Received != nil && m.amount.Cmp(r.Received) == 0
}

// addPairs collects the transfers in a trace that may be refunds.
func (c *MatchKeys) addPairs(t *chain.TraceContent) {
	transfersOf(t, func(m *transferred) {
		if m.From != m.To {
			c.Pairs = append(c.Pairs, m.Pair)
		}
	})
}
