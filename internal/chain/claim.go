package chain

// Claimant is an account with one of its claims, as the other contract sees it.
type Claimant struct {
	Account Address
	LT      uint64 // of the state that makes the claim
	ContractClaim
}
