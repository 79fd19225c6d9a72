package cold

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Place is where a cold server is.
type Place struct {
	Name string
	URL  string // with the password
}

const selectPlaces = `SELECT c.name, s.srvoptions, coalesce(u.umoptions, '{}') FROM cold_servers c JOIN pg_foreign_server s ON s.srvname = c.name
	LEFT JOIN pg_user_mappings u ON u.srvname = c.name AND u.umuser = 0 ORDER BY c.number`

// Places lists the cold servers in the order in which they were connected. Only the owner of the user mappings and superusers see them in full.
func Places(ctx context.Context, tx pgx.Tx) ([]Place, error) {
	rows, err := tx.Query(ctx, selectPlaces)
	if err != nil {
		return nil, fmt.Errorf("cold servers: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p Place, err error) {
		var at, as []string
		if err := row.Scan(&p.Name, &at, &as); err != nil {
			return p, err //nolint:wrapcheck // the caller does
		}
		p.URL = connectionURL(at, as)
		return p, nil
	})
	return list, wrap("cold servers", err)
}

// connectionURL is the URL of options of a foreign server and of its user mapping.
func connectionURL(at, as []string) string {
	o := map[string]string{}
	for _, option := range append(at, as...) {
		key, value, _ := strings.Cut(option, "=")
		o[key] = value
	}
	u := url.URL{Scheme: "postgres", Path: "/" + o["dbname"], User: url.UserPassword(o["user"], o["password"])}
	q := url.Values{"host": {o["host"]}, "port": {o["port"]}} // the host can be the folder of a socket
	for _, key := range tlsOptions {
		if o[key] != "" {
			q.Set(key, o[key])
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Freeze vacuums and freezes the tables of a cold server.
func Freeze(ctx context.Context, conn *pgx.Conn) error {
	for _, t := range append([]string{StatesTable, stepTable}, Tables...) {
		var exists bool
		if err := conn.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, t).Scan(&exists); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if !exists {
			continue
		}
		if _, err := conn.Exec(ctx, `VACUUM (FREEZE, ANALYZE) `+t); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}
