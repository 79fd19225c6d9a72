package contracts

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Columns of vesting tables in the order in which they are written and read.
const (
	VestingTable = `address, last_tx_lt, start_time, total_duration, unlock_period, cliff_duration, total_amount, sender,
	owner, whitelist, code_hash, data_hash`
	vestingWidth = 12

	vestingWhitelist      = "vesting_whitelist"
	VestingWhitelistTable = `member, vesting`
)

// vestingColumns is the same for SELECT from vestings c.
var vestingColumns = sqlbuild.Qualified("c", VestingTable)

func writeVesting(c *sqlbuild.CopyBuffer, v *chain.Vesting) {
	c.Row(vestingWidth)
	c.Address(&v.Address)
	c.Int8(int64(v.LastTxLT))
	c.Int8(int64(v.StartTime))
	c.Int8(int64(v.TotalDuration))
	c.Int8(int64(v.UnlockPeriod))
	c.Int8(int64(v.CliffDuration))
	c.Amount(v.TotalAmount)
	c.Address(&v.Sender)
	c.Address(&v.Owner)
	c.Addresses(v.Whitelist)
	c.Hash(&v.CodeHash)
	c.Hash(&v.DataHash)
}

func scanVesting(r *sqlbuild.Row, v *chain.Vesting) {
	v.Address = r.Address()
	v.LastTxLT = r.LT()
	v.StartTime = uint64(r.Int8())
	v.TotalDuration = r.Uint32()
	v.UnlockPeriod = r.Uint32()
	v.CliffDuration = r.Uint32()
	v.TotalAmount = r.Numeric()
	v.Sender = r.Address()
	v.Owner = r.Address()
	v.Whitelist = r.Addresses()
	v.CodeHash = r.Hash()
	v.DataHash = r.Hash()
}

// writeVestingWhitelist writes a row for each address that may be paid, once each.
func writeVestingWhitelist(c *sqlbuild.CopyBuffer, v *chain.Vesting) {
	for _, member := range sqlbuild.Unique(v.Whitelist) {
		c.Row(2)
		c.Address(&member)
		c.Address(&v.Address)
	}
}
