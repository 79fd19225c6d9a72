package resolvers

import (
	"context"
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

// actor is an account as of a view, ready to run. One that never existed has the status Nonexist and nothing else.
type actor struct {
	row   chain.AccountState
	state contract.State
	root  *cell.Cell // the account's cell, when the node gave it; else nil
}

// account reads an account with its cells.
func (x *executor) account(ctx context.Context, v *view, a chain.Address) (*actor, error) {
	key := accountKey{v.master.Seqno, a}
	if acc, ok := x.accounts.Get(key); ok {
		return acc, nil
	}
	row, err := x.row(ctx, v, a, false)
	var acc *actor
	switch {
	case err != nil && (chain.KindOf(err) != chain.NotFound || x.svc.node == nil):
		return nil, err
	case err != nil, row == nil:
		acc, err = x.accountOfNode(ctx, v, a)
	default:
		acc, err = x.open(ctx, row)
	}
	if err != nil {
		return nil, err
	}
	if acc.row.UsedBits/8 <= largestKept {
		x.accounts.Add(key, acc)
	}
	return acc, nil
}

// strangerOfNode is accountOfNode for an account that the index lacks; the node is asked once for each view.
func (x *executor) strangerOfNode(ctx context.Context, v *view, a chain.Address) (*actor, error) {
	key := accountKey{v.master.Seqno, a}
	if acc, ok := x.accounts.Get(key); ok && acc.root != nil {
		return acc, nil
	}
	acc, err := x.accountOfNode(ctx, v, a)
	if err != nil {
		return nil, err
	}
	if acc.row.UsedBits/8 <= largestKept {
		x.accounts.Add(key, acc)
	}
	return acc, nil
}

// row reads the index's row of an account as of a view; nil when the index knows nothing of it, NotFound when the
// account's history in the index begins later. With cells a latest state brings code and data; others do not.
func (x *executor) row(ctx context.Context, v *view, a chain.Address, cells bool) (*chain.AccountState, error) {
	if v.beyond {
		return nil, chain.NotFoundf("masterchain block %d is not in the index", v.master.Seqno)
	}
	if v.latest {
		rows, err := x.svc.index.AccountStates(ctx, chain.AccountFilter{Addresses: []chain.Address{a}, WithBOC: cells}, chain.Page{Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			return nil, nil
		}
		if rows[0].LT < v.blockOf(a).EndLT {
			return &rows[0], nil
		}
		// The index has gone on since the view was opened: look into the past.
	}
	return x.rowAt(ctx, v, a)
}

// rowAt finds the state that the last transaction up to the view's block left; before the first indexed transaction,
// the state it started from.
func (x *executor) rowAt(ctx context.Context, v *view, a chain.Address) (*chain.AccountState, error) {
	key, err := x.lastTransaction(ctx, v, a)
	if err != nil || key == nil {
		return nil, err
	}
	rows, err := x.svc.index.AccountStatesAt(ctx, []chain.TransactionKey{*key})
	switch {
	case err != nil:
		return nil, err
	case len(rows) > 0:
		return &rows[0], nil
	case key.LT == 0:
		return nil, nil
	default:
		return nil, chain.NotFoundf("the index does not hold the state of account %s as of masterchain block %d", a, v.master.Seqno)
	}
}

// lastTransaction names the transaction that made an account's state as of a view; nil when the index cannot tell.
func (x *executor) lastTransaction(ctx context.Context, v *view, a chain.Address) (*chain.TransactionKey, error) {
	const rows = 16
	f := chain.TransactionFilter{Accounts: []chain.Address{a}, EndLT: &v.master.EndLT}
	// The masterchain block commits everything of lower LT, except what other shards made meanwhile.
	for offset := 0; ; offset += rows {
		txs, err := x.svc.index.Transactions(ctx, f, chain.Page{Limit: rows, Offset: offset, Sort: chain.Descending})
		if err != nil {
			return nil, err
		}
		for i := range txs {
			if txs[i].McSeqno <= v.master.Seqno {
				return &chain.TransactionKey{Account: a, LT: txs[i].LT}, nil
			}
		}
		if len(txs) < rows {
			break
		}
	}
	first, err := x.svc.index.Transactions(ctx, chain.TransactionFilter{Accounts: []chain.Address{a}},
		chain.Page{Limit: 1, Sort: chain.Ascending})
	if err != nil || len(first) == 0 || first[0].McSeqno <= v.master.Seqno {
		return nil, err
	}
	return &chain.TransactionKey{Account: a, LT: first[0].PrevLT}, nil
}

// accountOfNode asks the node for an account the index does not know. Without a node, an index of the whole chain says
// that it never had a transaction, and one of a part of the chain says nothing.
func (x *executor) accountOfNode(ctx context.Context, v *view, a chain.Address) (*actor, error) {
	none := &actor{
		row:   chain.AccountState{Account: a, Status: chain.Nonexist},
		state: contract.State{Address: a},
	}
	if x.svc.node == nil {
		head, err := x.svc.MasterchainInfo(ctx)
		if err == nil && head.First.Seqno > 1 {
			err = chain.NotFoundf("account %s is not in the index, which begins with masterchain block %d", a, head.First.Seqno)
		}
		return none, err
	}
	raw, err := x.svc.node.Account(ctx, v.master.BlockIDExt, a)
	if err != nil {
		return nil, fmt.Errorf("account %s as of masterchain block %d: %w", a, v.master.Seqno, err)
	}
	if raw.Root == nil {
		return none, nil
	}
	return openRoot(a, raw)
}

// openRoot reads an account from its cell.
func openRoot(a chain.Address, raw *chain.RawAccount) (*actor, error) {
	var st tlb.AccountState
	if err := tlb.Parse(&st, raw.Root); err != nil {
		return nil, fmt.Errorf("account %s: %w", a, err)
	}
	acc := &actor{root: raw.Root, row: chain.AccountState{
		Account: a, LT: raw.LastTxLT, TxHash: raw.LastTxHash, Hash: chain.Hash(raw.Root.HashKey()), Status: chain.Nonexist,
	}}
	if !st.IsValid {
		acc.state = contract.State{Address: a}
		return acc, nil
	}
	acc.row.Balance = chain.Coins(st.Balance.Nano().Uint64())
	acc.row.LastPaid = st.StorageInfo.LastPaid
	acc.row.UsedCells, acc.row.UsedBits = st.StorageInfo.StorageUsed.CellsUsed.Uint64(), st.StorageInfo.StorageUsed.BitsUsed.Uint64()
	if due := st.StorageInfo.DuePayment; due != nil {
		acc.row.DuePayment = new(chain.Coins(due.Nano().Uint64()))
	}
	extra, err := loadExtra(st.ExtraCurrencies)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", a, err)
	}
	acc.row.Extra = extra
	switch st.Status {
	case tlb.AccountStatusActive:
		acc.row.Status = chain.Active
	case tlb.AccountStatusFrozen:
		acc.row.Status, acc.row.FrozenHash = chain.Frozen, new(chain.HashFrom(st.StateHash))
	default:
		acc.row.Status = chain.Uninit
	}
	var code, data *cell.Cell
	if st.StateInit != nil && acc.row.Status == chain.Active {
		code, data = st.StateInit.Code, st.StateInit.Data
	}
	acc.row.CodeHash, acc.row.CodeBOC = hashAndBOC(code)
	acc.row.DataHash, acc.row.DataBOC = hashAndBOC(data)
	acc.state = stateOf(&acc.row, code, data)
	return acc, nil
}

func hashAndBOC(c *cell.Cell) (*chain.Hash, chain.BOC) {
	if c == nil {
		return nil, nil
	}
	return new(chain.Hash(c.HashKey())), c.ToBOCWithOptions(cell.BOCSerializeOptions{})
}

// open reads the cells that a row names.
func (x *executor) open(ctx context.Context, row *chain.AccountState) (*actor, error) {
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
	bags, err := x.svc.index.Cells(ctx, missing)
	if err != nil {
		return nil, err
	}
	for _, h := range missing {
		boc, ok := bags[h]
		if !ok {
			return nil, fmt.Errorf("account %s: cell %s is not in the index", row.Account, h)
		}
		c, err := cell.FromBOC(boc)
		if err != nil {
			return nil, fmt.Errorf("account %s: cell %s: %w", row.Account, h, err)
		}
		if parsed[h] = c; len(boc) <= largestKept {
			x.cells.Add(h, c)
		}
	}
	at := func(h *chain.Hash) *cell.Cell {
		if h == nil {
			return nil
		}
		return parsed[*h]
	}
	return &actor{row: *row, state: stateOf(row, at(row.CodeHash), at(row.DataHash))}, nil
}

func stateOf(row *chain.AccountState, code, data *cell.Cell) contract.State {
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

// storeExtra writes extra currencies as the chain does: a dictionary from id to VarUInteger 32. Empty gives nil.
func storeExtra(extra chain.ExtraCurrencies) *cell.Dictionary {
	if len(extra) == 0 {
		return nil
	}
	dict := cell.NewDict(32)
	for id, amount := range extra {
		key := cell.BeginCell().MustStoreUInt(uint64(id), 32).EndCell()
		value := cell.BeginCell()
		if value.StoreBigVarUInt(amount, 32) != nil || dict.Set(key, value.EndCell()) != nil {
			continue // amounts of the chain fit by construction
		}
	}
	return dict
}

// maxCurrencies bounds the extra currencies of an account; the network accepts a few in a message.
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
