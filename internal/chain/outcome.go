package chain

// TransactionOutcome is the outcome of a transaction. Aborted alone is not: coins for which no code was run stay on the
// account unless they were sent back.
type TransactionOutcome uint8

// The outcomes.
const (
	OutcomeSuccess  TransactionOutcome = iota // not aborted
	OutcomeCredited                           // no code ran, the message's value stays on the account
	OutcomeBounced                            // aborted, and the message was sent back
	OutcomeFailed                             // aborted
)

// Outcome follows from the phases of an ordinary transaction (transaction_descr); the others are aborted or not.
func (d *TransactionDescription) Outcome() TransactionOutcome {
	switch {
	case !d.Aborted:
		return OutcomeSuccess
	case d.Bounce != nil && d.Bounce.Kind == BounceOK:
		return OutcomeBounced
	case d.Kind == Ordinary && d.Compute != nil && d.Compute.Skipped && d.Bounce == nil && d.Credit.credited():
		return OutcomeCredited
	default:
		return OutcomeFailed
	}
}

// credited reports whether the account received a value.
func (p *CreditPhase) credited() bool { return p != nil && (p.Credit > 0 || len(p.CreditExtra) > 0) }
