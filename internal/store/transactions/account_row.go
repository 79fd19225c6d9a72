package transactions

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// StateTable lists the columns of an account's state, which account_states and accounts share, in the order in which
// they are written and read.
const StateTable = `account, lt, tx_hash, hash, status, balance, extra, code_hash, data_hash, frozen_hash, last_paid,
	due_payment, used_cells, used_bits`

const stateWidth = 14

// StoredStateTable lists the columns of account_states: those of [StateTable], then what else is needed to build the account cell.
const StoredStateTable = StateTable + `, rest`

// StateColumns is the same for SELECT from account_states or accounts s.
var StateColumns = sqlbuild.Qualified("s", StateTable)

// WriteState writes a row of [StoredStateTable].
func WriteState(c *sqlbuild.CopyBuffer, s *chain.AccountState) {
	c.Row(stateWidth + 1)
	c.Address(&s.Account)
	c.Int8(int64(s.LT))
	c.Hash(&s.TxHash)
	c.Hash(&s.Hash)
	c.Int2(int16(s.Status))
	c.Int8(int64(s.Balance))
	c.Currencies(s.Extra)
	c.Hash(s.CodeHash)
	c.Hash(s.DataHash)
	c.Hash(s.FrozenHash)
	c.Int8(int64(s.LastPaid))
	sqlbuild.Optional(c, s.DuePayment)
	c.Int8(int64(s.UsedCells))
	c.Int8(int64(s.UsedBits))
	if s.Rest == nil {
		c.Null()
	} else {
		c.Bytes(s.Rest)
	}
}

// stateParts is the memory of whatever a state points to.
type stateParts struct {
	code, data, frozen chain.Hash
	due                chain.Coins
}

// ScanState reads a row of [StateColumns].
func ScanState(r *sqlbuild.Row, s *chain.AccountState) {
	p := &stateParts{}
	s.Account = r.Address()
	s.LT = r.LT()
	s.TxHash = r.Hash()
	s.Hash = r.Hash()
	s.Status = chain.AccountStatus(r.Uint8())
	s.Balance = chain.Coins(r.Int8())
	s.Extra = r.Currencies()
	s.CodeHash = r.SetHash(&p.code)
	s.DataHash = r.SetHash(&p.data)
	s.FrozenHash = r.SetHash(&p.frozen)
	s.LastPaid = r.Uint32()
	s.DuePayment = sqlbuild.SetInt8(r, &p.due)
	s.UsedCells = uint64(r.Int8())
	s.UsedBits = uint64(r.Int8())
}

// ScanStoredState reads a row of [StoredStateTable].
func ScanStoredState(r *sqlbuild.Row, s *chain.AccountState) {
	ScanState(r, s)
	s.Rest = r.Bytes()
}
