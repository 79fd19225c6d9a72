package chain

import (
	"encoding/binary"
	"math/big"
)

// NominatorPool is a pool of coins that a validator stakes together with those of nominators. Amounts are in nanotons.
type NominatorPool struct {
	Address              Address
	State                uint16 // 0: nothing is staked; 1: the stake was sent; 2: the elector accepted it
	NominatorCount       uint16
	StakeAmountSent      *big.Int
	ValidatorAmount      *big.Int // the validator's own coins
	Validator            Address
	ValidatorRewardShare uint16 // in hundredths of a percent
	MaxNominatorCount    uint16
	MinValidatorStake    *big.Int
	MinNominatorStake    *big.Int
	StakeAt              uint32          // start of the validation cycle that the last stake was sent for; 0: none was
	Nominators           []PoolNominator // by address
	CodeHash             Hash
	DataHash             Hash
	LastTxLT             uint64
}

// PoolNominator is what a nominator has in a pool.
type PoolNominator struct {
	Address             Address
	Balance             *big.Int
	PendingBalance      *big.Int // becomes part of the balance with the next reward
	WithdrawalRequested bool
}

// NominatorPosition is what a nominator has in one of its pools.
type NominatorPosition struct {
	Nominator           Address
	Pool                Address
	Balance             *big.Int
	PendingBalance      *big.Int
	WithdrawalRequested bool
}

// Cursor is the position's place in the list of the positions of a nominator.
func (p *NominatorPosition) Cursor() Cursor { return addressCursor(NominatorPositionList, &p.Pool) }

// PoolEventType is the kind of an event of a nominator pool. The numbers are not stored.
type PoolEventType uint8

// The kinds of events, of nominators and of the validator.
const (
	PoolReward PoolEventType = iota + 1
	PoolPenalty
	PoolDeposit
	PoolWithdrawal
	PoolActivation
	PoolWithdrawalRequest
)

var poolEventNames = map[PoolEventType]string{
	PoolReward: "reward", PoolPenalty: "penalty", PoolDeposit: "deposit", PoolWithdrawal: "withdrawal",
	PoolActivation: "pending_deposit_activation", PoolWithdrawalRequest: "withdrawal_request",
}

// String is the published name.
func (t PoolEventType) String() string { return poolEventNames[t] }

// PoolEvent is a change of what a nominator has in a pool. A transaction may change several nominators, and one twice.
type PoolEvent struct {
	Pool   Address
	TxLT   uint64
	TxHash Hash
	Now    uint32
	Index  uint32 // of the event among those of the transaction: by nominator, a reward before the activation
	Type   PoolEventType
	Amount *big.Int // never negative, but for a reward that is a loss
	Before PoolNominator
	After  PoolNominator
}

// Nominator is whose balance changed.
func (e *PoolEvent) Nominator() Address { return e.Before.Address }

// BalanceDelta is the change of the balance.
func (e *PoolEvent) BalanceDelta() *big.Int {
	return new(big.Int).Sub(e.After.Balance, e.Before.Balance)
}

// PendingBalanceDelta is the change of the pending balance.
func (e *PoolEvent) PendingBalanceDelta() *big.Int {
	return new(big.Int).Sub(e.After.PendingBalance, e.Before.PendingBalance)
}

// Cursor is the event's place in the list of events.
func (e *PoolEvent) Cursor() Cursor { return poolEventCursor(PoolEventList, e.TxLT, &e.Pool, e.Index) }

// PoolValidatorEvent is a change of the validator's own coins in a pool.
type PoolValidatorEvent struct {
	Pool          Address
	Validator     Address
	TxLT          uint64
	TxHash        Hash
	Now           uint32
	Type          PoolEventType
	BalanceBefore *big.Int
	BalanceAfter  *big.Int
	QueryID       *uint64 // of the message that caused it; nil when its body is too short
	CycleStart    *uint32 // of the validation cycle, for rewards and penalties; nil when the pool does not say
	RewardShare   uint16  // of the validator, in hundredths of a percent
}

// BalanceDelta is the change of the validator's coins.
func (e *PoolValidatorEvent) BalanceDelta() *big.Int {
	return new(big.Int).Sub(e.BalanceAfter, e.BalanceBefore)
}

// Amount is the size of the change.
func (e *PoolValidatorEvent) Amount() *big.Int {
	d := e.BalanceDelta()
	return d.Abs(d)
}

// Cursor is the event's place in the list of events.
func (e *PoolValidatorEvent) Cursor() Cursor {
	return poolEventCursor(PoolValidatorEventList, e.TxLT, &e.Pool, 0)
}

func poolEventCursor(kind ListKind, lt uint64, pool *Address, index uint32) Cursor {
	return Cursor{ListKind: kind, Major: lt, Minor: string(binary.BigEndian.AppendUint32(pool.Bytes(), index))}
}

// PoolEventPlace reads the place of an event from a cursor of [PoolEventList] or [PoolValidatorEventList].
func (c Cursor) PoolEventPlace() (key TransactionKey, index uint32) {
	b := []byte(c.Minor)
	key.Account, _ = AddressFrom(b[:AddressSize]) // valid cursors have that length
	key.LT = c.Major
	return key, binary.BigEndian.Uint32(b[AddressSize:])
}

// PoolEventFilter selects events of nominators in a pool.
type PoolEventFilter struct {
	Pool       Address
	Nominator  *Address
	Type       *PoolEventType
	StartUtime *uint32 // inclusive, as EndUtime
	EndUtime   *uint32
}

// PoolValidatorEventFilter selects events of validators in pools: of one pool, or of all pools of a validator.
type PoolValidatorEventFilter struct {
	Pool       *Address
	Validator  *Address
	Type       *PoolEventType
	StartUtime *uint32 // inclusive, as EndUtime
	EndUtime   *uint32
}
