package store

import (
	"tonql/internal/chain"
)

// stateTable lists the columns of an account's state, which account_states and accounts share, in the order in which
// they are written and read.
const stateTable = `account, lt, tx_hash, hash, status, balance, extra, code_hash, data_hash, frozen_hash, last_paid,
	due_payment, used_cells, used_bits`

const stateWidth = 14

// stateColumns is the same for SELECT from account_states or accounts s.
var stateColumns = qualified("s", stateTable)

func writeState(c *copyBuffer, s *chain.AccountState) {
	c.row(stateWidth)
	c.address(&s.Account)
	c.int8(int64(s.LT))
	c.hash(&s.TxHash)
	c.hash(&s.Hash)
	c.int2(int16(s.Status))
	c.int8(int64(s.Balance))
	c.currencies(s.Extra)
	c.hash(s.CodeHash)
	c.hash(s.DataHash)
	c.hash(s.FrozenHash)
	c.int8(int64(s.LastPaid))
	optional(c, s.DuePayment)
	c.int8(int64(s.UsedCells))
	c.int8(int64(s.UsedBits))
}

// stateParts is the memory of whatever a state points to.
type stateParts struct {
	code, data, frozen chain.Hash
	due                chain.Coins
}

func scanState(r *row, s *chain.AccountState) {
	p := &stateParts{}
	s.Account = r.address()
	s.LT = r.lt()
	s.TxHash = r.hash()
	s.Hash = r.hash()
	s.Status = chain.AccountStatus(r.int2())
	s.Balance = chain.Coins(r.int8())
	s.Extra = r.currencies()
	s.CodeHash = r.setHash(&p.code)
	s.DataHash = r.setHash(&p.data)
	s.FrozenHash = r.setHash(&p.frozen)
	s.LastPaid = r.u32()
	s.DuePayment = setInt8(r, &p.due)
	s.UsedCells = uint64(r.int8())
	s.UsedBits = uint64(r.int8())
}
