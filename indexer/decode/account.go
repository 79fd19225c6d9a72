package decode

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/rebuild"
)

const (
	// MaxDataCells is the largest account, in cells, whose data and own libraries are always stored. The rows of a larger one have the depth
	// of its data: earlier versions stored nothing else of them.
	MaxDataCells = 8192
	// MaxStoredCells is the largest account, in cells, whose data and own libraries are stored now: four times what the network allows
	// an account that is not part of its configuration.
	MaxStoredCells = 1 << 18
)

// State is an account state with the cells whose hashes are in its row. A cell is nil when the account has none.
type State struct {
	Row       chain.AccountState
	Code      *cell.Cell
	Data      *cell.Cell
	Libraries *cell.Cell // HashmapE 256 SimpleLib
}

// Account reads an account cell (account_none or account) as the state after the transaction last names. A nil root is
// an account that is not in the shard's dictionary; its state hash is that of account_none.
func Account(address chain.Address, last chain.TransactionRef, root *cell.Cell) (State, error) {
	st := State{Row: chain.AccountState{Account: address, LT: last.LT, TxHash: last.Hash, Status: chain.Nonexist}}
	if root == nil {
		root = NoAccount
	}
	st.Row.Hash = chain.Hash(root.HashKey(0))
	var rest rebuild.AccountRest
	r := open(root)
	if !r.bit() {
		return st, r.err
	}
	r.skipAddress()
	r.storageInfo(&st.Row, &rest)
	rest.EndLT = r.uint(64) // last_trans_lt: the end of the transaction, where rows name its start
	nodes := &budget{}
	st.Row.Balance, st.Row.Extra = r.currencies(nodes)
	r.accountState(&st, &rest)
	if r.err != nil {
		return st, fmt.Errorf("state of account %s: %w", address, r.err)
	}
	var err error
	st.Row.Rest, err = rebuild.EncodeAccount(&st.Row, &rest, st.cells(), st.Row.UsedCells <= MaxDataCells, root)
	return st, err
}

// cells returns the cells of the account.
func (st *State) cells() rebuild.AccountCells {
	return rebuild.AccountCells{Code: st.Code, Data: st.Data, Libraries: st.Libraries}
}

var errStorageExtra = errors.New("unknown storage extra")

// NoAccount is account_none$0.
var NoAccount = rebuild.NoAccount

// storageInfo reads StorageInfo.
func (r *reader) storageInfo(row *chain.AccountState, rest *rebuild.AccountRest) {
	row.UsedCells, row.UsedBits = r.varUint(3), r.varUint(3)
	switch r.uint(3) {
	case 0b000: // storage_extra_none
	case 0b001: // storage_extra_info
		rest.DictHash = new(r.hash())
	default:
		r.fail(errStorageExtra)
	}
	row.LastPaid = uint32(r.uint(32))
	row.DuePayment = r.maybeCoins()
}

// accountState reads AccountState.
func (r *reader) accountState(st *State, rest *rebuild.AccountRest) {
	switch {
	case r.bit(): // account_active$1
		st.Row.Status = chain.Active
		if r.bit() {
			rest.FixedPrefix = new(uint8(r.uint(5)))
		}
		if r.bit() {
			rest.Special = new(uint8(r.uint(2)))
		}
		st.Code, st.Data, st.Libraries = r.maybeRef(), r.maybeRef(), r.maybeRef()
		st.Row.CodeHash, st.Row.DataHash, rest.Libraries = hashOf(st.Code), hashOf(st.Data), hashOf(st.Libraries)
	case r.bit(): // account_frozen$01
		st.Row.Status = chain.Frozen
		h := r.hash()
		st.Row.FrozenHash = &h
	default: // account_uninit$00
		st.Row.Status = chain.Uninit
	}
}

func hashOf(c *cell.Cell) *chain.Hash {
	if c == nil {
		return nil
	}
	h := chain.Hash(c.HashKey(0))
	return &h
}

// StateBOC serializes a code, data or library cell in the form of rows.
func StateBOC(c *cell.Cell) chain.BOC { return stateBOC(c) }

// PublicLibraries returns the public libraries of an account: SimpleLib public:Bool root:^Cell.
func PublicLibraries(dict *cell.Cell) ([]*cell.Cell, error) {
	if dict == nil {
		return nil, nil
	}
	var libs []*cell.Cell
	err := walk(dict, 256, &budget{}, func(_ []byte, v *reader) error {
		public, root := v.bit(), v.ref()
		if v.err == nil && public {
			libs = append(libs, root)
		}
		return v.err
	})
	return libs, err
}
