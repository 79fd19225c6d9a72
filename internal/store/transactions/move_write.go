package transactions

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tonql/internal/chain"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

var (
	reduceTransactions = `UPDATE transactions t SET boc = coalesce(k.boc, t.boc), states = coalesce(t.states, k.states), ` +
		strings.ReplaceAll(strings.Join(strings.Fields(describedColumns), " "), ",", " = NULL,") + ` = NULL
		FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bytea[]) k(account, lt, boc, states)
		WHERE t.account = k.account AND t.lt = k.lt AND t.prev_hash IS NOT NULL`
	stateTransactions = `UPDATE transactions t SET states = k.states FROM unnest($1::bytea[], $2::bigint[], $3::bytea[]) k(account, lt, states)
		WHERE t.account = k.account AND t.lt = k.lt AND t.states IS NULL`
	deleteOutside = `DELETE FROM transaction_bocs o USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE o.account = k.account AND o.lt = k.lt`
)

// DeleteStates removes states with a row of their own.
const DeleteStates = `DELETE FROM account_states s USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
	WHERE s.account = k.account AND s.lt = k.lt`

var errMovedBeside = errors.New("another process has changed the rows to be moved")

// write changes the rows. present is the dictionary that compressed them.
func (p *movePlan) write(ctx context.Context, tx pgx.Tx, present *dictionary.Dictionary) error {
	if p.compressed {
		if err := ensure(ctx, tx, present); err != nil {
			return err
		}
	}
	b := &pgx.Batch{}
	queue := func(text string, keys *sqlbuild.KeyArrays, more ...any) {
		if keys.Len() == 0 {
			return
		}
		b.Queue(text, append([]any{keys.Accounts, keys.LTs}, more...)...).Exec(func(tag pgconn.CommandTag) error {
			if tag.RowsAffected() != int64(keys.Len()) {
				return errMovedBeside
			}
			return nil
		})
	}
	queue(reduceTransactions, &p.reduced, p.bocs, p.states)
	queue(stateTransactions, &p.stated, p.statesOnly)
	queue(deleteOutside, &p.outside)
	queue(DeleteStates, &p.own)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("rows: %w", err)
	}
	return nil
}

// ensure writes a dictionary that the database does not have.
func ensure(ctx context.Context, tx pgx.Tx, d *dictionary.Dictionary) error {
	var there bool
	if err := tx.QueryRow(ctx, dictionary.SelectPresent, int64(d.ID())).Scan(&there); err != nil {
		return fmt.Errorf("dictionary: %w", err)
	}
	if there {
		return nil
	}
	if _, err := tx.Exec(ctx, dictionary.InsertEarlier, int64(d.ID()), d.Content()); err != nil {
		return fmt.Errorf("dictionary: %w", err)
	}
	return nil
}

// MoveStates moves the states after transactions that have a row of their own and, by now, a rest. The caller holds the lock of
// writers. It returns how many it moved; rows that are damaged stay.
func MoveStates(ctx context.Context, tx pgx.Tx, dictionaries *dictionary.Cache, keys []chain.TransactionKey) (int, error) {
	p := newMovePlan()
	rows, err := readMoved(ctx, tx, dictionaries, keys)
	if err != nil {
		return 0, err
	}
	states, err := statesAround(ctx, tx, dictionaries, rows)
	if err != nil {
		return 0, err
	}
	for i := range rows {
		row := &rows[i]
		if row.damaged {
			continue
		}
		if around := planStates(p, row, states); around != nil {
			p.stated.Add(&row.key.Account, row.key.LT)
			p.statesOnly = append(p.statesOnly, around)
		}
	}
	if p.rows() == 0 {
		return 0, nil
	}
	return p.rows(), p.write(ctx, tx, nil)
}
