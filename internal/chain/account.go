package chain

// AccountStatus is the status of an account (AccountStatus), plus nonexist.
type AccountStatus uint8

// The account statuses, in TL-B's order of tags.
const (
	Uninit AccountStatus = iota
	Frozen
	Active
	Nonexist
)

// String is v3's name: uninit, frozen, active, nonexist.
func (s AccountStatus) String() string {
	switch s {
	case Frozen:
		return "frozen"
	case Active:
		return "active"
	case Nonexist:
		return "nonexist"
	case Uninit:
		return "uninit"
	default:
		return "uninit"
	}
}

// AccountState is the state of an account after the transaction with LT, or before the first indexed one when the
// index starts later. Code and data are named by hash; their cells are stored once for all states that share them.
type AccountState struct {
	Account    Address
	LT         uint64 // LT of the last transaction; 0 for an account that has had none
	TxHash     Hash   // its hash; zero for an account that has had none
	Hash       Hash   // representation hash of the account cell (account_none for nonexist)
	Status     AccountStatus
	Balance    Coins
	Extra      ExtraCurrencies
	CodeHash   *Hash // active only, as DataHash; nil when the cell is absent
	DataHash   *Hash
	FrozenHash *Hash // frozen only
	LastPaid   uint32
	DuePayment *Coins
	UsedCells  uint64
	UsedBits   uint64
	CodeBOC    BOC // filled on request
	DataBOC    BOC
	FromNode   bool // the node returned it, because the index lacks the account
	// Rest is what the account cell has and the other fields do not have, in the form of internal/rebuild: with it and the cells
	// the account cell is built again. It is nil for nonexist, for states of an index of an earlier version, and where it is not
	// read.
	Rest []byte

	// What the code offers, filled in lists of latest states: ids of its get-methods, ascending, nil when it was not
	// analysed; names of what it is, ascending.
	Methods    []int32
	Interfaces []string
}

// ExtraCurrencies lists [AccountState.Extra].
func (s *AccountState) ExtraCurrencies() []ExtraCurrency { return s.Extra.List() }

// AccountFilter selects latest account states by address, by code hash, or both (AND).
type AccountFilter struct {
	Addresses  []Address
	CodeHashes []Hash
	WithBOC    bool
}

// AccountBalance is one row of the list of the richest accounts.
type AccountBalance struct {
	Account Address
	Balance Coins
}

// AddressBookRow is what is known of an address at a glance. It is never missing: an unknown address has no interfaces
// and is shown non-bounceable.
type AddressBookRow struct {
	Address    Address
	Known      bool  // the account is in the index
	CodeHash   *Hash // nil when not active or unknown
	Wallet     bool  // the code is one of the known wallet codes
	Interfaces []string
	Domain     *string
}

// Account is an account by its address, whether or not the index holds anything of it. Ranked is its balance where the
// account was reached through the list by balance, McSeqno the masterchain block at which its state is requested, nil for
// the newest. With FromNode, a newest state that the index lacks is read from the node.
type Account struct {
	Address  Address
	Ranked   Coins
	McSeqno  *uint32
	FromNode bool
}

// Cursor is the account's position in the list of accounts by balance.
func (a *Account) Cursor() Cursor {
	return Cursor{ListKind: AccountList, Major: uint64(a.Ranked), Minor: string(a.Address.Bytes())}
}
