package chain

// Reputation is what the operator of the service states about an account.
type Reputation uint8

// The reputations.
const (
	ReputationUnknown Reputation = iota // no statement
	ReputationVerified
	ReputationScam
)
