package cellsweep

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

const (
	selectAccountCells = `SELECT code_hash, data_hash FROM accounts WHERE code_hash IS NOT NULL OR data_hash IS NOT NULL`
	selectStateCells   = `SELECT code_hash, data_hash, rest FROM account_states`

	selectSeqnos = `SELECT (SELECT mc_seqno FROM transactions ORDER BY mc_seqno LIMIT 1), (SELECT mc_seqno FROM transactions ORDER BY mc_seqno DESC LIMIT 1)`

	// Transactions without states have rows of account_states.
	selectTransactionCells = `SELECT states FROM transactions WHERE mc_seqno BETWEEN $1 AND $2 AND states IS NOT NULL`

	// takeUses takes up to so many hashes.
	takeUses = `DELETE FROM cell_uses WHERE ctid = ANY(ARRAY(SELECT ctid FROM cell_uses LIMIT $1)) RETURNING hash`

	// useBlocks is the number of masterchain blocks whose transactions one statement reads.
	useBlocks = 1000
	// usesAtOnce is the number of hashes that one statement takes.
	usesAtOnce = 50_000
)

// Pace is called after each step of a sweep that others need not wait for, with its duration, and may pause.
type Pace func(ctx context.Context, took time.Duration) error

// RestCells calls use with the hash of each tree of cells that the rest of the row of a state refers to.
type RestCells func(rest []byte, use func(chain.Hash)) error

// Use reads all states and records the cells that they refer to. It reads the tables of states at one moment, and transactions, which
// are not removed meanwhile, in the order of their blocks. A state that cannot be read is an error.
func (s *Sweep) Use(ctx context.Context, ofRest RestCells, pace Pace) error {
	u := uses{Sweep: s, ofRest: ofRest, pace: pace}
	err := u.tables(ctx)
	if err == nil {
		err = u.transactions(ctx)
	}
	return sqlbuild.Fault(ctx, "cells in use", err)
}

type uses struct {
	*Sweep

	ofRest RestCells
	pace   Pace
	failed error
}

// states reads rows of code, data and rest.
func (u *uses) states(ctx context.Context, tx pgx.Tx, statement string, rest bool) error {
	rows, err := tx.Query(ctx, statement)
	if err == nil {
		err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			var code, data chain.Hash
			u.maybe(r.SetHash(&code))
			u.maybe(r.SetHash(&data))
			if !rest {
				return
			}
			if b := r.Next(); b != nil {
				u.note(u.ofRest(b, u.add))
			}
		})
	}
	return u.ended(err)
}

func (u *uses) maybe(h *chain.Hash) {
	if h != nil {
		u.add(*h)
	}
}

func (u *uses) note(err error) {
	if u.failed == nil {
		u.failed = err
	}
}

func (u *uses) ended(err error) error {
	if err == nil {
		err = u.failed
	}
	return err
}

func (u *uses) tables(ctx context.Context) error {
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, u.pool, options, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL enable_seqscan = on`); err != nil {
			return fmt.Errorf("settings: %w", err)
		}
		if err := u.states(ctx, tx, selectAccountCells, false); err != nil {
			return fmt.Errorf("accounts: %w", err)
		}
		if err := u.states(ctx, tx, selectStateCells, true); err != nil {
			return fmt.Errorf("account states: %w", err)
		}
		return nil
	})
}

func (u *uses) transactions(ctx context.Context) error {
	var first, last *int64
	if err := u.pool.QueryRow(ctx, selectSeqnos).Scan(&first, &last); err != nil || first == nil {
		return err
	}
	for from := *first; from <= *last; from += useBlocks {
		began := time.Now()
		rows, err := u.pool.Query(ctx, selectTransactionCells, from, from+useBlocks-1)
		if err == nil {
			err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
				u.note(transactions.CellsOfStates(r.Next(), u.add, func(rest []byte) error { return u.ofRest(rest, u.add) }))
			})
		}
		if err = u.ended(err); err != nil {
			return fmt.Errorf("transactions of the masterchain blocks from %d on: %w", from, err)
		}
		if err := u.take(ctx); err != nil {
			return err
		}
		if err := u.pace(ctx, time.Since(began)); err != nil {
			return err
		}
	}
	return nil
}

// take records the cells of blocks that were written since.
func (s *Sweep) take(ctx context.Context) error {
	for n := usesAtOnce; n == usesAtOnce; {
		var err error
		if n, err = s.takeSome(ctx, s.pool); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sweep) takeSome(ctx context.Context, q sqlbuild.Queryer) (n int, err error) {
	rows, err := q.Query(ctx, takeUses, usesAtOnce)
	if err == nil {
		err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { s.add(r.Hash()); n++ })
	}
	if err != nil {
		return 0, fmt.Errorf("cells of newer blocks: %w", err)
	}
	return n, nil
}
