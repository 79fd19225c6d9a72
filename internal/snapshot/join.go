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

// deleteOutdated deletes the digests of blocks to whose transactions a later snapshot adds history: a detection about the state that they left, which the
// snapshot with the transactions lacks.
var deleteOutdated = fmt.Sprintf(`DELETE FROM range_digests d USING (SELECT DISTINCT t.mc_seqno / %d AS number FROM (
		SELECT wallet AS account, lt, mc_seqno FROM jetton_balances UNION ALL SELECT item, lt, mc_seqno FROM nft_owners
		UNION ALL SELECT address, lt, mc_seqno FROM nft_sale_records) h
	CROSS JOIN LATERAL (SELECT b.first, b.lt FROM `+beginsTable+` b WHERE b.first <= h.mc_seqno ORDER BY b.first DESC LIMIT 1) b
	CROSS JOIN LATERAL (SELECT t.mc_seqno FROM transactions t WHERE t.account = h.account AND t.lt = h.lt OFFSET 0) t
	WHERE h.lt < b.lt AND t.mc_seqno < b.first) o WHERE d.number = o.number`, chain.DigestBlocks)

// join completes the traces of several snapshots.
func (i *importer) join(ctx context.Context, joiner Joiner) error {
	if len(i.from) == 1 {
		return nil
	}
	var left int
	if err := i.writing(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, deleteOutdated); err != nil {
			return err
		}
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
