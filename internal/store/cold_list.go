package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

// ColdRange is what a cold server has.
type ColdRange struct {
	Server       string
	Address      string           // host, port and database
	Blocks       chain.SeqnoRange // masterchain blocks, zero before the first step; there may be gaps
	Steps        int64
	Transactions int64
	Utime        uint32 // of the last block
}

const selectColdRanges = `SELECT s.name, coalesce((SELECT string_agg(split_part(o, '=', 2), ' ' ORDER BY array_position(ARRAY['host', 'port', 'dbname'], split_part(o, '=', 1)))
			FROM pg_foreign_server f, unnest(f.srvoptions) o WHERE f.srvname = s.name AND split_part(o, '=', 1) IN ('host', 'port', 'dbname')), ''),
		coalesce(min(c.first), 0)::bigint, coalesce(max(c.last), 0)::bigint, count(c.step), coalesce(sum(c.transactions), 0)::bigint, coalesce(max(c.gen_utime), 0)::bigint
	FROM cold_servers s LEFT JOIN cold_blocks c ON c.server = s.name GROUP BY s.name, s.number ORDER BY s.number`

// ColdRanges lists the cold servers in the order in which they were connected, which is that of their blocks.
func (r *Reader) ColdRanges(ctx context.Context) ([]ColdRange, error) {
	return sqlbuild.Collect(ctx, r.pool, "cold servers", 2, func(r *sqlbuild.Row, c *ColdRange) {
		c.Server, c.Address = r.Text(), r.Text()
		c.Blocks = chain.SeqnoRange{First: r.Uint32(), Last: r.Uint32()}
		c.Steps, c.Transactions, c.Utime = r.Int8(), r.Int8(), r.Uint32()
	}, selectColdRanges)
}

// WithCold is [Complete] if the index has cold servers, for commands that read everything.
func (r *Reader) WithCold(ctx context.Context) (context.Context, error) {
	list, err := r.ColdRanges(ctx)
	if err != nil || len(list) == 0 {
		return ctx, err
	}
	return Complete(ctx), nil
}

// Complete returns a context whose queries read the rows of cold servers, too. The index must have one.
func Complete(ctx context.Context) context.Context {
	return sqlbuild.WithCover(ctx, &sqlbuild.Cover{Complete: true})
}

// eachCold calls fn with a connection to each cold server, or to the one of that name.
func (db *DB) eachCold(ctx context.Context, name string, fn func(ctx context.Context, name, url string) error) error {
	var servers []cold.Place
	err := locks.Transaction(ctx, db.write, func(tx pgx.Tx) (err error) {
		servers, err = cold.Places(ctx, tx)
		return err //nolint:wrapcheck // it says what it reads
	})
	if err != nil {
		return sqlbuild.Fault(ctx, "cold servers", err)
	}
	found := false
	for _, s := range servers {
		if name == "" || name == s.Name {
			found = true
			if err := fn(ctx, s.Name, s.URL); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
		}
	}
	if !found && name != "" {
		return chain.NotFoundf("there is no cold server %s; tonql range list names them", name)
	}
	return nil
}

// FreezeCold vacuums and freezes the tables of a cold server, or of all for an empty name, so that they need no maintenance while they do not change.
func (db *DB) FreezeCold(ctx context.Context, name string) error {
	return db.eachCold(ctx, name, func(ctx context.Context, _, url string) error {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return sqlbuild.Fault(ctx, "connection", err)
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // nothing is left to do on it
		return cold.Freeze(ctx, conn)                                 //nolint:wrapcheck // it names the table
	})
}

// ColdURLs calls fn with the name and the URL of each cold server. The URL has the password: it is for connecting alone.
func (db *DB) ColdURLs(ctx context.Context, fn func(ctx context.Context, name, url string) error) error {
	return db.eachCold(ctx, "", fn)
}

// HideCold removes the views of the rows of cold servers before migrations, which could not change tables that views read. Requests for rows on these servers fail until
// [DB.ShowCold].
func (db *DB) HideCold(ctx context.Context) error {
	var exist bool
	if err := db.write.QueryRow(ctx, `SELECT to_regclass('cold_servers') IS NOT NULL`).Scan(&exist); err != nil || !exist {
		return sqlbuild.Fault(ctx, "views of cold servers", err)
	}
	return db.changeCold(ctx, cold.Remove)
}

// ColdHidden reports whether the views of the rows of cold servers are missing.
func (db *DB) ColdHidden(ctx context.Context) (hidden bool, err error) {
	err = db.write.QueryRow(ctx, selectHidden, cold.CompleteSchema).Scan(&hidden)
	return hidden, sqlbuild.Fault(ctx, "views of cold servers", err)
}

const selectHidden = `SELECT EXISTS (SELECT FROM cold_servers) AND to_regnamespace($1) IS NULL`

// ShowCold creates the views of the rows of cold servers as the tables are now.
func (db *DB) ShowCold(ctx context.Context) error {
	return db.changeCold(ctx, cold.Build)
}

func (db *DB) changeCold(ctx context.Context, change func(context.Context, pgx.Tx) error) error {
	err := locks.Transaction(ctx, db.write, func(tx pgx.Tx) error {
		if err := locks.Apply(ctx, tx); err != nil {
			return err
		}
		return change(ctx, tx)
	})
	return sqlbuild.Fault(ctx, "views of cold servers", err)
}

// ColdFailing returns the number of cold servers, and of those that do not respond or lack a step, as the first database to read from sees them.
func (db *DB) ColdFailing(ctx context.Context) (all, failing int) { return db.read.ColdFailing(ctx) }
