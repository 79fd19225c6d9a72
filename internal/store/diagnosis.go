package store

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"tonql/internal/store/coldservers"
	"tonql/internal/store/moves"
	"tonql/migrations"
)

// Diagnosis is the state of a PostgreSQL server that matters to the index.
type Diagnosis struct {
	Version   int // server_version_num: 150004 is 15.4
	Clock     time.Time
	RoundTrip time.Duration // of the query for Clock
	Standby   bool
	Host      string // host and port, or folder of the socket and port
	// System identifies the cluster; a standby has that of its primary. 0 when the role may not read it.
	System   int64
	Settings map[string]string // as SHOW writes them
	Bytes    int64             // size of the database
	// Connections is the number of connections to the server, Reserved what superusers have for themselves.
	Connections, Reserved int
	Delay                 time.Duration       // of a standby behind its primary; 0 on a primary
	Standbys              []Standby           // of a primary; empty when the role may not see them
	Endpoints             int                 // webhook endpoints, whose secrets the webhook key decrypts; 0 without a schema
	Moves                 []moves.Status      // of rows of earlier versions; empty without a schema that has them
	Cold                  []coldservers.State // databases with rows of old blocks
	Pools                 []KeyPool           // of private liteservers that API keys name, ordered; empty without a schema
}

// KeyPool is a pool of private liteservers that valid API keys of a network name.
type KeyPool struct {
	Network, Name string
	Keys          int
}

// Standby is a standby that streams from the server.
type Standby struct {
	Name  string
	State string // streaming, catchup, …; empty when the role may see neither it nor the delay
	Delay time.Duration
}

// diagnosed are the settings of a Diagnosis.
var diagnosed = []string{
	"autovacuum", "checkpoint_timeout", "data_checksums", "effective_cache_size", "fsync", "full_page_writes",
	"hot_standby_feedback", "max_connections", "max_standby_streaming_delay", "max_wal_size", "server_encoding", "shared_buffers",
	"synchronous_commit",
}

// Diagnose connects to a database once and reads the state of its server. It needs no schema and writes nothing. ctx
// bounds it.
func Diagnose(ctx context.Context, url string) (*Diagnosis, error) {
	if err := CheckURL(url); err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it was only read
	d := &Diagnosis{Settings: map[string]string{}, Host: net.JoinHostPort(conn.Config().Host, strconv.Itoa(int(conn.Config().Port)))}
	start := time.Now()
	if err := conn.QueryRow(ctx, `SELECT clock_timestamp(), pg_is_in_recovery()`).Scan(&d.Clock, &d.Standby); err != nil {
		return nil, err
	}
	d.RoundTrip = time.Since(start)
	rows, err := conn.Query(ctx, `SELECT name, current_setting(name, true) FROM unnest($1::text[]) AS name ORDER BY name`, append(diagnosed, "server_version_num", "superuser_reserved_connections"))
	if err != nil {
		return nil, err
	}
	var name string
	var value *string
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		if value != nil {
			d.Settings[name] = *value
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for setting, into := range map[string]*int{"server_version_num": &d.Version, "superuser_reserved_connections": &d.Reserved} {
		if *into, err = strconv.Atoi(d.Settings[setting]); err != nil {
			return nil, fmt.Errorf("setting %s of the server: %w", setting, err)
		}
		delete(d.Settings, setting)
	}
	return d, d.more(ctx, conn)
}

// more reads what depends on the role of the server and of the user.
func (d *Diagnosis) more(ctx context.Context, conn *pgx.Conn) error {
	const state = `SELECT pg_database_size(current_database()),
		(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
		CASE WHEN pg_is_in_recovery() AND pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
			THEN coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) ELSE 0 END::float8`
	var delay float64
	if err := conn.QueryRow(ctx, state).Scan(&d.Bytes, &d.Connections, &delay); err != nil {
		return err
	}
	d.Delay = seconds(delay)
	// A role without rights to these has no value of them; that is no error.
	_ = conn.QueryRow(ctx, `SELECT system_identifier FROM pg_control_system()`).Scan(&d.System)
	var present bool
	var err error
	if err := conn.QueryRow(ctx, `SELECT to_regclass('webhook_endpoints') IS NOT NULL`).Scan(&present); err != nil {
		return err
	}
	if present {
		if err := conn.QueryRow(ctx, `SELECT count(*) FROM webhook_endpoints`).Scan(&d.Endpoints); err != nil {
			return err
		}
	}
	if err := d.pools(ctx, conn); err != nil {
		return err
	}
	if err := conn.QueryRow(ctx, `SELECT to_regclass('transactions_move') IS NOT NULL`).Scan(&present); err != nil {
		return err
	}
	if present {
		if d.Moves, err = moves.Statuses(ctx, conn); err != nil {
			return err
		}
	}
	if d.Cold, err = coldservers.States(ctx, conn); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, `SELECT application_name, coalesce(state, ''), coalesce(extract(epoch FROM replay_lag), 0)::float8
		FROM pg_stat_replication ORDER BY application_name, pid LIMIT 64`)
	if err != nil {
		return err
	}
	var s Standby
	_, err = pgx.ForEachRow(rows, []any{&s.Name, &s.State, &delay}, func() error {
		s.Delay = seconds(delay)
		d.Standbys = append(d.Standbys, s)
		return nil
	})
	return err
}

// pools reads the pools that API keys name, at most 64: names are of the operator.
func (d *Diagnosis) pools(ctx context.Context, conn *pgx.Conn) error {
	var present bool
	const exists = `SELECT count(*) > 0 FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'access_keys' AND column_name = 'liteservers'`
	if err := conn.QueryRow(ctx, exists).Scan(&present); err != nil || !present {
		return err
	}
	rows, err := conn.Query(ctx, `SELECT network, liteservers, count(*) FROM access_keys
		WHERE liteservers <> '' AND (expires_at IS NULL OR expires_at > now()) GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 64`)
	if err != nil {
		return err
	}
	d.Pools, err = pgx.CollectRows(rows, pgx.RowToStructByPos[KeyPool])
	return err
}

// CheckSchema compares the schema of a database with that of this binary, as [migrations.Check].
func CheckSchema(ctx context.Context, url string) error {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return CheckURL(url)
	}
	handle := stdlib.OpenDB(*config)
	defer func() { _ = handle.Close() }() // it was only read
	return migrations.Check(ctx, handle)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
