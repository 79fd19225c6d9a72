package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
)

// elsewhere are the rows of an index that are on cold servers; without servers there are none.
type elsewhere struct {
	servers []coldServer // in the order in which they were connected
	left    string       // keys of account states that stand for those of moved transactions
}

type coldServer struct {
	name  string
	steps []coldStep // ascending
}

// coldStep is a step of a move with the number of its transactions.
type coldStep struct{ number, transactions int64 }

const (
	selectColdSteps = `SELECT s.name, c.step, c.transactions FROM cold_servers s LEFT JOIN cold_blocks c ON c.server = s.name ORDER BY s.number, c.step`
	// Servers that lack steps, by a restored backup for instance.
	selectColdLost = `SELECT coalesce(string_agg(server, ', ' ORDER BY server), '') FROM ` + cold.CompleteSchema + `.cold_steps WHERE step < expected`
	selectShown    = `SELECT to_regnamespace('` + cold.CompleteSchema + `') IS NOT NULL, pg_is_in_recovery()`

	// coldRowBytes is about how many bytes a transaction has in the largest table.
	coldRowBytes = 1 << 10
)

// findElsewhere reads which rows are on cold servers, and refuses those that cannot be read completely.
func findElsewhere(ctx context.Context, tx pgx.Tx) (e elsewhere, err error) {
	rows, err := tx.Query(ctx, selectColdSteps)
	if err != nil {
		return e, fmt.Errorf("cold servers: %w", err)
	}
	var name string
	var number, transactions *int64
	if _, err := pgx.ForEachRow(rows, []any{&name, &number, &transactions}, func() error {
		if n := len(e.servers); n == 0 || e.servers[n-1].name != name {
			e.servers = append(e.servers, coldServer{name: name})
		}
		if number != nil {
			s := &e.servers[len(e.servers)-1]
			s.steps = append(s.steps, coldStep{*number, *transactions})
		}
		return nil
	}); err != nil {
		return e, fmt.Errorf("cold servers: %w", err)
	}
	e.servers = slices.DeleteFunc(e.servers, func(s coldServer) bool { return len(s.steps) == 0 })
	if len(e.servers) == 0 {
		return e, nil
	}
	var shown, standby bool
	if err := tx.QueryRow(ctx, selectShown).Scan(&shown, &standby); err != nil {
		return e, fmt.Errorf("cold servers: %w", err)
	}
	switch {
	case standby:
		return e, chain.Invalidf("the index has blocks on cold servers, and this is a standby, where nothing prevents that blocks are moved meanwhile: export from the primary")
	case !shown:
		return e, chain.Invalidf("the cold servers of the index are not migrated: run 'tonql migrate'")
	}
	var lost string
	if err := tx.QueryRow(ctx, selectColdLost).Scan(&lost); err != nil {
		return e, fmt.Errorf("cold servers: %w", err)
	}
	if lost != "" {
		return e, chain.Invalidf("the cold servers %s lack rows of blocks that the index has there: see 'tonql range list'", lost)
	}
	var left []string
	for _, s := range e.servers {
		left = append(left, fmt.Sprintf(`SELECT account, lt FROM %s.%s WHERE %s`, s.name, cold.StatesTable, within(s.steps)))
	}
	e.left = strings.Join(left, " UNION ALL ")
	return e, nil
}

// within is the condition of the rows of successive steps.
func within(steps []coldStep) string {
	return fmt.Sprintf(`%s BETWEEN %d AND %d`, cold.StepColumn, steps[0].number, steps[len(steps)-1].number)
}

// viewed reports whether the rows of a table depend on what is on cold servers, and are those of a view.
func (e *elsewhere) viewed(table string) bool {
	return len(e.servers) > 0 && (table == "indexed_ranges" || table == "dropped_blocks")
}

// without is a condition of the rows r of a table, empty for none: account states that stand for those of moved transactions are left out, as these are there.
func (e *elsewhere) without(table string) string {
	if len(e.servers) == 0 || table != "account_states" {
		return ""
	}
	return ` AND NOT EXISTS (SELECT FROM (` + e.left + `) k WHERE k.account = r.account AND k.lt = r.lt)`
}

// sources lists the rows of a table on cold servers, in parts of about so many bytes.
func (e *elsewhere) sources(table string, partBytes int64) (list []string) {
	if !slices.Contains(cold.Tables, table) {
		return nil
	}
	for _, s := range e.servers {
		begin, sum := 0, int64(0)
		for i, step := range s.steps {
			if sum += step.transactions; i+1 < len(s.steps) && sum+s.steps[i+1].transactions <= partBytes/coldRowBytes {
				continue
			}
			list = append(list, fmt.Sprintf(`FROM %s.%s r WHERE %s%s`, s.name, table, within(s.steps[begin:i+1]), e.without(table)))
			begin, sum = i+1, 0
		}
	}
	return list
}

// errUnguarded means that a caller has not prevented moves of blocks.
var errUnguarded = errors.New("the export of blocks on cold servers needs the lock of moves")
