package store

import "tonql/internal/chain"

// Columns of vesting tables in the order in which they are written and read.
const (
	vestingTable = `address, last_tx_lt, start_time, total_duration, unlock_period, cliff_duration, total_amount, sender,
	owner, whitelist, code_hash, data_hash`
	vestingWidth = 12

	vestingWhitelistTable = `member, vesting`
)

// vestingColumns is the same for SELECT from vestings c.
var vestingColumns = qualified("c", vestingTable)

func writeVesting(c *copyBuffer, v *chain.Vesting) {
	c.row(vestingWidth)
	c.address(&v.Address)
	c.int8(int64(v.LastTxLT))
	c.int8(int64(v.StartTime))
	c.int8(int64(v.TotalDuration))
	c.int8(int64(v.UnlockPeriod))
	c.int8(int64(v.CliffDuration))
	c.amount(v.TotalAmount)
	c.address(&v.Sender)
	c.address(&v.Owner)
	c.addresses(v.Whitelist)
	c.hash(&v.CodeHash)
	c.hash(&v.DataHash)
}

func scanVesting(r *row, v *chain.Vesting) {
	v.Address = r.address()
	v.LastTxLT = r.lt()
	v.StartTime = uint64(r.int8())
	v.TotalDuration = r.u32()
	v.UnlockPeriod = r.u32()
	v.CliffDuration = r.u32()
	v.TotalAmount = r.numeric()
	v.Sender = r.address()
	v.Owner = r.address()
	v.Whitelist = r.addresses()
	v.CodeHash = r.hash()
	v.DataHash = r.hash()
}

// writeVestingWhitelist writes a row for each address that may be paid, once each.
func writeVestingWhitelist(c *copyBuffer, v *chain.Vesting) {
	for _, member := range unique(v.Whitelist) {
		c.row(2)
		c.address(&member)
		c.address(&v.Address)
	}
}
