package cold

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// A copy of the index, as a restored backup is, has the same cold servers, and must not change them beside the original. So the index and each of
// its servers have a claim in common, a random text that changes whenever an indexer begins, each minute that it runs, and at the end of a backup: a copy has an
// earlier one. The next claim is committed here first, then there and here. If that is interrupted, the server has one of the two.

const (
	// Schemas of earlier versions have no claims.
	selectClaims = `SELECT coalesce(to_jsonb(c)->>'claim', ''), coalesce(to_jsonb(c)->>'next_claim', ''), coalesce(to_jsonb(s)->>'claim', '') FROM cold_servers c, %s.` + stepTable + ` s WHERE c.name = $1`
	prepareClaim = `UPDATE cold_servers SET claim = $2, next_claim = $3 WHERE name = $1`
	claimHere    = `UPDATE cold_servers SET claim = next_claim WHERE name = $1 RETURNING claim`
	adoptClaim   = `UPDATE cold_servers SET claim = $2, next_claim = NULL WHERE name = $1`
)

// ClaimOf reads the claim of a cold server on a connection to it; empty for one of an earlier version.
func ClaimOf(ctx context.Context, there *pgx.Conn) (claim string, err error) {
	err = there.QueryRow(ctx, `SELECT coalesce(to_jsonb(s)->>'claim', '') FROM `+stepTable+` s`).Scan(&claim)
	return claim, wrap("claim", err)
}

// ErrCopy returns the error of a copy of the index.
func ErrCopy(server string) error {
	return chain.Invalidf("the cold server %s is in use by another copy of this index, or one of the two was restored from a backup: nothing is changed there. "+
		"If no other copy is used any more, run tonql range adopt --server %s", server, server)
}

// Owned returns an error of kind Invalid unless a cold server belongs to this copy of the index, in a database transaction of the index.
func Owned(ctx context.Context, tx pgx.Tx, server string) error {
	_, err := owned(ctx, tx, server)
	return err
}

// BelongsToCopy reports whether a cold server belongs to another copy of the index than the one that conn is of.
func BelongsToCopy(ctx context.Context, conn *pgx.Conn, server string) (bool, error) {
	var here, next, there string
	if err := conn.QueryRow(ctx, fmt.Sprintf(selectClaims, pgx.Identifier{server}.Sanitize()), server).Scan(&here, &next, &there); err != nil {
		return false, fmt.Errorf("claim of %s: %w", server, err)
	}
	return there != here && (next == "" || there != next), nil
}

// owned returns the claim that the cold server has, if it is one of those here.
func owned(ctx context.Context, tx pgx.Tx, server string) (string, error) {
	var here, next, there string
	if err := tx.QueryRow(ctx, fmt.Sprintf(selectClaims, server), server).Scan(&here, &next, &there); err != nil {
		return "", fmt.Errorf("claim of %s: %w", server, err)
	}
	if there != here && (next == "" || there != next) {
		return "", ErrCopy(server)
	}
	return there, nil
}

// PrepareClaim begins a change of the claim of a cold server, in a database transaction of its own.
func PrepareClaim(ctx context.Context, tx pgx.Tx, server string) error {
	claim, err := owned(ctx, tx, server)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, prepareClaim, server, claim, rand.Text())
	return wrap("claim of "+server, err)
}

// Claim completes what [PrepareClaim] began.
func Claim(ctx context.Context, tx pgx.Tx, server string) error {
	if err := Owned(ctx, tx, server); err != nil {
		return err
	}
	var claim string
	if err := tx.QueryRow(ctx, claimHere, server).Scan(&claim); err != nil {
		return fmt.Errorf("claim of %s: %w", server, err)
	}
	_, err := tx.Exec(ctx, `UPDATE `+server+`.`+stepTable+` SET claim = $1`, claim)
	return wrap("claim of "+server, err)
}

// Adopt makes this copy of the index the one that a cold server belongs to. The error is of kind Invalid if the server lacks rows of a step that is recorded here.
func Adopt(ctx context.Context, tx pgx.Tx, server string) error {
	var here, next, there string
	if err := tx.QueryRow(ctx, fmt.Sprintf(selectClaims, server), server).Scan(&here, &next, &there); err != nil {
		return fmt.Errorf("claim of %s: %w", server, err)
	}
	lost, err := lostSteps(ctx, tx, server)
	if err != nil {
		return err
	}
	if len(lost) > 0 {
		return chain.Invalidf("the cold server %s lacks the rows of %d steps, the first of which is %d: restore the backups of both servers of the same time", server, len(lost), lost[0])
	}
	_, err = tx.Exec(ctx, adoptClaim, server, there)
	return wrap("claim of "+server, err)
}

// lostSteps lists the steps of a cold server of which it has no rows.
func lostSteps(ctx context.Context, tx pgx.Tx, server string) ([]int64, error) {
	steps := func(text string, args ...any) ([]int64, error) {
		rows, err := tx.Query(ctx, text, args...)
		if err != nil {
			return nil, fmt.Errorf("steps of %s: %w", server, err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		return list, wrap("steps of "+server, err)
	}
	here, err := steps(`SELECT step FROM cold_blocks WHERE server = $1 ORDER BY step`, server)
	if err != nil {
		return nil, err
	}
	there, err := steps(fmt.Sprintf(`SELECT %[2]s FROM %[1]s.transactions GROUP BY %[2]s UNION SELECT %[2]s FROM %[1]s.shards GROUP BY %[2]s ORDER BY 1`, server, StepColumn))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(here, func(step int64) bool {
		_, found := slices.BinarySearch(there, step)
		return found
	}), nil
}
