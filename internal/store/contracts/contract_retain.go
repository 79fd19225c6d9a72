package contracts

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// minRetained is the size of the long columns of a row, in bytes, from which they are compared with what is stored. Shorter ones are written
// again at once.
const minRetained = 1 << 10

// retainLong updates rows whose long columns are equal to those of the detection, and marks them as retained. Anyone can send a transaction
// to a contract with a long list, order or content, and each one changes the row: written again, its values and the rows that follow from them would
// be thousands of times the transaction. PostgreSQL leaves long values of an updated row where they are.
func (c *Step) retainLong(ctx context.Context) error {
	for i := range recordTables {
		t := &recordTables[i]
		if len(t.long) == 0 {
			continue
		}
		u := longUpdate{table: t, batch: &pgconn.Batch{}, followed: t.followed()}
		for i, name := range columnNames(t.columns) {
			if t.isLong(name) {
				u.long = append(u.long, i)
			}
		}
		for _, account := range c.Changed {
			if k := c.Detections[account].Contract; k != nil && KindsOf(k)&t.kind&c.stored[account].kinds != 0 {
				u.add(account, k)
			}
			if u.bytes < sqlbuild.Part {
				continue
			}
			if err := u.send(ctx, c); err != nil {
				return err
			}
		}
		if err := u.send(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// retains reports whether a table has the rows of the detection about an account already.
func (c *Step) retains(t *recordTable, account chain.Address) bool {
	name := t.table
	if t.follows != "" {
		name = t.follows
	}
	_, ok := c.retained[name][account]
	return ok
}

// longUpdate is updates of rows of one table.
type longUpdate struct {
	table    *recordTable
	long     []int // indexes of the long columns
	followed bool  // rows of another table follow from those columns
	batch    *pgconn.Batch
	accounts []chain.Address
	row      sqlbuild.CopyBuffer
	bytes    int
}

// add adds the row of an account, unless its long columns are short and no other rows follow from them.
func (u *longUpdate) add(account chain.Address, k *chain.Contract) {
	u.row.B = u.row.B[:0]
	u.table.rows(&u.row, k)
	values, size := u.row.Fields(), 0
	for _, i := range u.long {
		size += len(values[i])
	}
	if size == 0 || size < minRetained && !u.followed {
		return
	}
	formats := make([]int16, len(values))
	for i := range formats {
		formats[i] = 1 // binary, as in COPY
	}
	u.batch.ExecParams(updates[u.table.table], values, nil, formats, nil)
	u.accounts = append(u.accounts, account)
	u.bytes += len(u.row.B)
	u.row.B = nil // the batch refers to it
}

// send sends the updates and marks the accounts whose rows were updated.
func (u *longUpdate) send(ctx context.Context, c *Step) error {
	if len(u.accounts) == 0 {
		return nil
	}
	results := c.Tx.Conn().PgConn().ExecBatch(ctx, u.batch)
	for _, account := range u.accounts {
		if !results.NextResult() {
			break
		}
		tag, err := results.ResultReader().Close()
		if err != nil {
			break // Close returns it
		}
		if tag.RowsAffected() == 0 {
			continue
		}
		if c.retained[u.table.table] == nil {
			c.retained[u.table.table] = map[chain.Address]struct{}{}
		}
		c.retained[u.table.table][account] = struct{}{}
	}
	if err := results.Close(); err != nil {
		return fmt.Errorf("update %s: %w", u.table.table, err)
	}
	u.batch, u.accounts, u.bytes = &pgconn.Batch{}, nil, 0 // the connection has sent it
	return nil
}

func columnNames(columns string) []string {
	names := strings.Split(columns, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	return names
}

// isLong reports whether a column is among those that must be equal.
func (t *recordTable) isLong(column string) bool {
	return slices.Contains(t.long, column) || slices.Contains(t.long, column+"::text")
}

// followed reports whether the rows of another table follow from those of t.
func (t *recordTable) followed() bool {
	return slices.ContainsFunc(recordTables, func(o recordTable) bool { return o.follows == t.table })
}

// updates are the statements of [recordTable.update] by table.
var updates = func() map[string]string {
	texts := map[string]string{}
	for i := range recordTables {
		texts[recordTables[i].table] = recordTables[i].update()
	}
	return texts
}()

// update returns the statement that updates a row, whose parameters are its columns, where its long columns are equal to them.
func (t *recordTable) update() string {
	var set, where []string
	for i, name := range columnNames(t.columns) {
		parameter := "$" + strconv.Itoa(i+1)
		switch {
		case name == t.key:
			where = append(where, name+" = "+parameter)
		case slices.Contains(t.long, name):
			where = append(where, name+" IS NOT DISTINCT FROM "+parameter)
		case t.isLong(name):
			where = append(where, name+"::text IS NOT DISTINCT FROM "+parameter)
		default:
			set = append(set, name+" = "+parameter)
		}
	}
	return "UPDATE " + t.table + " SET " + strings.Join(set, ", ") + " WHERE " + strings.Join(where, " AND ")
}
