package lite

import (
	"bytes"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// txRef is a transaction as found in a block.
type txRef struct {
	account []byte
	lt      uint64
	cell    *cell.Cell // unopened, and still watched by the proof builder that found it
}

// accountBlocks is the dictionary of a block's transactions: by account, then by LT.
type accountBlocks struct {
	root *cell.Cell // nil in a block without transactions
}

func openAccountBlocks(c *cell.Cell) (accountBlocks, error) {
	s, err := c.BeginParse()
	if err != nil {
		return accountBlocks{}, fmt.Errorf("account blocks: %w", err)
	}
	root, err := loadMaybeRef(s)
	if err != nil {
		return accountBlocks{}, fmt.Errorf("account blocks: %w", err)
	}
	return accountBlocks{root: root}, nil
}

// openBlockAccounts opens a block down to its account blocks.
func openBlockAccounts(root *cell.Cell) (accountBlocks, extraParts, error) {
	parts, err := openBlock(root)
	if err != nil {
		return accountBlocks{}, extraParts{}, err
	}
	extra, err := openExtra(parts.extra)
	if err != nil {
		return accountBlocks{}, extraParts{}, err
	}
	blocks, err := openAccountBlocks(extra.accounts)
	return blocks, extra, err
}

// openTransactions reads the value of an account: a currency collection as its
// augmentation, then AccountBlock with an inline dictionary of transactions.
func openTransactions(v *cell.Slice, account []byte) (*cell.Cell, error) {
	if err := skipCurrencies(v); err != nil {
		return nil, fmt.Errorf("account block: %w", err)
	}
	tag, err := v.LoadUInt(4)
	if err != nil {
		return nil, fmt.Errorf("account block: %w", err)
	}
	addr, err := v.LoadSlice(256)
	if err != nil {
		return nil, fmt.Errorf("account block: %w", err)
	}
	if tag != tagAccountBlock || !bytes.Equal(addr, account) {
		return nil, fmt.Errorf("account block of %X is invalid", account)
	}
	// The reference to the state update that follows the dictionary stays behind
	// its own ones and does not disturb look-ups.
	return v.ToCell()
}

// openTransaction reads one value of that dictionary.
func openTransaction(v *cell.Slice) (*cell.Cell, error) {
	if err := skipCurrencies(v); err != nil {
		return nil, fmt.Errorf("transaction entry: %w", err)
	}
	return v.LoadRefCell()
}

// find looks one transaction up; nil when the block has none of that account and LT.
func (b accountBlocks) find(account []byte, lt uint64) (*cell.Cell, error) {
	v, err := lookup(b.root, bytesKey(account), 256)
	if err != nil || v == nil {
		return nil, err
	}
	txs, err := openTransactions(v, account)
	if err != nil {
		return nil, err
	}
	entry, err := lookup(txs, uintKey(lt, 64), 64)
	if err != nil || entry == nil {
		return nil, err
	}
	return openTransaction(entry)
}

// listing walks the transactions of a block in the order of (account, LT) or its
// reverse, starting behind a given one.
type listing struct {
	account []byte
	lt      uint64
	reverse bool
	limit   int
}

// list returns up to limit transactions and whether the list is complete. As with
// nodes, a list that is exactly full counts as incomplete.
func (b accountBlocks) list(l listing) (refs []txRef, done bool, err error) {
	at, same := l.account, true
	for len(refs) < l.limit {
		key, v, err := nearest(b.root, bytesKey(at), 256, !l.reverse, same)
		if err != nil {
			return nil, false, err
		}
		if key == nil {
			return refs, true, nil
		}
		if at, err = keyBytes(key, 256); err != nil {
			return nil, false, err
		}
		lt := l.lt
		if !bytes.Equal(at, l.account) {
			lt = l.edge()
		}
		txs, err := openTransactions(v, at)
		if err != nil {
			return nil, false, err
		}
		if refs, err = l.listAccount(refs, txs, at, lt); err != nil {
			return nil, false, err
		}
		same = false
	}
	return refs, false, nil
}

func (l listing) listAccount(refs []txRef, txs *cell.Cell, account []byte, lt uint64) ([]txRef, error) {
	for len(refs) < l.limit {
		key, v, err := nearest(txs, uintKey(lt, 64), 64, !l.reverse, false)
		if err != nil || key == nil {
			return refs, err
		}
		if lt, err = keyUint(key, 64); err != nil {
			return refs, err
		}
		tx, err := openTransaction(v)
		if err != nil {
			return refs, err
		}
		refs = append(refs, txRef{account: account, lt: lt, cell: tx})
	}
	return refs, nil
}

// edge is the LT before all others in the walk's direction.
func (l listing) edge() uint64 {
	if l.reverse {
		return ^uint64(0)
	}
	return 0
}
