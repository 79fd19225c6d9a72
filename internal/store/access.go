package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	selectKeys = `SELECT k.id, k.hint, k.owner, k.network, k.label, k.liteservers, k.created_at, k.expires_at, o.plan, o.rate, o.most_keys
		FROM access_keys k JOIN access_owners o ON o.owner = k.owner AND o.network = k.network`

	selectKeyByHash   = selectKeys + ` WHERE k.hash = $1`
	selectKeyByID     = selectKeys + ` WHERE k.id = $1`
	selectKeysOfOwner = selectKeys + ` WHERE ($1 = '' OR k.network = $1) AND ($2 = '' OR k.owner = $2) ORDER BY k.network, k.owner, k.id`

	insertOwner = `INSERT INTO access_owners VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (owner, network) DO UPDATE SET plan = excluded.plan, rate = excluded.rate, most_keys = excluded.most_keys`
	insertKey = `INSERT INTO access_keys (hash, hint, owner, network, label, liteservers) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`
	expireKey = `UPDATE access_keys SET expires_at = now() + $2 * interval '1 second'
		WHERE id = $1 AND (expires_at IS NULL OR expires_at > now() + $2 * interval '1 second')`

	insertPageSecret = `INSERT INTO access_page_secret (secret) VALUES ($1) ON CONFLICT DO NOTHING`
	selectPageSecret = `SELECT secret FROM access_page_secret`

	leaseTokens  = `SELECT granted, remaining FROM access_lease($1, $2, $3, $4, $5)`
	sweepBuckets = `DELETE FROM access_buckets WHERE at < now() - interval '1 hour'`
)

// Access stores API keys and shared token buckets. It always queries the primary, so that a revoked key stops working at once.
type Access struct{ pool *pgxpool.Pool }

var _ access.Store = (*Access)(nil)

// Access returns the store of API keys and limits.
func (db *DB) Access() *Access { return &Access{pool: db.write} }

// KeyByHash implements access.Store.
func (a *Access) KeyByHash(ctx context.Context, hash chain.Hash) (*access.Key, error) {
	k, err := scanKey(a.pool.QueryRow(ctx, selectKeyByHash, hash.Bytes()))
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // the interface says so: most requested keys do not exist
	}
	return k, sqlbuild.Fault(ctx, "key", err)
}

// Lease implements access.Store.
func (a *Access) Lease(ctx context.Context, bucket string, rate, burst, want, owed float64) (granted, left float64, err error) {
	err = a.pool.QueryRow(ctx, leaseTokens, bucket, rate, burst, want, owed).Scan(&granted, &left)
	return granted, left, sqlbuild.Fault(ctx, "shared limits", err)
}

// PageSecret returns the secret that signs the tokens of tonql's pages. The first call creates it.
func (a *Access) PageSecret(ctx context.Context) ([]byte, error) {
	var secret []byte
	err := a.pool.QueryRow(ctx, selectPageSecret).Scan(&secret)
	if errors.Is(err, pgx.ErrNoRows) {
		if _, err := a.pool.Exec(ctx, insertPageSecret, access.NewPageSecret()); err != nil {
			return nil, sqlbuild.Fault(ctx, "secret of pages", err)
		}
		err = a.pool.QueryRow(ctx, selectPageSecret).Scan(&secret) // perhaps that of another process
	}
	return secret, sqlbuild.Fault(ctx, "secret of pages", err)
}

// SweepBuckets deletes shared buckets that were not used for an hour; they are full.
func (a *Access) SweepBuckets(ctx context.Context) error {
	_, err := a.pool.Exec(ctx, sweepBuckets)
	return sqlbuild.Fault(ctx, "shared limits", err)
}

// CreateKey stores a new key by its hash. A plan with a name becomes the owner's; without one the owner keeps theirs, and
// a new owner gets the first of [access.Plans]. Invalid when the owner has as many keys as the plan allows.
func (a *Access) CreateKey(ctx context.Context, o access.Order, hash chain.Hash, hint string) (*access.Key, error) {
	if err := o.Check(); err != nil {
		return nil, err //nolint:wrapcheck // made here, so to say
	}
	var id int64
	err := pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		if err := putOwner(ctx, tx, o); err != nil {
			return err
		}
		return tx.QueryRow(ctx, insertKey, hash.Bytes(), hint, o.Owner, o.Network, o.Label, o.Liteservers).Scan(&id)
	})
	if most, full := sqlbuild.LimitOf(err); full {
		return nil, chain.Invalidf("%s has %d keys on %s, which is what the plan allows: revoke one or choose a larger plan", o.Owner, most, o.Network)
	}
	if err != nil {
		return nil, keyFault(ctx, err)
	}
	return a.KeyByID(ctx, id)
}

func putOwner(ctx context.Context, tx pgx.Tx, o access.Order) error {
	p, text := o.Plan, insertOwner
	if p.Name == "" {
		p = access.Plans[0]
		text = `INSERT INTO access_owners VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`
	}
	_, err := tx.Exec(ctx, text, o.Owner, o.Network, p.Name, p.Rate, p.MaxKeys)
	return err //nolint:wrapcheck // named by the caller
}

// keyFault returns errors of the package chain unchanged.
func keyFault(ctx context.Context, err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == sqlbuild.CodeUniqueViolation {
		return chain.Invalidf("this key is stored already")
	}
	return sqlbuild.Fault(ctx, "key", err)
}

// KeyByID finds a key, valid or not. NotFound when there is none.
func (a *Access) KeyByID(ctx context.Context, id int64) (*access.Key, error) {
	k, err := scanKey(a.pool.QueryRow(ctx, selectKeyByID, id))
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, chain.NotFoundf("there is no key %d", id)
	}
	return k, sqlbuild.Fault(ctx, "key", err)
}

// Keys lists keys by network, owner and id; "" stands for every network or owner. Operators read it, so it has no pages.
func (a *Access) Keys(ctx context.Context, network, owner string) ([]access.Key, error) {
	rows, err := a.pool.Query(ctx, selectKeysOfOwner, network, owner)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "keys", err)
	}
	defer rows.Close()
	var keys []access.Key
	for rows.Next() {
		k, err := scanKey(rows)
		if err != nil {
			return nil, sqlbuild.Fault(ctx, "keys", err)
		}
		keys = append(keys, *k)
	}
	return keys, sqlbuild.Fault(ctx, "keys", rows.Err())
}

// ExpireKey sets the expiry of a key, at once when the duration is zero. It never postpones an earlier expiry.
func (a *Access) ExpireKey(ctx context.Context, id int64, after time.Duration) error {
	if _, err := a.KeyByID(ctx, id); err != nil {
		return err
	}
	_, err := a.pool.Exec(ctx, expireKey, id, after.Seconds())
	return sqlbuild.Fault(ctx, "key", err)
}

func scanKey(row pgx.Row) (*access.Key, error) {
	k := &access.Key{}
	err := row.Scan(&k.ID, &k.Hint, &k.Owner, &k.Network, &k.Label, &k.Liteservers, &k.CreatedAt, &k.ExpiresAt,
		&k.Plan.Name, &k.Plan.Rate, &k.Plan.MaxKeys)
	if err != nil {
		return nil, err //nolint:wrapcheck // named by the caller
	}
	return k, nil
}
