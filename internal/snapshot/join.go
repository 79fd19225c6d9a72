package snapshot

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// Joiner writes what no statement derives from the rows of several snapshots. Its methods change nothing when they are called again.
type Joiner interface {
	// JoinMessages continues traces across messages whose sides were indexed apart; in the order of their LTs.
	JoinMessages(ctx context.Context, keys []chain.MessageKey) error
	// RenewWants classifies traces again that lacked records of earlier blocks.
	RenewWants(ctx context.Context) error
}

// joinedAtOnce is the number of messages of one call of a [Joiner].
const joinedAtOnce = 256

const (
	selectJoined = `SELECT account, lt FROM ` + joinedTable + ` ORDER BY lt, account LIMIT $1`
	deleteJoined = `DELETE FROM ` + joinedTable + ` j USING unnest($1::bytea[], $2::bigint[]) k(account, lt) WHERE j.account = k.account AND j.lt = k.lt`
)

// join completes the traces of several snapshots.
func (i *importer) join(ctx context.Context, joiner Joiner) error {
	if len(i.from) == 1 {
		return nil
	}
	var left int
	if err := i.writing(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `SELECT count(*) FROM `+joinedTable).Scan(&left)
	}); err != nil {
		return fmt.Errorf("messages between snapshots: %w", err)
	}
	i.progress.begin("joining traces", left)
	for left > 0 {
		accounts, lts, err := i.nextJoined(ctx)
		if err != nil {
			return fmt.Errorf("messages between snapshots: %w", err)
		}
		keys := make([]chain.MessageKey, len(lts))
		for n := range keys {
			if keys[n].Account, err = chain.AddressFrom(accounts[n]); err != nil {
				return fmt.Errorf("messages between snapshots: %w", err)
			}
			keys[n].LT = uint64(lts[n])
		}
		if err := joiner.JoinMessages(ctx, keys); err != nil {
			return err //nolint:wrapcheck // it names the traces
		}
		if err := i.writing(ctx, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, deleteJoined, accounts, lts)
			return err
		}); err != nil {
			return fmt.Errorf("messages between snapshots: %w", err)
		}
		left -= len(keys)
		for range keys {
			i.progress.add(0, 0)
		}
	}
	return joiner.RenewWants(ctx) //nolint:wrapcheck // it names the traces
}

// nextJoined reads the keys of the next messages, at least one.
func (i *importer) nextJoined(ctx context.Context) (accounts [][]byte, lts []int64, err error) {
	err = i.writing(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectJoined, joinedAtOnce)
		if err != nil {
			return err
		}
		var account []byte
		var lt int64
		_, err = pgx.ForEachRow(rows, []any{&account, &lt}, func() error {
			accounts, lts = append(accounts, account), append(lts, lt)
			return nil
		})
		return err
	})
	if err == nil && len(lts) == 0 {
		err = fmt.Errorf("the table %s was changed meanwhile", joinedTable)
	}
	return accounts, lts, err
}
