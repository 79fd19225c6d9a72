package emulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

type accountKey struct {
	mcSeqno uint32
	address chain.Address
}

// Account is the state of an account at a View, with its cells parsed. An account that never existed has the status
// Nonexist and no other field set. It is shared and read-only.
type Account struct {
	State    chain.AccountState
	Contract contract.State
	root     *cell.Cell // the account's cell if the node proved it, otherwise nil
}

// weight estimates the size of the account in memory, in bytes.
func (a *Account) weight() int {
	const row = 256
	return row + cellgraph.Memory(a.State.UsedCells, a.State.UsedBits) + len(a.State.CodeBOC) + len(a.State.DataBOC)
}

// keepAccount caches an account, unless it is large.
func (x *Emulator) keepAccount(key accountKey, acc *Account) {
	if weight := acc.weight(); weight <= maxCachedBytes {
		x.accounts.Add(key, acc, weight)
	}
}

// Account returns an account at a View, from the index or, where the index lacks it, from the node. NotFound when its state
// cannot be determined.
func (x *Emulator) Account(ctx context.Context, v *View, a chain.Address) (*Account, error) {
	key := accountKey{v.Master.Seqno, a}
	if acc, ok := x.accounts.Get(key); ok {
		return acc, nil
	}
	row, err := x.State(ctx, v, a, false)
	var acc *Account
	switch {
	case err != nil && (chain.KindOf(err) != chain.NotFound || x.node == nil):
		return nil, err
	case err != nil, row == nil:
		acc, err = x.accountFromNode(ctx, v, a)
	default:
		if acc, err = x.open(ctx, row); errors.Is(err, errNotStored) && x.node != nil {
			acc, err = x.accountFromNode(ctx, v, a)
		}
	}
	if err != nil {
		return nil, err
	}
	x.keepAccount(key, acc)
	return acc, nil
}

// AccountOutsideIndex returns an account that the index lacks, from the node. Results are cached per View.
func (x *Emulator) AccountOutsideIndex(ctx context.Context, v *View, a chain.Address) (*Account, error) {
	key := accountKey{v.Master.Seqno, a}
	if acc, ok := x.accounts.Get(key); ok && acc.root != nil {
		return acc, nil
	}
	acc, err := x.accountFromNode(ctx, v, a)
	if err != nil {
		return nil, err
	}
	x.keepAccount(key, acc)
	return acc, nil
}

// State returns the index's row of an account at a View, nil when the index has no transaction of the account. The error is NotFound when
// the account's indexed history begins later, and when the account may have changed in a gap of the index. With cells set, the latest state
// includes code and data; a past state never does.
func (x *Emulator) State(ctx context.Context, v *View, a chain.Address, cells bool) (*chain.AccountState, error) {
	if v.FromNode {
		return nil, chain.NotFoundf("masterchain block %d is not in the index", v.Master.Seqno)
	}
	if v.latest {
		rows, err := x.index.AccountStates(ctx, chain.AccountFilter{Addresses: []chain.Address{a}, WithBOC: cells}, chain.Page{Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			return nil, nil
		}
		if rows[0].LT < v.BlockOf(a).EndLT {
			return x.current(ctx, v, &rows[0])
		}
		// The index has advanced since the View was loaded: read the past state.
	}
	return x.stateAt(ctx, v, a)
}

// current returns a row that is the newest of the index up to a View. NotFound if the index has a gap between the transaction that left it and
// the View, in which the account may have changed.
func (x *Emulator) current(ctx context.Context, v *View, row *chain.AccountState) (*chain.AccountState, error) {
	if v.Since == 0 {
		return row, nil
	}
	seqno, err := x.blockOf(ctx, row)
	if err != nil {
		return nil, err
	}
	if seqno >= v.Since {
		return row, nil
	}
	if ok, err := x.joined(ctx, seqno, v.Master.Seqno); !ok { // gaps that were filled meanwhile do not count
		return nil, cmp.Or(err, noState(v, row.Account))
	}
	return row, nil
}

// blockOf returns the masterchain block of the transaction that left a state. Of a transaction that was dropped it returns the first dropped block
// behind the newest gap among these if the transaction is behind it, otherwise 0.
func (x *Emulator) blockOf(ctx context.Context, row *chain.AccountState) (uint32, error) {
	txs, err := x.index.TransactionsByKey(ctx, []chain.TransactionKey{{Account: row.Account, LT: row.LT}})
	if err != nil {
		return 0, err
	}
	if len(txs) > 0 {
		return txs[0].McSeqno, nil
	}
	dropped, err := x.index.Dropped(ctx)
	if err != nil || dropped.Gap == 0 || row.LT < dropped.GapLT {
		return 0, err
	}
	return dropped.Gap + 1, nil
}

func noState(v *View, a chain.Address) error {
	return chain.NotFoundf("the index does not hold the state of account %s at masterchain block %d", a, v.Master.Seqno)
}

// stateAt returns the state after the account's last transaction up to the View's block, or the state before its first
// indexed transaction. An account whose transactions were all dropped has its newest state.
func (x *Emulator) stateAt(ctx context.Context, v *View, a chain.Address) (*chain.AccountState, error) {
	key, next, err := x.lastTransaction(ctx, v, a)
	if err != nil {
		return nil, err
	}
	if key == nil {
		rows, err := x.index.AccountStates(ctx, chain.AccountFilter{Addresses: []chain.Address{a}}, chain.Page{Limit: 1})
		if err != nil || len(rows) == 0 || rows[0].LT >= v.BlockOf(a).EndLT {
			return nil, err
		}
		rows[0].Methods, rows[0].Interfaces = nil, nil // as of every past state
		return x.current(ctx, v, &rows[0])
	}
	rows, err := x.index.AccountStatesAt(ctx, []chain.TransactionKey{*key})
	switch {
	case err != nil:
		return nil, err
	case len(rows) > 0:
		return &rows[0], nil
	case key.LT == 0:
		return nil, nil
	}
	var state *chain.AccountState
	if next != nil {
		if state, err = x.index.StateBefore(ctx, *next); err != nil {
			return nil, err
		}
	}
	if state == nil {
		err = noState(v, a)
	}
	return state, err
}

// lastTransaction returns the key of the transaction that left an account's state at a View; nil when the index lacks it. next is the key of
// the transaction after it, when the last one may not be indexed. Of dropped blocks the index has only the transactions of traces that ended
// later, so there the next transaction names the last one. NotFound when a gap of the index may have the last one.
func (x *Emulator) lastTransaction(ctx context.Context, v *View, a chain.Address) (last, next *chain.TransactionKey, err error) {
	const rows = 16
	dropped, err := x.index.Dropped(ctx)
	if err != nil {
		return nil, nil, err
	}
	f := chain.TransactionFilter{Accounts: []chain.Address{a}, EndLT: &v.Master.EndLT}
	after := chain.TransactionFilter{Accounts: f.Accounts}
	var before *chain.Transaction // in dropped blocks, or before a gap
	// The masterchain block commits everything of lower LT, except what other shards made meanwhile.
search:
	for offset := 0; ; offset += rows {
		txs, err := x.index.Transactions(ctx, f, chain.Page{Limit: rows, Offset: offset, Sort: chain.Descending})
		if err != nil {
			return nil, nil, err
		}
		for i := range txs {
			switch t := &txs[i]; {
			case t.McSeqno > v.Master.Seqno:
			case t.McSeqno > dropped.Last && t.McSeqno >= v.Since:
				return &chain.TransactionKey{Account: a, LT: t.LT}, nil, nil
			default:
				before, after.StartLT = t, new(t.LT+1)
				break search
			}
		}
		if len(txs) < rows {
			break
		}
	}
	first, err := x.index.Transactions(ctx, after, chain.Page{Limit: 1, Sort: chain.Ascending})
	if err != nil || len(first) == 0 || first[0].McSeqno <= v.Master.Seqno {
		return nil, nil, err
	}
	// The next transaction names the last one, unless a gap between the View and it has others.
	if prev := first[0].PrevLT; prev != 0 && (before == nil || before.LT != prev) {
		ok, err := x.joined(ctx, v.Master.Seqno, first[0].McSeqno)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			return nil, nil, noState(v, a)
		}
	}
	return &chain.TransactionKey{Account: a, LT: first[0].PrevLT}, &chain.TransactionKey{Account: a, LT: first[0].LT}, nil
}

// accountFromNode reads an account from the node. Without a node, the account does not exist if the index covers the
// complete chain up to the View, and is NotFound otherwise.
func (x *Emulator) accountFromNode(ctx context.Context, v *View, a chain.Address) (*Account, error) {
	none := &Account{
		State:    chain.AccountState{Account: a, Status: chain.Nonexist},
		Contract: contract.State{Address: a},
	}
	if x.node == nil {
		head, err := x.head(ctx)
		switch {
		case err != nil:
			return nil, err
		case v.Since > 0:
			return nil, noState(v, a)
		case head.First.Seqno > 1:
			return nil, chain.NotFoundf("account %s is not in the index, which begins with masterchain block %d", a, head.First.Seqno)
		}
		return none, nil
	}
	raw, err := x.node.Account(ctx, v.Master.BlockIDExt, a)
	if err != nil {
		return nil, fmt.Errorf("account %s at masterchain block %d: %w", a, v.Master.Seqno, err)
	}
	if raw.Root == nil {
		return none, nil
	}
	return openRoot(a, raw)
}

// openRoot parses an account from its cell.
func openRoot(a chain.Address, raw *chain.RawAccount) (*Account, error) {
	var st tlb.AccountState
	if err := tlb.Parse(&st, raw.Root); err != nil {
		return nil, fmt.Errorf("account %s: %w", a, err)
	}
	acc := &Account{root: raw.Root, State: chain.AccountState{
		Account: a, LT: raw.LastTxLT, TxHash: raw.LastTxHash, Hash: chain.Hash(raw.Root.HashKey()), Status: chain.Nonexist,
	}}
	if !st.IsValid {
		acc.Contract = contract.State{Address: a}
		return acc, nil
	}
	acc.State.Balance = chain.Coins(st.Balance.Nano().Uint64())
	acc.State.LastPaid = st.StorageInfo.LastPaid
	acc.State.UsedCells, acc.State.UsedBits = st.StorageInfo.StorageUsed.CellsUsed.Uint64(), st.StorageInfo.StorageUsed.BitsUsed.Uint64()
	if due := st.StorageInfo.DuePayment; due != nil {
		acc.State.DuePayment = new(chain.Coins(due.Nano().Uint64()))
	}
	extra, err := loadExtra(st.ExtraCurrencies)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", a, err)
	}
	acc.State.Extra = extra
	switch st.Status {
	case tlb.AccountStatusActive:
		acc.State.Status = chain.Active
	case tlb.AccountStatusFrozen:
		acc.State.Status, acc.State.FrozenHash = chain.Frozen, new(chain.HashFrom(st.StateHash))
	default:
		acc.State.Status = chain.Uninit
	}
	var code, data *cell.Cell
	if st.StateInit != nil && acc.State.Status == chain.Active {
		code, data = st.StateInit.Code, st.StateInit.Data
	}
	acc.State.CodeHash, acc.State.CodeBOC = hashAndBOC(code)
	acc.State.DataHash, acc.State.DataBOC = hashAndBOC(data)
	acc.Contract = contractState(&acc.State, code, data)
	return acc, nil
}

func hashAndBOC(c *cell.Cell) (*chain.Hash, chain.BOC) {
	if c == nil {
		return nil, nil
	}
	return new(chain.Hash(c.HashKey())), c.ToBOCWithOptions(cell.BOCSerializeOptions{})
}

// errNotStored is the error of an account whose code or data the index does not have: earlier versions did not store those of the largest.
var errNotStored = chain.NotFoundf("the index does not have the code or the data of the account at this block")

// open reads and parses the code and data that a row refers to. Without them the error is [errNotStored].
func (x *Emulator) open(ctx context.Context, row *chain.AccountState) (*Account, error) {
	var missing []chain.Hash
	parsed := map[chain.Hash]*cell.Cell{}
	for _, h := range [...]*chain.Hash{row.CodeHash, row.DataHash} {
		if h == nil {
			continue
		}
		if c, ok := x.cells.Get(*h); ok {
			parsed[*h] = c
		} else {
			missing = append(missing, *h)
		}
	}
	bags, err := x.index.Cells(ctx, missing)
	if err != nil {
		return nil, err
	}
	for _, h := range missing {
		boc, ok := bags[h]
		if !ok {
			return nil, fmt.Errorf("account %s: %w", row.Account, errNotStored)
		}
		c, err := cell.FromBOC(boc)
		if err != nil {
			return nil, fmt.Errorf("account %s: cell %s: %w", row.Account, h, err)
		}
		parsed[h] = c
		if weight, ok := cellgraph.MemoryOf(c, maxCachedBytes); ok {
			x.cells.Add(h, c, weight)
		}
	}
	at := func(h *chain.Hash) *cell.Cell {
		if h == nil {
			return nil
		}
		return parsed[*h]
	}
	return &Account{State: *row, Contract: contractState(row, at(row.CodeHash), at(row.DataHash))}, nil
}

func contractState(row *chain.AccountState, code, data *cell.Cell) contract.State {
	s := contract.State{
		Address: row.Account, Code: code, Data: data, Balance: row.Balance, LastTxLT: row.LT,
	}
	if dict := storeExtra(row.Extra); dict != nil {
		s.Extra = dict.AsCell()
	}
	if row.DuePayment != nil {
		s.DuePayment = *row.DuePayment
	}
	return s
}

// storeExtra serializes extra currencies as a dictionary from id to VarUInteger 32; nil for none.
func storeExtra(extra chain.ExtraCurrencies) *cell.Dictionary {
	if len(extra) == 0 {
		return nil
	}
	dict := cell.NewDict(32)
	for id, amount := range extra {
		key := cell.BeginCell().MustStoreUInt(uint64(id), 32).EndCell()
		value := cell.BeginCell()
		if value.StoreBigVarUInt(amount, 32) != nil || dict.Set(key, value.EndCell()) != nil {
			continue // amounts on chain always fit
		}
	}
	return dict
}

// maxCurrencies bounds the extra currencies of an account.
const maxCurrencies = 4096

func loadExtra(dict *cell.Dictionary) (chain.ExtraCurrencies, error) {
	if dict == nil || dict.IsEmpty() {
		return nil, nil
	}
	if _, err := cellgraph.Entries(dict.AsCell(), 32, maxCurrencies); err != nil {
		return nil, fmt.Errorf("extra currencies: %w", err)
	}
	items, err := dict.LoadAll()
	if err != nil {
		return nil, err
	}
	extra := chain.ExtraCurrencies{}
	for _, item := range items {
		id, err := item.Key.LoadUInt(32)
		if err != nil {
			return nil, err
		}
		if extra[uint32(id)], err = item.Value.LoadVarUInt(32); err != nil {
			return nil, err
		}
	}
	return extra, nil
}

// FillCells reads the code and data of a state at a View that lacks them: from the index, or from the node where the index does not have them
// either. Those that neither has remain nil.
func (x *Emulator) FillCells(ctx context.Context, v *View, row *chain.AccountState) error {
	hashes := lackingCells(row)
	if len(hashes) == 0 {
		return nil
	}
	bags, err := x.index.Cells(ctx, hashes)
	if err != nil {
		return err
	}
	if row.CodeHash != nil && row.CodeBOC == nil {
		row.CodeBOC = bags[*row.CodeHash]
	}
	if row.DataHash != nil && row.DataBOC == nil {
		row.DataBOC = bags[*row.DataHash]
	}
	if len(lackingCells(row)) == 0 || x.node == nil {
		return nil
	}
	acc, err := x.AccountOutsideIndex(ctx, v, row.Account)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		return nil
	}
	if err == nil && acc.State.Hash == row.Hash {
		row.CodeBOC, row.DataBOC = acc.State.CodeBOC, acc.State.DataBOC
	}
	return err
}

// lackingCells returns the hashes of the code and the data that a state names and lacks.
func lackingCells(row *chain.AccountState) (hashes []chain.Hash) {
	if row.CodeHash != nil && row.CodeBOC == nil {
		hashes = append(hashes, *row.CodeHash)
	}
	if row.DataHash != nil && row.DataBOC == nil {
		hashes = append(hashes, *row.DataHash)
	}
	return hashes
}
