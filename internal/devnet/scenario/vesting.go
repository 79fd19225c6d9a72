package scenario

import (
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet/contracts"
)

const (
	vestingAmount = 500 * oneTON
	vestingGas    = oneTON / 10

	vestingStart  = 1_767_225_600 // 2026-01-01
	vestingPeriod = 30 * 24 * 3600
	vestingSteps  = 120
)

// The owner of the vesting wallet and the actors that it may pay early.
const (
	vestingOwner   = 4
	vestingAllowed = 5
)

func vestingTerms(c *cast) contracts.VestingTerms {
	owner := c.actors[vestingOwner]
	return contracts.VestingTerms{
		Start: vestingStart, Duration: vestingSteps * vestingPeriod, Period: vestingPeriod, Cliff: 0, Amount: vestingAmount,
		Sender: c.operator.Address, Owner: owner.Address, Subwallet: 1, Key: publicKey(owner),
	}
}

// vest funds the vesting wallet and allows two addresses; then its owner pays one of them, or another account from what is
// released, by message or by signature.
func (t *batch) vest() string {
	at := t.contractSet.vesting.Address
	acc := t.look(at)
	if !acc.active {
		return ""
	}
	if acc.balance < vestingAmount {
		t.call(t.cast.operator, contracts.Transfer(at, vestingAmount, "vested"))
	}
	allowed, err := contracts.VestingAllows(acc.data)
	if err != nil {
		t.failed = err
		return ""
	}
	friends := t.cast.actors[vestingAllowed:]
	if !allowed {
		body := contracts.VestingAddWhitelist(t.nextQuery(), friends[0].Address, friends[1].Address)
		return did("people allowed", t.call(t.cast.operator, contracts.Call(at, vestingGas, body)))
	}
	owner := t.cast.actors[vestingOwner]
	switch t.round() % 3 {
	case 0:
		return did("friend paid", t.vestedSend(owner, contracts.Transfer(friends[0].Address, oneTON, "early")))
	case 1:
		return did("other account paid", t.vestedSend(owner, contracts.Transfer(t.other(owner), oneTON/10, "released")))
	default:
		return t.vestedExternal(acc, owner)
	}
}

func (t *batch) vestedSend(owner *contracts.Wallet, msg *tlb.InternalMessage) bool {
	body := contracts.VestingSend(t.nextQuery(), contracts.ModeSeparateFees|contracts.ModeIgnoreErrors, msg)
	return t.call(owner, contracts.Call(t.contractSet.vesting.Address, vestingGas, body))
}

func (t *batch) vestedExternal(acc account, owner *contracts.Wallet) string {
	seqno, err := contracts.VestingSeqno(acc.data)
	if err != nil {
		t.failed = err
		return ""
	}
	msg := contracts.Transfer(owner.Address, oneTON/10, "by signature")
	t.sealed = append(t.sealed, contracts.VestingExternal(vestingTerms(t.cast), owner.Key(), seqno, t.block.GenUtime+externalLife,
		contracts.ModeSeparateFees|contracts.ModeIgnoreErrors, msg))
	return "by signature"
}
