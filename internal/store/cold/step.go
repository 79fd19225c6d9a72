package cold

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// Begin makes a database transaction of the index collect the rows that it removes, for a step of a cold server. [Remote.Copy] copies them.
func Begin(ctx context.Context, tx pgx.Tx, server string, step int64) error {
	_, err := tx.Exec(ctx, setStep, strconv.FormatInt(step, 10))
	if err == nil {
		_, err = tx.Exec(ctx, `UPDATE cold_servers SET newest_step = $2 WHERE name = $1`, server, step)
	}
	return wrap("step of "+server, err)
}

// SelectStep returns the statement for the newest step that a cold server has.
func SelectStep(server string) string {
	return `SELECT step FROM ` + pgx.Identifier{server, stepTable}.Sanitize()
}

// Current reports whether a cold server has exactly the steps that the index records, so that [Reconcile] changes nothing. Only what has the lock of cold servers changes that, but for
// a transaction there whose end was lost.
func Current(ctx context.Context, tx pgx.Tx, server string) (bool, error) {
	if err := Owned(ctx, tx, server); err != nil {
		return false, err
	}
	there, here, err := steps(ctx, tx, server)
	return there == here, err
}

// steps returns the newest step of a cold server, there and as the index records it.
func steps(ctx context.Context, tx pgx.Tx, server string) (there, here int64, err error) {
	err = tx.QueryRow(ctx, `SELECT (SELECT step FROM `+server+`.`+stepTable+`), coalesce((SELECT max(step) FROM cold_blocks WHERE server = $1), 0)`,
		server).Scan(&there, &here)
	return there, here, wrap("step of "+server, err)
}

// Reconcile removes from a cold server what steps have there that the index does not record: those that were interrupted between the two commits. A
// server that lacks a step which the index records has lost rows, by the restore of a backup for instance: that is an error of kind Invalid, and nothing is changed.
// So it is when the server belongs to another copy of the index.
func Reconcile(ctx context.Context, tx pgx.Tx, server string) error {
	if err := Owned(ctx, tx, server); err != nil {
		return err
	}
	there, here, err := steps(ctx, tx, server)
	if err != nil {
		return err
	}
	switch {
	case there == here:
		return nil
	case there < here:
		return chain.Invalidf("the cold server %s has lost the rows of steps %d to %d: restore a newer backup of it", server, there+1, here)
	}
	tables, err := presentTables(ctx, tx)
	if err != nil {
		return err
	}
	for _, t := range append(tables, StatesTable) {
		if _, err := tx.Exec(ctx, `DELETE FROM `+server+`.`+t+` WHERE `+StepColumn+` > $1`, here); err != nil {
			return fmt.Errorf("interrupted steps of %s: %w", server, err)
		}
	}
	_, err = tx.Exec(ctx, `UPDATE `+server+`.`+stepTable+` SET step = $1`, here)
	return wrap("step of "+server, err)
}

// Thaw puts the rows of a step back into the tables of the index. The cold server has them until [Reconcile].
func (t *Remote) Thaw(ctx context.Context, here pgx.Tx, step int64) error {
	ctx, cancel := context.WithTimeout(ctx, copyTimeout)
	defer cancel()
	// The states that the step wrote stood for those that its transactions have.
	_, err := here.Exec(ctx, `DELETE FROM account_states s USING `+t.server+`.`+StatesTable+` k WHERE k.`+StepColumn+` = $1 AND s.account = k.account AND s.lt = k.lt`, step)
	if err != nil {
		return fmt.Errorf("states of step %d: %w", step, err)
	}
	if _, err := t.conn.Exec(ctx, setStep, strconv.FormatInt(step, 10)); err != nil {
		return fmt.Errorf("step of %s: %w", t.server, markRemote(err))
	}
	w := startWriter(ctx, here.Conn(), func(err error) error { return err })
	defer func() {
		_ = w.wait() // its error is that of the step
		w.cancel()
	}()
	for _, table := range t.tables {
		names := quoted(t.columns[table])
		out := fmt.Sprintf(`COPY (SELECT %s FROM %s WHERE %s = %s) TO STDOUT (FORMAT binary)`, names, table, StepColumn, currentStep)
		err := w.table(fmt.Sprintf(`COPY %s (%s) FROM STDIN (FORMAT binary)`, table, names), func(rows io.Writer) error {
			_, err := t.conn.PgConn().CopyTo(ctx, rows, out)
			return markRemote(err)
		})
		if err != nil {
			return fmt.Errorf("%s of step %d: %w", strings.ReplaceAll(table, "_", " "), step, err)
		}
	}
	return w.wait()
}
