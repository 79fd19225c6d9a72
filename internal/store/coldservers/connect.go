package coldservers

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
	"tonql/internal/store/locks"
	"tonql/internal/store/moves"
	"tonql/internal/store/sqlbuild"
)

// requireColdReaders lets no gateway start that would not read cold servers.
const requireColdReaders = `UPDATE schema_gateways SET needed = 111 WHERE migration = 111`

// requireMoved returns an error while rows of earlier versions are in another form: on a cold server they would stay in it.
func (s *Servers) requireMoved(ctx context.Context) error {
	list, err := moves.Statuses(ctx, s.pool)
	if err != nil {
		return sqlbuild.Fault(ctx, "moves", err)
	}
	if i := slices.IndexFunc(list, func(m moves.Status) bool { return !m.Done }); i >= 0 {
		return chain.Invalidf("rows of an earlier version are not in the form of this one yet (%s): let the indexer run, or run tonql migrate --background first", list[i].Name)
	}
	return nil
}

// Connect makes another database, which has the tables of the index and no blocks, a cold server and returns its name. The servers of both reach each other
// by the URL: this process prepares the other database, and the server of the index connects to it. A second call for the same database returns the same name.
func (s *Servers) Connect(ctx context.Context, url string) (name string, err error) {
	if err := cold.CheckURL(url); err != nil {
		return "", err //nolint:wrapcheck // of a kind
	}
	if err := s.requireMoved(ctx); err != nil {
		return "", err
	}
	there, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", sqlbuild.Fault(ctx, "cold server", err)
	}
	defer func() { _ = there.Close(context.WithoutCancel(ctx)) }() // nothing is left to do on it
	err = locks.Transaction(ctx, s.pool, func(tx pgx.Tx) error {
		if err := locks.Apply(ctx, tx); err != nil {
			return err //nolint:wrapcheck // the caller does
		}
		made, err := cold.Connect(ctx, tx, url)
		if err != nil {
			return err //nolint:wrapcheck // it says what it does
		}
		if err := pgx.BeginFunc(ctx, there, func(tx pgx.Tx) error { return cold.Prepare(ctx, tx, made.Pair) }); err != nil {
			return err //nolint:wrapcheck // as above
		}
		name = made.Name
		if _, err := tx.Exec(ctx, requireColdReaders); err != nil {
			return err //nolint:wrapcheck // the caller does
		}
		return cold.Build(ctx, tx) //nolint:wrapcheck // as above
	})
	err = cold.WithoutPassword(err)
	if chain.KindOf(err) != chain.Internal {
		return "", err
	}
	if err == nil {
		s.read.NoteCold()
		err = s.Claim(ctx, name)
	}
	return name, sqlbuild.Fault(ctx, "cold server", err)
}

// NotServer returns an error of kind Invalid for a database that is a cold server: what a service writes there would fail, or be found by nobody.
func (s *Servers) NotServer(ctx context.Context) error {
	is, err := cold.IsServer(ctx, s.pool)
	if err != nil {
		return sqlbuild.Fault(ctx, "kind of the database", err)
	}
	if is {
		return chain.Invalidf("the database is a cold server of an index, and has old blocks alone: give the URL of the database of the index, which reads this one")
	}
	return nil
}

// Upgrade brings a cold server, whose views are hidden, up to date by migrate, and its tables to those of a cold server. A server that belongs to another copy of the index is
// left as it is: that is an error of kind Invalid.
func (s *Servers) Upgrade(ctx context.Context, name, url string, migrate func(ctx context.Context, url string) error) error {
	var pair string
	var claims []string
	err := s.pool.QueryRow(ctx, `SELECT pair, ARRAY[coalesce(claim, ''), coalesce(next_claim, claim, '')] FROM cold_servers WHERE name = $1`, name).Scan(&pair, &claims)
	if err != nil {
		return sqlbuild.Fault(ctx, "cold servers", err)
	}
	there, err := pgx.Connect(ctx, url)
	if err != nil {
		return sqlbuild.Fault(ctx, "cold server "+name, err)
	}
	defer func() { _ = there.Close(context.WithoutCancel(ctx)) }() // nothing is left to do on it
	claim, err := cold.ClaimOf(ctx, there)
	if err != nil {
		return sqlbuild.Fault(ctx, "cold server "+name, err)
	}
	if !slices.Contains(claims, claim) {
		return cold.ErrCopy(name) //nolint:wrapcheck // of a kind
	}
	if err := migrate(ctx, url); err != nil {
		return err
	}
	err = pgx.BeginFunc(ctx, there, func(tx pgx.Tx) error { return cold.Prepare(ctx, tx, pair) })
	return sqlbuild.Fault(ctx, "cold server "+name, err)
}
