package cold

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	neturl "net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tonql/internal/chain"
)

// SQLSTATE codes of what an index may not do on its own server.
const (
	codeNoRight  = "42501"
	codePassword = "2F003" // a user that is no superuser has to authenticate at the foreign server by a password
)

// remoteSettings are those of a connection to a cold server. They restrict its planner as that of the index is.
const remoteSettings = "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off -c plan_cache_mode=force_generic_plan " +
	"-c random_page_cost=1.1 -c max_parallel_workers_per_gather=0 -c statement_timeout=60000 -c synchronous_commit=on"

// foreignOptions are the options of the foreign server besides where it is. Remote estimates let a plan look up rows by key there.
func foreignOptions(c *pgconn.Config, url string) map[string]string {
	o := map[string]string{
		"host": c.Host, "port": strconv.Itoa(int(c.Port)), "dbname": c.Database,
		"use_remote_estimate": "true", "fetch_size": "100", "batch_size": "1000", "connect_timeout": "3", "keep_connections": "on",
		"keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000",
		"options": remoteSettings, "application_name": "tonql cold",
	}
	// How the connection is encrypted: pgconn turns it into a configuration of its own.
	if parsed, err := neturl.Parse(url); err == nil {
		for _, key := range tlsOptions {
			if v := parsed.Query().Get(key); v != "" {
				o[key] = v
			}
		}
	}
	return o
}

// tlsOptions are options of a URL that the foreign server has, too.
var tlsOptions = []string{"sslmode", "sslrootcert", "sslcert", "sslkey"}

// Name returns the name of the cold server with a number.
func Name(number int) string { return serverPrefix + strconv.Itoa(number) }

// Server is a cold server as the index records it.
type Server struct {
	Name string
	Pair string // the same there
}

// Connect records a cold server in a database transaction of the index. The URL is that by which the server of the index reaches it. It needs postgres_fdw,
// and the right to create servers. A second call for the same database returns the same.
func Connect(ctx context.Context, tx pgx.Tx, url string) (s Server, err error) {
	config, err := parse(url)
	if err != nil {
		return s, err
	}
	if _, err := tx.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS postgres_fdw`); err != nil {
		return s, fmt.Errorf("postgres_fdw: %w", missingRight(err))
	}
	err = tx.QueryRow(ctx, `SELECT coalesce(min(c.name), ''), coalesce(min(c.pair), '') FROM pg_foreign_server s JOIN cold_servers c ON c.name = s.srvname
		WHERE s.srvoptions @> ARRAY['host=' || $1::text, 'port=' || $2::text, 'dbname=' || $3::text]`,
		config.Host, strconv.Itoa(int(config.Port)), config.Database).Scan(&s.Name, &s.Pair)
	if err != nil || s.Name != "" {
		return s, wrap("cold servers", err)
	}
	var number int
	if err := tx.QueryRow(ctx, `SELECT greatest((SELECT max(number) FROM cold_servers), (SELECT max(number) FROM cold_dropped), 0) + 1`).Scan(&number); err != nil {
		return s, fmt.Errorf("cold servers: %w", err)
	}
	s = Server{Name: Name(number), Pair: rand.Text()}
	for _, statement := range []string{
		`CREATE SERVER ` + s.Name + ` FOREIGN DATA WRAPPER postgres_fdw OPTIONS (` + options(foreignOptions(config, url)) + `)`,
		`CREATE USER MAPPING FOR PUBLIC SERVER ` + s.Name + ` OPTIONS (` + options(map[string]string{"user": config.User, "password": config.Password}) + `)`,
	} {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return s, fmt.Errorf("foreign server %s: %w", s.Name, missingRight(withoutText(err)))
		}
	}
	_, err = tx.Exec(ctx, `INSERT INTO cold_servers (name, number, pair) VALUES ($1, $2, $3)`, s.Name, number, s.Pair)
	return s, wrap("cold servers", err)
}

// CheckURL checks the form of the URL of a cold server without connecting to it.
func CheckURL(url string) error {
	_, err := parse(url)
	return err
}

func parse(url string) (*pgconn.Config, error) {
	config, err := pgconn.ParseConfig(url)
	// Of a list of key=value pairs the encryption would be lost.
	if err != nil || !strings.HasPrefix(url, "postgres://") && !strings.HasPrefix(url, "postgresql://") {
		return nil, chain.Invalidf("the URL of the cold server cannot be read: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE")
	}
	for _, other := range config.Fallbacks { // those of the same host are with and without TLS
		if other.Host != config.Host || other.Port != config.Port {
			return nil, chain.Invalidf("the URL of the cold server names several servers: expected one")
		}
	}
	return config, nil
}

// Dropped returns the number of transactions with which [Disconnect] has recorded a server.
func Dropped(ctx context.Context, tx pgx.Tx, name string) (transactions int64, dropped bool, err error) {
	err = tx.QueryRow(ctx, `SELECT transactions FROM cold_dropped WHERE name = $1`, name).Scan(&transactions)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	return transactions, true, wrap("dropped cold servers", err)
}

// Disconnect forgets a cold server in a database transaction of the index, and records its name, which no other server gets, with the number of its transactions. Its database is
// left as it is.
func Disconnect(ctx context.Context, tx pgx.Tx, name string, transactions int64) error {
	if err := Remove(ctx, tx); err != nil {
		return err
	}
	found, err := tx.Exec(ctx, `WITH gone AS (DELETE FROM cold_servers WHERE name = $1 RETURNING name, number)
		INSERT INTO cold_dropped SELECT name, number, $2 FROM gone`, name, transactions)
	if err != nil {
		return fmt.Errorf("cold servers: %w", err)
	}
	if found.RowsAffected() == 0 {
		return chain.NotFoundf("there is no cold server %s", chain.Quote(name))
	}
	if _, err := tx.Exec(ctx, `DROP SERVER IF EXISTS `+pgx.Identifier{name}.Sanitize()+` CASCADE`); err != nil {
		return fmt.Errorf("foreign server %s: %w", name, err)
	}
	return Build(ctx, tx)
}

// missingRight says which statements give the user of the index the rights that it lacks.
func missingRight(err error) error {
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) && pg.Code == codeNoRight {
		return &chain.Error{Kind: chain.Invalid, Err: err, Message: "the user of the index may not use postgres_fdw: in its database, a superuser runs " +
			"CREATE EXTENSION IF NOT EXISTS postgres_fdw; GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO the user"}
	}
	return err
}

// WithoutPassword says what to change when PostgreSQL refuses a connection to a cold server that requests no password.
func WithoutPassword(err error) error {
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) && pg.Code == codePassword {
		return &chain.Error{Kind: chain.Invalid, Err: err, Message: "the cold server admits the index without a password, which PostgreSQL permits to superusers only: " +
			"set a password in --to, and scram-sha-256 for the index in pg_hba.conf of the cold server"}
	}
	return err
}

// withoutText removes the statement from an error, as it has a password.
func withoutText(err error) error {
	if pg, ok := err.(*pgconn.PgError); ok { //nolint:errorlint // of the driver itself
		return &pgconn.PgError{Severity: pg.Severity, Code: pg.Code, Message: pg.Message, Hint: pg.Hint}
	}
	return err
}

// options are the options of a foreign object that have a value.
func options(values map[string]string) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if values[key] != "" {
			list = append(list, key+" "+literal(values[key]))
		}
	}
	return strings.Join(list, ", ")
}

// literal is a text constant.
func literal(s string) string {
	quote := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return " E" + strings.ReplaceAll(quote, `\`, `\\`)
	}
	return quote
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
