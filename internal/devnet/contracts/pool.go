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

// Opcodes of a pool.
const (
	OpPoolProcess           = 2
	OpPoolValidatorDeposit  = 4
	OpPoolValidatorWithdraw = 5
	OpPoolStakeAccepted     = 0xf374484c
	OpPoolStakeRecovered    = 0xf96f7324
	opPoolStake             = 0x4e73744b
	opPoolRecover           = 0x47657424
)

// NominatorPool is a pool of nominators in the basechain and a validator. It has the data of the published one:
//
//	_ state:uint8 count:uint16 stake_sent:Coins validator_amount:Coins config:^Config nominators:(HashmapE 256 Nominator)
//	  requests:(HashmapE 256 True) stake_at:uint32 set_hash:bits256 set_changes:uint8 set_changed_at:uint32 held_for:uint32
//	  votings:(HashmapE 256 Voting) = Storage;
//	_ validator:bits256 reward_share:uint16 max_nominators:uint16 min_validator_stake:Coins min_nominator_stake:Coins = Config;
//	_ amount:Coins pending:Coins = Nominator;
func NominatorPool(validator *address.Address, minStake uint64) Contract {
	const rewardShare, maxNominators = 4000, 40 // the share of ten thousand
	config := cell.BeginCell().MustStoreSlice(validator.Data(), 256).MustStoreUInt(rewardShare, 16).
		MustStoreUInt(maxNominators, 16).MustStoreCoins(0).MustStoreCoins(minStake).EndCell()
	data := cell.BeginCell().MustStoreUInt(0, 8+16).MustStoreCoins(0).MustStoreCoins(0).MustStoreRef(config).
		MustStoreBoolBit(false).MustStoreBoolBit(false).MustStoreUInt(0, 32).MustStoreSlice(make([]byte, 32), 256).
		MustStoreUInt(0, 8+32+32).MustStoreBoolBit(false).EndCell()
	return newContract(Basechain, Code(codeNominatorPool), data)
}

// PoolProcess pays at most limit nominators that requested it.
func PoolProcess(queryID uint64, limit uint8) *cell.Cell {
	return op(OpPoolProcess, queryID).MustStoreUInt(uint64(limit), 8).EndCell()
}

// PoolValidatorDeposit is the validator's deposit.
func PoolValidatorDeposit(queryID uint64) *cell.Cell {
	return op(OpPoolValidatorDeposit, queryID).EndCell()
}

// PoolValidatorWithdraw takes coins of the validator back.
func PoolValidatorWithdraw(queryID, amount uint64) *cell.Cell {
	return op(OpPoolValidatorWithdraw, queryID).MustStoreCoins(amount).EndCell()
}

// PoolStake is the validator's order to send a stake to the elector, for a validation cycle that begins at a time.
func PoolStake(queryID, amount uint64, at uint32) *cell.Cell {
	return op(opPoolStake, queryID).MustStoreCoins(amount).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(uint64(at), 32).EndCell()
}

// PoolRecover requests the stake from the elector.
func PoolRecover(queryID uint64) *cell.Cell { return op(opPoolRecover, queryID).EndCell() }

// PoolStakeAccepted is the elector's confirmation of a stake.
func PoolStakeAccepted(queryID uint64) *cell.Cell { return op(OpPoolStakeAccepted, queryID).EndCell() }

// PoolStakeRecovered is the elector's message that returns a stake.
func PoolStakeRecovered(queryID uint64) *cell.Cell {
	return op(OpPoolStakeRecovered, queryID).EndCell()
}

// PoolHolds reports whether the pool's data contain a deposit.
func PoolHolds(data *cell.Cell, who *address.Address) bool {
	s, err := data.BeginParse()
	if err != nil || s.SkipBits(8+16) != nil {
		return false
	}
	for range 2 {
		if _, err = s.LoadBigCoins(); err != nil {
			return false
		}
	}
	if _, err = s.LoadRefCell(); err != nil {
		return false
	}
	nominators, err := s.LoadDict(256)
	if err != nil || nominators.IsEmpty() {
		return false
	}
	_, err = nominators.LoadValue(cell.BeginCell().MustStoreSlice(who.Data(), 256).EndCell())
	return err == nil
}
