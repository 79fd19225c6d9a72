package store

import (
	"context"

	"tonql/internal/chain"
)

var (
	selectStatesByKey = `SELECT ` + stateColumns + ` FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN account_states s ON s.account = k.account AND s.lt = k.lt`

	selectCells = `SELECT hash, boc FROM cells WHERE hash = ANY($1)`
)

// accountOrder is by address alone, upwards whatever the direction: the list is for finding, not for ranking.
var accountOrder = order{{"s.account", false, "?", bindMinor}}

func balanceOrder(sort chain.Sort) order {
	desc := sort == chain.Descending
	return order{
		{"s.rank", desc, "balance_rank(?::bigint)", bindMajor},
		{"s.balance", desc, "?", bindMajor},
		{"s.account", !desc, "?", bindMinor},
	}
}

// offeredColumns is what a latest state has beside its own columns, from code_interfaces i.
const offeredColumns = `, i.methods, i.interfaces`

const joinOffered = ` LEFT JOIN code_interfaces i ON i.code_hash = s.code_hash`

func scanLatestState(r *row, s *chain.AccountState) {
	scanState(r, s)
	s.Methods = r.int4s()
	s.Interfaces = r.texts()
}

// cellColumns are code and data of a latest state.
const cellColumns = `, (SELECT c.boc FROM cells c WHERE c.hash = s.code_hash), (SELECT c.boc FROM cells c WHERE c.hash = s.data_hash)`

// bringsCells says whether the statement of a filter reads code and data too.
func bringsCells(f *chain.AccountFilter) bool { return f.WithBOC && len(f.Addresses) == 1 }

func scanWholeState(r *row, s *chain.AccountState) {
	scanLatestState(r, s)
	s.CodeBOC, s.DataBOC = r.bytes(), r.bytes()
}

// AccountStates lists the latest states of the accounts that match f by address; accounts that the index does not know
// are left out. With f.WithBOC code and data come along: those of one account at once, those of several, who often share
// their code, in a second round trip.
func (r *Reader) AccountStates(ctx context.Context, f chain.AccountFilter, p chain.Page) ([]chain.AccountState, error) {
	if len(f.Addresses) == 0 && len(f.CodeHashes) == 0 {
		return nil, chain.Invalidf("address of account is required")
	}
	s, l := accountsStatement(&f, p)
	scan := scanLatestState
	if bringsCells(&f) {
		scan = scanWholeState
	}
	states, err := collect(ctx, r.pool, "account states", l.limit, scan, s.text.String(), s.args...)
	if err != nil {
		return nil, err
	}
	restoreOrder(&l, states)
	if f.WithBOC && !bringsCells(&f) {
		err = r.addCells(ctx, states)
	}
	return states, err
}

func accountsStatement(f *chain.AccountFilter, p chain.Page) (*statement, list) {
	l := newList(accountOrder, p)
	s := &statement{}
	if len(f.Addresses) > 0 {
		columns := stateColumns + offeredColumns
		if bringsCells(f) {
			columns += cellColumns
		}
		s.fence(columns, "s"+joinOffered, func() {
			s.from("SELECT s.* FROM accounts s").and("s.account = ANY(?)", addressArray(unique(f.Addresses)))
			if len(f.CodeHashes) > 0 {
				s.and("(s.code_hash = ANY(?)) IS TRUE", hashArray(unique(f.CodeHashes)))
			}
			s.keyset(&l)
		})
		s.orderBy(l.order).window(&l)
		return s, l
	}
	s.add("SELECT "+stateColumns+offeredColumns+" FROM unnest(?::bytea[]) c(code_hash) CROSS JOIN LATERAL (", hashArray(unique(f.CodeHashes)))
	s.from("SELECT s.* FROM accounts s").and("s.code_hash = c.code_hash")
	s.keyset(&l)
	s.orderBy(l.order).add(" LIMIT ?", l.reach()).add(") s" + joinOffered)
	s.orderBy(l.order).window(&l)
	return s, l
}

// addCells fills the code and data of states.
func (r *Reader) addCells(ctx context.Context, states []chain.AccountState) error {
	hashes := make([]chain.Hash, 0, 2*len(states))
	for i := range states {
		for _, h := range [...]*chain.Hash{states[i].CodeHash, states[i].DataHash} {
			if h != nil {
				hashes = append(hashes, *h)
			}
		}
	}
	cells, err := r.Cells(ctx, hashes)
	if err != nil {
		return err
	}
	for i := range states {
		s := &states[i]
		if s.CodeHash != nil {
			s.CodeBOC = cells[*s.CodeHash]
		}
		if s.DataHash != nil {
			s.DataBOC = cells[*s.DataHash]
		}
	}
	return nil
}

// AccountStatesAt finds the states that transactions left their accounts in.
func (r *Reader) AccountStatesAt(ctx context.Context, keys []chain.TransactionKey) ([]chain.AccountState, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	k := transactionKeys(unique(keys))
	return collect(ctx, r.pool, "account states", len(keys), scanState, selectStatesByKey, k.accounts, k.lts)
}

// TopAccounts lists accounts by balance in the page's direction; equal balances by address, upwards in the descending
// list.
func (r *Reader) TopAccounts(ctx context.Context, p chain.Page) ([]chain.AccountBalance, error) {
	l := newList(balanceOrder(p.Sort), p)
	s := &statement{}
	s.from("SELECT s.account, s.balance FROM accounts s").and("s.status <> 3")
	s.keyset(&l)
	s.orderBy(l.order).window(&l)
	rows, err := collect(ctx, r.pool, "accounts", l.limit, func(r *row, a *chain.AccountBalance) {
		a.Account = r.address()
		a.Balance = chain.Coins(r.int8())
	}, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

// Cells reads code and data cells by hash; unknown ones are absent.
func (r *Reader) Cells(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
	return r.boced(ctx, "cells", selectCells, hashes)
}

// boced reads pairs of hash and BoC.
func (r *Reader) boced(ctx context.Context, what, text string, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
	found := make(map[chain.Hash]chain.BOC, len(hashes))
	if len(hashes) == 0 {
		return found, nil
	}
	err := each(ctx, r.pool, what, func(r *row) {
		hash := r.hash()
		found[hash] = r.bytes()
	}, text, hashArray(unique(hashes)))
	return found, err
}
