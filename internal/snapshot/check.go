package snapshot

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// checkRanges compares the indexed ranges of the rows with those of the manifests, of which a sample is checked, and refuses dropped blocks among
// them: no indexer would write these.
func (i *importer) checkRanges(ctx context.Context) error {
	if len(i.from) == 1 {
		return i.checkRangesOf(ctx, i.from[0], `indexed_ranges`, fmt.Sprintf(`SELECT EXISTS (SELECT FROM dropped_blocks WHERE last >= %d)`, i.from[0].Ranges[0].First))
	}
	for _, s := range i.from {
		var copied bool
		if err := i.writing(ctx, func(tx pgx.Tx) error {
			return tx.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, copyOf(`indexed_ranges`)).Scan(&copied)
		}); err != nil {
			return err
		}
		if !copied {
			return nil // checked, and joined with the others
		}
		if err := i.checkParts(ctx, s); err != nil {
			return err
		}
		if err := i.checkRangesOf(ctx, s, fmt.Sprintf(`(SELECT first, last FROM %s WHERE snapshot = %d) r`, copyOf(`indexed_ranges`), s.number), `SELECT false`); err != nil {
			return err
		}
	}
	return i.checkDictionaries(ctx)
}

// checkDictionaries refuses snapshots with two dictionaries of one number, which is a part of a hash: rows of one could not be read.
func (i *importer) checkDictionaries(ctx context.Context) error {
	return i.writing(ctx, func(tx pgx.Tx) error {
		for _, table := range []string{"dictionaries", "action_dictionaries"} {
			var different bool
			if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+copyOf(table)+` GROUP BY id HAVING count(DISTINCT content) > 1)`).Scan(&different); err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
			if different {
				return chain.Invalidf("the snapshots have different dictionaries of one number: one of them is damaged")
			}
		}
		return nil
	})
}

func (i *importer) checkRangesOf(ctx context.Context, s *source, table, selectDropped string) error {
	return i.writing(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, fmt.Sprintf(selectRangesOf, table))
		if err != nil {
			return fmt.Errorf("indexed ranges: %w", err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Range])
		if err != nil {
			return fmt.Errorf("indexed ranges: %w", err)
		}
		var dropped bool
		if err := tx.QueryRow(ctx, selectDropped).Scan(&dropped); err != nil {
			return fmt.Errorf("dropped blocks: %w", err)
		}
		if dropped || !slices.Equal(found, s.Ranges) {
			return chain.Invalidf("the rows of the snapshot %s are not of the blocks that its manifest names, and the database is not accepted: import another one with --restart", s.folder)
		}
		return nil
	})
}

// checkParts refuses a snapshot that cannot be joined with others.
func (i *importer) checkParts(ctx context.Context, s *source) error {
	return i.writing(ctx, func(tx pgx.Tx) error {
		for _, u := range unions {
			if !u.empty {
				continue
			}
			var rows bool
			if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+copyOf(u.table)+` WHERE snapshot = $1)`, s.number).Scan(&rows); err != nil {
				return fmt.Errorf("%s: %w", u.table, err)
			}
			if rows {
				return chain.Invalidf("the snapshot %s is of an index that has dropped blocks, and cannot be joined with others: import it alone with --restart", s.folder)
			}
		}
		for _, table := range []string{"account_keys_move", "transactions_move"} {
			var moving bool
			if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+copyOf(table)+` WHERE snapshot = $1 AND done_at IS NULL)`, s.number).Scan(&moving); err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
			if moving {
				return chain.Invalidf("the snapshot %s is of an index whose rows are being brought into a newer form: let its indexer end that, export it again, "+
					"and import with --restart", s.folder)
			}
		}
		return nil
	})
}
