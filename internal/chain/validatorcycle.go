package chain

import "math/big"

// ValidatorCycle is the time of a validator set, which key blocks name as the next, the current and the previous one. Amounts are in nanotons.
type ValidatorCycle struct {
	Start       uint32 // Unix times
	End         uint32
	SetHash     Hash // of the validator set
	Total       uint32
	Main        uint32 // number of validators of the masterchain
	TotalWeight uint64
	ElectionID  *uint32  // nil where the index has no state of the elector with the election; then there are no stakes
	TotalStake  *big.Int // nil as ElectionID
	MinStake    *big.Int // smallest and largest stake; nil unless those of all validators are present
	MaxStake    *big.Int
	Params      ElectionParams
	Validators  []CycleValidator // by index
}

// ElectionParams are the parameters of elections: configuration parameters 15, 16 and 17. Those that the configuration lacks are 0.
type ElectionParams struct {
	ValidatorsElectedFor uint32
	ElectionsStartBefore uint32
	ElectionsEndBefore   uint32
	StakeHeldFor         uint32
	MaxValidators        uint32
	MaxMainValidators    uint32
	MinValidators        uint32
	MinStake             *big.Int
	MaxStake             *big.Int
	MinTotalStake        *big.Int
	MaxStakeFactor       uint32 // 65536 is 1
}

// CycleValidator is a validator of a cycle.
type CycleValidator struct {
	Index       uint32
	Key         Hash // Ed25519 public key
	ADNL        Hash // zero in an entry without one
	Weight      uint64
	StakeHolder *Address // nil where the elector's election is not present, as Stake
	Stake       *big.Int
	MaxFactor   *uint32 // as declared, 65536 is 1; nil where the elector's list of participants is not present
	Complaints  []ValidatorComplaint
}

// ValidatorCycleFilter selects cycles; nil fields do not restrict, all others combine with AND.
type ValidatorCycleFilter struct {
	Start       *uint32
	ElectionID  *uint32
	StakeHolder *Address // a validator with its stake
	ADNL        *Hash    // a validator with this ADNL id
	PublicKey   *Hash    // a validator with this public key
	StartUtime  *uint32  // of Start, inclusive, as EndUtime
	EndUtime    *uint32
}

// ValidatorElection is an election of validators, as the elector has it. Amounts are in nanotons.
type ValidatorElection struct {
	ID         uint32 // Unix time at which the elected validators begin
	Close      uint32 // Unix time
	MinStake   *big.Int
	TotalStake *big.Int
	Failed     bool // there were not enough stakes; it continues when more arrive
	Finished   bool

	ParticipantCount int
	Participants     []ElectionParticipant // by stake, largest first, then by key
}

// ElectionParticipant is an account that staked in an election.
type ElectionParticipant struct {
	Key         Hash    // Ed25519 public key of the validator
	Index       *uint32 // in the set that was elected; nil when it is not in it
	Stake       *big.Int
	MaxFactor   uint32 // 65536 is 1
	StakeHolder Address
	ADNL        Hash
}

// ValidatorElectionFilter selects elections; nil fields do not restrict, all others combine with AND.
type ValidatorElectionFilter struct {
	ID          *uint32
	Finished    *bool
	StakeHolder *Address // a participant with all of these three
	ADNL        *Hash
	PublicKey   *Hash
	StartUtime  *uint32 // of ID, inclusive, as EndUtime
	EndUtime    *uint32
}

// ValidatorComplaint is a complaint about a validator of a past election. Amounts are in nanotons.
type ValidatorComplaint struct {
	CycleStart        uint32
	ElectionID        uint32
	Hash              Hash
	Key               Hash     // Ed25519 public key of the validator
	ADNL              *Hash    // nil when the cycle has no validator with the key, as StakeHolder
	StakeHolder       *Address // of the validator
	Description       BOC
	CreatedAt         uint32
	Severity          uint32
	RewardAddress     Address
	Paid              *big.Int
	SuggestedFine     *big.Int
	SuggestedFinePart uint32 // of the stake, 2^32 is all of it
	Votes             []ComplaintVote
	SetHash           Hash // of the validator set that votes; zero before the first vote
	WeightRemaining   int64
	ApprovedPercent   float64
	Passed            bool
}

// ComplaintVote is the vote of a validator.
type ComplaintVote struct {
	Index  uint32
	Key    *Hash // nil when the validator set that votes is not in the index, as ADNL and Weight
	ADNL   *Hash
	Weight *uint64
}

// ValidatorComplaintFilter selects complaints; nil fields do not restrict, all others combine with AND.
type ValidatorComplaintFilter struct {
	CycleStart  *uint32
	ElectionID  *uint32
	StakeHolder *Address
	ADNL        *Hash
	PublicKey   *Hash
	StartUtime  *uint32 // of CreatedAt, inclusive, as EndUtime
	EndUtime    *uint32
}

// StakeEventType is the kind of an event between a validator and the elector. The numbers are not stored.
type StakeEventType uint8

// The kinds of events.
const (
	StakeAccepted StakeEventType = iota + 1
	StakeRejected
	StakeRecoverRequested
	StakeRecovered
	StakeRecoverFailed
)

var stakeEventNames = map[StakeEventType]string{
	StakeAccepted: "stake_accepted", StakeRejected: "stake_rejected", StakeRecoverRequested: "recover_requested", StakeRecovered: "stake_recovered",
	StakeRecoverFailed: "recover_failed",
}

// String is the published name.
func (t StakeEventType) String() string { return stakeEventNames[t] }

// StakeEvent is a message between an account that stakes and the elector.
type StakeEvent struct {
	TxHash      Hash // of the transaction that received the message
	TxLT        uint64
	Account     Address // of the transaction
	Now         uint32
	Type        StakeEventType
	StakeHolder Address
	Key         *Hash // Ed25519 public key of the validator; nil but for stakes that were sent, as ADNL and ElectionID
	ADNL        *Hash
	ElectionID  *uint32
	QueryID     uint64
	Amount      Coins  // in nanotons: the stake, what was returned, or what the message had
	Reason      *int32 // why a stake was rejected
}

// StakeEventFilter selects events; nil fields do not restrict, all others combine with AND.
type StakeEventFilter struct {
	StakeHolder *Address
	PublicKey   *Hash
	Type        *StakeEventType
	StartUtime  *uint32 // inclusive, as EndUtime
	EndUtime    *uint32
}
