package coldservers

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

// Range is what a cold server has.
type Range struct {
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

// Ranges lists the cold servers in the order in which they were connected, which is that of their blocks.
func Ranges(ctx context.Context, from sqlbuild.Source) ([]Range, error) {
	return sqlbuild.Collect(ctx, from, "cold servers", 2, func(r *sqlbuild.Row, c *Range) {
		c.Server, c.Address = r.Text(), r.Text()
		c.Blocks = chain.SeqnoRange{First: r.Uint32(), Last: r.Uint32()}
		c.Steps, c.Transactions, c.Utime = r.Int8(), r.Int8(), r.Uint32()
	}, selectColdRanges)
}

// each calls fn with a connection to each cold server, or to the one of that name.
func (s *Servers) each(ctx context.Context, name string, fn func(ctx context.Context, name, url string) error) error {
	var servers []cold.Place
	err := locks.Transaction(ctx, s.pool, func(tx pgx.Tx) (err error) {
		servers, err = cold.Places(ctx, tx)
		return err //nolint:wrapcheck // it says what it reads
	})
	if err != nil {
		return sqlbuild.Fault(ctx, "cold servers", err)
	}
	found := false
	for _, server := range servers {
		if name == "" || name == server.Name {
			found = true
			if err := fn(ctx, server.Name, server.URL); err != nil {
				return fmt.Errorf("%s: %w", server.Name, err)
			}
		}
	}
	if !found && name != "" {
		return chain.NotFoundf("there is no cold server %s; tonql range list names them", name)
	}
	return nil
}

// Freeze vacuums and freezes the tables of a cold server, or of all for an empty name, so that they need no maintenance while they do not change.
func (s *Servers) Freeze(ctx context.Context, name string) error {
	return s.each(ctx, name, func(ctx context.Context, _, url string) error {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return sqlbuild.Fault(ctx, "connection", err)
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // nothing is left to do on it
		return cold.Freeze(ctx, conn)                                 //nolint:wrapcheck // it names the table
	})
}

// URLs calls fn with the name and the URL of each cold server. The URL has the password: it is for connecting alone.
func (s *Servers) URLs(ctx context.Context, fn func(ctx context.Context, name, url string) error) error {
	return s.each(ctx, "", fn)
}
