package ledger

import (
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// lane is one account while a block is made: its evolving state and its
// transactions so far.
type lane struct {
	key     [32]byte
	account *tvm.PreparedAccount
	stat    *cell.Cell // storage statistics carried from transaction to transaction
	existed bool
	oldHash []byte
	oldLibs *cell.Dictionary
	txs     *tlb.AccountTransactionsAugDict
	endLT   uint64 // of the last transaction in the block; 0 = none
}

// emptyAccount is account_none.
var emptyAccount = cell.BeginCell().MustStoreBoolBit(false).EndCell()

// openLane loads an account from ShardAccounts; one that is not there yet starts
// as nonexist.
func openLane(accounts *cell.AugmentedDictionary, wc int32, key [32]byte) (*lane, error) {
	shardAccount, existed, err := findAccount(accounts, key)
	if err != nil {
		return nil, err
	}
	prepared, err := tvm.PrepareAccount(shardAccount, address.NewAddress(0, byte(wc), key[:]))
	if err != nil {
		return nil, fmt.Errorf("account %d:%x: %w", wc, key, err)
	}
	txs, err := tlb.NewAccountTransactionsAugDict()
	if err != nil {
		return nil, err
	}
	l := &lane{key: key, account: prepared, existed: existed, oldHash: shardAccount.Account.Hash(), txs: txs}
	l.oldLibs = l.libraries()
	return l, nil
}

// findAccount reads an account's record; a missing one is an empty account.
func findAccount(accounts *cell.AugmentedDictionary, key [32]byte) (*tlb.ShardAccount, bool, error) {
	value, err := accounts.LoadValue(cell.BeginCell().MustStoreSlice(key[:], 256).EndCell())
	if isNoSuchKey(err) {
		return &tlb.ShardAccount{Account: emptyAccount, LastTransHash: make([]byte, 32)}, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("account %x: %w", key, err)
	}
	acc := &tlb.ShardAccount{}
	if acc.Account, err = value.LoadRefCell(); err != nil {
		return nil, false, fmt.Errorf("account %x: %w", key, err)
	}
	if acc.LastTransHash, err = value.LoadSlice(256); err != nil {
		return nil, false, fmt.Errorf("account %x: %w", key, err)
	}
	if acc.LastTransLT, err = value.LoadUInt(64); err != nil {
		return nil, false, fmt.Errorf("account %x: %w", key, err)
	}
	return acc, true, nil
}

func (l *lane) libraries() *cell.Dictionary {
	if st := l.account.State(); st != nil && st.StateInit != nil {
		return st.StateInit.Lib
	}
	return nil
}

// data is the account's data cell; nil unless active.
func (l *lane) data() *cell.Cell {
	if st := l.account.State(); st != nil && st.StateInit != nil {
		return st.StateInit.Data
	}
	return nil
}

// add takes over the result of a transaction.
func (l *lane) add(res *tvm.TransactionExecutionResult) error {
	lt := res.NextAccount.ShardAccount().LastTransLT
	key := cell.BeginCell().MustStoreUInt(lt, 64).EndCell()
	if err := l.txs.Set(key, cell.BeginCell().MustStoreRef(res.TransactionCell).EndCell()); err != nil {
		return fmt.Errorf("transaction %d of %x: %w", lt, l.key, err)
	}
	l.account, l.stat, l.endLT = res.NextAccount, res.AccountStorageStat, res.EndLT
	return nil
}

// close writes the account back and returns its AccountBlock.
func (l *lane) close(accounts *cell.AugmentedDictionary) (*cell.Cell, error) {
	txs, err := l.txs.InlineCell()
	if err != nil {
		return nil, fmt.Errorf("transactions of %x: %w", l.key, err)
	}
	key := cell.BeginCell().MustStoreSlice(l.key[:], 256).EndCell()
	next := l.account.ShardAccount().Account
	if st := l.account.State(); st != nil && st.IsValid {
		err = accounts.Set(key, l.account.ShardAccountCell())
	} else if l.existed {
		err = accounts.Delete(key)
	}
	if err != nil {
		return nil, fmt.Errorf("account %x: %w", l.key, err)
	}
	hashes := cell.BeginCell().MustStoreUInt(0x72, 8).
		MustStoreSlice(l.oldHash, 256).
		MustStoreSlice(next.Hash(), 256).EndCell()
	return cell.BeginCell().MustStoreUInt(5, 4).
		MustStoreSlice(l.key[:], 256).
		MustStoreBuilder(txs.ToBuilder()).
		MustStoreRef(hashes).EndCell(), nil
}
