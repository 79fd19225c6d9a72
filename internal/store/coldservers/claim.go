package coldservers

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

// claimTimeout bounds the change of claims, which is one row of each cold server.
const claimTimeout = 10 * time.Second

// Claim renews the claims to the cold servers, or to the one of that name, so that no copy of the index that was made before changes them. A server that belongs to
// another copy is an error of kind Invalid.
func (s *Servers) Claim(ctx context.Context, name string) error {
	return s.eachClaim(ctx, name, cold.Owned)
}

// Adopt makes this copy of the index the one that a cold server belongs to, whichever it was before, and removes from it what this copy has itself.
func (s *Servers) Adopt(ctx context.Context, name string) error {
	if err := s.eachClaim(ctx, name, cold.Adopt); err != nil {
		return err
	}
	return s.Reconcile(ctx, name)
}

// eachClaim renews claims after check, each in database transactions of its own.
func (s *Servers) eachClaim(ctx context.Context, name string, check func(context.Context, pgx.Tx, string) error) error {
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	locked := func(fn func(tx pgx.Tx) error) error {
		return locks.Transaction(ctx, s.pool, func(tx pgx.Tx) error {
			if err := locks.Cold(ctx, tx); err != nil {
				return err
			}
			return fn(tx)
		})
	}
	var names []string
	err := locked(func(tx pgx.Tx) (err error) {
		names, err = cold.Servers(ctx, tx)
		return err //nolint:wrapcheck // it says what it reads
	})
	found := name == ""
	for _, server := range names {
		if name != "" && server != name {
			continue
		}
		found = true
		failed := locked(func(tx pgx.Tx) error {
			if err := check(ctx, tx, server); err != nil {
				return err
			}
			return cold.PrepareClaim(ctx, tx, server) //nolint:wrapcheck // it names the server
		})
		if failed == nil {
			failed = locked(func(tx pgx.Tx) error { return cold.Claim(ctx, tx, server) }) //nolint:wrapcheck // as above
		}
		err = errors.Join(err, failed)
	}
	if err == nil && !found {
		err = chain.NotFoundf("there is no cold server %s; tonql range list names them", chain.Quote(name))
	}
	return sqlbuild.Fault(ctx, "claims to cold servers", err)
}
