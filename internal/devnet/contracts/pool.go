package contracts

import (
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Words a pool takes as a comment.
const (
	PoolDeposit  = "d"
	PoolWithdraw = "w"
)

// NominatorPool is a pool of deposits. It stakes nothing.
//
//	_ validator:MsgAddress reward_share:uint16 min_stake:Coins count:uint16 nominators:(HashmapE 256 Nominator) = Storage;
//	_ amount:Coins pending:Coins = Nominator;
func NominatorPool(validator *address.Address, minStake uint64) Contract {
	const rewardShare = 4000 // of ten thousand
	data := addr(cell.BeginCell(), validator).MustStoreUInt(rewardShare, 16).MustStoreCoins(minStake).MustStoreUInt(0, 16).
		MustStoreBoolBit(false).EndCell()
	return newContract(Basechain, Code(codeNominatorPool), data)
}

// PoolHolds reports whether the pool's data contain a deposit.
func PoolHolds(data *cell.Cell, who *address.Address) bool {
	s, err := data.BeginParse()
	if err != nil {
		return false
	}
	if _, err = s.LoadAddr(); err != nil || s.SkipBits(16) != nil {
		return false
	}
	if _, err = s.LoadBigCoins(); err != nil || s.SkipBits(16) != nil {
		return false
	}
	nominators, err := s.LoadDict(256)
	if err != nil || nominators.IsEmpty() {
		return false
	}
	_, err = nominators.LoadValue(cell.BeginCell().MustStoreSlice(who.Data(), 256).EndCell())
	return err == nil
}
