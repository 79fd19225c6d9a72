package nominator

import (
	"encoding/binary"
	"math/big"

	"tonql/internal/boc"
	"tonql/internal/chain"
)

// Opcodes of messages to a pool that change what it has.
const (
	OpComment           = 0x00000000 // "d" deposits, "w" withdraws or requests it
	OpProcessRequests   = 0x00000002
	OpProcessRequest    = 0x00000003
	OpValidatorDeposit  = 0x00000004
	OpValidatorWithdraw = 0x00000005
	OpStakeRecovered    = 0xf96f7324 // of the elector: the stake with the reward
)

// Elector is the contract that validators stake with.
var Elector = func() chain.Address {
	a := chain.Address{Workchain: chain.MasterchainID}
	for i := range a.ID {
		a.ID[i] = 0x33
	}
	return a
}()

// opcodeOf returns the opcode of an internal message that did not bounce.
func opcodeOf(m *chain.Message) (op uint32, ok bool) {
	if m == nil || m.Kind != chain.InternalMessage || m.Source == nil || m.Opcode == nil || m.Bounced != nil && *m.Bounced {
		return 0, false
	}
	return *m.Opcode, true
}

// ChangesNominators reports whether the code of a pool may change what nominators have, or this one if it is not nil, when it receives a
// message.
func ChangesNominators(m *chain.Message, nominator *chain.Address) bool {
	op, ok := opcodeOf(m)
	if !ok {
		return false
	}
	switch op {
	case OpStakeRecovered:
		return *m.Source == Elector
	case OpComment:
		return nominator == nil || *m.Source == *nominator
	default:
		return op == OpProcessRequests || op == OpProcessRequest
	}
}

// ChangesValidator reports whether the code of a pool may change what its validator has when it receives a message.
func ChangesValidator(m *chain.Message) bool {
	op, ok := opcodeOf(m)
	return ok && (op == OpStakeRecovered && *m.Source == Elector || op == OpValidatorDeposit || op == OpValidatorWithdraw)
}

// Events lists what a transaction changed for the nominators of a pool: by address, a reward before the activation of a pending deposit.
// recovered is whether the elector returned the stake, see [Recovered].
func Events(before, after *chain.NominatorPool, recovered bool) []chain.PoolEvent {
	var list []chain.PoolEvent
	add := func(kind chain.PoolEventType, amount *big.Int, from, to chain.PoolNominator) {
		list = append(list, chain.PoolEvent{Type: kind, Index: uint32(len(list)), Amount: amount, Before: from, After: to})
	}
	pairs(before.Nominators, after.Nominators, func(from, to chain.PoolNominator) {
		pending := new(big.Int).Sub(to.PendingBalance, from.PendingBalance)
		total := new(big.Int).Sub(to.Balance, from.Balance)
		total.Add(total, pending)
		if recovered {
			rewarded := from
			rewarded.Balance = new(big.Int).Add(from.Balance, total)
			if total.Sign() != 0 {
				add(chain.PoolReward, total, from, rewarded)
			}
			if pending.Sign() < 0 {
				add(chain.PoolActivation, pending.Neg(pending), rewarded, to)
			}
			return
		}
		switch total.Sign() {
		case 1:
			add(chain.PoolDeposit, total, from, to)
		case -1:
			add(chain.PoolWithdrawal, new(big.Int).Neg(total), from, to)
		}
		if !from.WithdrawalRequested && to.WithdrawalRequested {
			add(chain.PoolWithdrawalRequest, new(big.Int), from, to)
		}
	})
	return list
}

// pairs visits the nominators of two lists in the order of addresses, each as it was before and after. Who is not in a list has nothing.
func pairs(before, after []chain.PoolNominator, visit func(from, to chain.PoolNominator)) {
	for len(before)+len(after) > 0 {
		order := 1
		if len(before) > 0 && len(after) > 0 {
			order = before[0].Address.Compare(after[0].Address)
		} else if len(after) == 0 {
			order = -1
		}
		var from, to chain.PoolNominator
		if order <= 0 {
			from, before = before[0], before[1:]
		}
		if order >= 0 {
			to, after = after[0], after[1:]
		}
		if order > 0 {
			from = nothing(to.Address)
		}
		if order < 0 {
			to = nothing(from.Address)
		}
		visit(from, to)
	}
}

func nothing(a chain.Address) chain.PoolNominator {
	return chain.PoolNominator{Address: a, Balance: new(big.Int), PendingBalance: new(big.Int)}
}

// ValidatorEvent returns what a transaction changed for the validator of a pool; nil when nothing.
func ValidatorEvent(before, after *chain.NominatorPool, m *chain.Message, recovered bool) *chain.PoolValidatorEvent {
	e := &chain.PoolValidatorEvent{
		Validator: before.Validator, BalanceBefore: before.ValidatorAmount, BalanceAfter: after.ValidatorAmount,
		RewardShare: before.ValidatorRewardShare,
	}
	sign := e.BalanceDelta().Sign()
	op, ok := opcodeOf(m)
	switch {
	case !ok || sign == 0:
		return nil
	case recovered && sign > 0:
		e.Type = chain.PoolReward
	case recovered:
		e.Type = chain.PoolPenalty
	case op == OpValidatorDeposit:
		e.Type = chain.PoolDeposit
	case op == OpValidatorWithdraw:
		e.Type = chain.PoolWithdrawal
	default:
		return nil
	}
	if recovered && before.StakeAt != 0 {
		e.CycleStart = &before.StakeAt
	}
	e.QueryID = queryID(m)
	return e
}

// queryID reads the number that follows the opcode; nil when there is none.
func queryID(m *chain.Message) *uint64 {
	const opcode, number = 4, 8 // bytes
	body, bits, ok := boc.Root(m.BodyBOC())
	if !ok || bits < 8*(opcode+number) {
		return nil
	}
	id := binary.BigEndian.Uint64(body[opcode:])
	return &id
}

// Recovered reports whether a transaction of a pool received its stake from the elector.
func Recovered(t *chain.Transaction, m *chain.Message) bool {
	op, ok := opcodeOf(m)
	compute := t.Description.Compute
	return ok && op == OpStakeRecovered && *m.Source == Elector && m.Value != nil && !t.Description.Aborted &&
		compute != nil && !compute.Skipped && compute.Success
}
