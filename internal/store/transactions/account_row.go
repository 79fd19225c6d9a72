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

// StateArrays are the columns of [StateTable] as arrays, with extra currencies as text.
type StateArrays struct {
	keys                           sqlbuild.KeyArrays
	txHashes, hashes               [][]byte
	statuses                       []int16
	balances                       []int64
	extras                         []*string
	codeHashes, dataHashes, frozen [][]byte
	lastPaid, usedCells, usedBits  []int64
	duePayments                    []*int64
}

// NewStateArrays returns empty arrays with room for n states.
func NewStateArrays(n int) *StateArrays {
	return &StateArrays{
		keys: sqlbuild.NewKeyArrays(n), txHashes: make([][]byte, 0, n), hashes: make([][]byte, 0, n), statuses: make([]int16, 0, n),
		balances: make([]int64, 0, n), extras: make([]*string, 0, n), codeHashes: make([][]byte, 0, n), dataHashes: make([][]byte, 0, n),
		frozen: make([][]byte, 0, n), lastPaid: make([]int64, 0, n), usedCells: make([]int64, 0, n), usedBits: make([]int64, 0, n),
		duePayments: make([]*int64, 0, n),
	}
}

// Add appends a state. The arrays share its memory.
func (a *StateArrays) Add(s *chain.AccountState) {
	a.keys.Add(&s.Account, s.LT)
	a.txHashes, a.hashes = append(a.txHashes, s.TxHash[:]), append(a.hashes, s.Hash[:])
	a.statuses, a.balances = append(a.statuses, int16(s.Status)), append(a.balances, int64(s.Balance))
	a.extras = append(a.extras, sqlbuild.CurrenciesText(s.Extra))
	a.codeHashes, a.dataHashes = append(a.codeHashes, sqlbuild.OptionalHash(s.CodeHash)), append(a.dataHashes, sqlbuild.OptionalHash(s.DataHash))
	a.frozen, a.lastPaid = append(a.frozen, sqlbuild.OptionalHash(s.FrozenHash)), append(a.lastPaid, int64(s.LastPaid))
	a.usedCells, a.usedBits = append(a.usedCells, int64(s.UsedCells)), append(a.usedBits, int64(s.UsedBits))
	var due *int64
	if s.DuePayment != nil {
		due = new(int64(*s.DuePayment))
	}
	a.duePayments = append(a.duePayments, due)
}

// Arguments returns the arrays in the order of [StateTable].
func (a *StateArrays) Arguments() []any {
	return []any{
		a.keys.Accounts, a.keys.LTs, a.txHashes, a.hashes, a.statuses, a.balances, a.extras, a.codeHashes, a.dataHashes, a.frozen,
		a.lastPaid, a.duePayments, a.usedCells, a.usedBits,
	}
}
