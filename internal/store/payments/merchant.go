package payments

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

const (
	merchantColumns = `m.id, m.name, m.network, m.wallet, m.assets, m.password <> '', m.created_at`
	selectMerchants = `SELECT ` + merchantColumns + ` FROM merchants m`

	selectMerchantByID   = selectMerchants + ` WHERE m.id = $1`
	selectMerchantByName = selectMerchants + ` WHERE m.network = $1 AND m.name = $2`
	selectMerchantsOf    = selectMerchants + ` WHERE $1 = '' OR m.network = $1 ORDER BY m.network, m.name`
	selectMerchantByKey  = `SELECT ` + merchantColumns + `, k.id FROM merchants m JOIN merchant_keys k ON k.merchant_id = m.id
		WHERE k.hash = $1 AND k.revoked_at IS NULL`

	insertMerchant = `INSERT INTO merchants (name, network, wallet, assets) VALUES ($1, $2, $3, $4) RETURNING id`
	updateMerchant = `UPDATE merchants SET wallet = $2, assets = $3 WHERE id = $1`
	selectPassword = `SELECT m.id, m.password, EXISTS (SELECT FROM merchant_addresses a WHERE a.merchant_id = m.id AND a.hash = $3
		AND a.used_at > now() - $4 * interval '1 second') FROM merchants m WHERE m.network = $1 AND m.name = $2`
	updatePassword  = `UPDATE merchants SET password = $2 WHERE id = $1`
	insertLogLine   = `INSERT INTO merchant_log (merchant_id, what, member) VALUES ($1, $2, $3)`
	selectMerchLog  = `SELECT at, what, member FROM merchant_log WHERE merchant_id = $1 ORDER BY id DESC LIMIT 100`
	touchKey        = `UPDATE merchant_keys SET used_at = now() WHERE hash = $1 AND (used_at IS NULL OR used_at < now() - interval '1 minute')`
	insertMerchKey  = `INSERT INTO merchant_keys (merchant_id, hash, hint, label) VALUES ($1, $2, $3, $4) RETURNING id`
	revokeMerchKey  = `UPDATE merchant_keys SET revoked_at = now() WHERE merchant_id = $1 AND id = $2 AND revoked_at IS NULL`
	selectMerchKeys = `SELECT id, hint, label, created_at, used_at, revoked_at FROM merchant_keys WHERE merchant_id = $1 AND (revoked_at IS NULL OR id IN (
		SELECT o.id FROM merchant_keys o WHERE o.merchant_id = $1 AND o.revoked_at IS NOT NULL ORDER BY o.revoked_at DESC, o.id DESC LIMIT $2)) ORDER BY id`
)

// CreateMerchant adds a merchant. Invalid when the network has one of that name.
func (s *Store) CreateMerchant(ctx context.Context, m *payment.Merchant) error {
	assets := m.Assets
	if assets == nil {
		assets = []string{}
	}
	err := s.pool.QueryRow(ctx, insertMerchant, m.Name, m.Network, m.Wallet, assets).Scan(&m.ID)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == sqlbuild.CodeUniqueViolation {
		return chain.Invalidf("%s has a merchant %s already", m.Network, chain.Quote(m.Name))
	}
	return sqlbuild.Fault(ctx, "merchant", err)
}

// UpdateMerchant changes wallet and assets.
func (s *Store) UpdateMerchant(ctx context.Context, m *payment.Merchant) error {
	assets := m.Assets
	if assets == nil {
		assets = []string{}
	}
	_, err := s.pool.Exec(ctx, updateMerchant, m.ID, m.Wallet, assets)
	return sqlbuild.Fault(ctx, "merchant", err)
}

// Merchant finds a merchant by id. NotFound when there is none.
func (s *Store) Merchant(ctx context.Context, id int64) (*payment.Merchant, error) {
	m, err := scanMerchant(s.pool.QueryRow(ctx, selectMerchantByID, id))
	return m, sqlbuild.Fault(ctx, "merchant", err)
}

// MerchantByName finds a merchant of a network. NotFound when there is none.
func (s *Store) MerchantByName(ctx context.Context, network, name string) (*payment.Merchant, error) {
	m, err := scanMerchant(s.pool.QueryRow(ctx, selectMerchantByName, network, name))
	return m, sqlbuild.Fault(ctx, "merchant", err)
}

// MerchantByKey returns the merchant of a valid API key and the key's id, nil for an unknown key. It records the use of the
// key.
func (s *Store) MerchantByKey(ctx context.Context, hash chain.Hash) (m *payment.Merchant, key int64, err error) {
	m, err = scanMerchant(s.pool.QueryRow(ctx, selectMerchantByKey, hash.Bytes()), &key)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, nil
	}
	if err == nil {
		_, err = s.pool.Exec(ctx, touchKey, hash.Bytes())
	}
	return m, key, sqlbuild.Fault(ctx, "merchant", err)
}

// Merchants lists merchants by network and name; "" stands for every network. Operators read it, so it has no pages.
func (s *Store) Merchants(ctx context.Context, network string) ([]payment.Merchant, error) {
	return listOf(ctx, s, "merchants", func(row pgx.CollectableRow) (payment.Merchant, error) {
		m, err := scanMerchant(row)
		if err != nil {
			return payment.Merchant{}, err
		}
		return *m, nil
	}, selectMerchantsOf, network)
}

// scanMerchant reads [merchantColumns], and into more what follows them.
func scanMerchant(row pgx.Row, more ...any) (*payment.Merchant, error) {
	m := &payment.Merchant{}
	if err := row.Scan(append([]any{&m.ID, &m.Name, &m.Network, &m.Wallet, &m.Assets, &m.HasLogin, &m.CreatedAt}, more...)...); err != nil {
		return nil, err
	}
	return m, nil
}

// listOf runs a query and returns all rows.
func listOf[T any](ctx context.Context, p *Store, what string, scan pgx.RowToFunc[T], query string, args ...any) ([]T, error) {
	rows, err := p.pool.Query(ctx, query, args...)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, what, err)
	}
	list, err := pgx.CollectRows(rows, scan)
	return list, sqlbuild.Fault(ctx, what, err)
}

// Password returns a merchant's id and argon2id text, and whether the address of that hash has signed in to it lately; 0
// when there is no such merchant.
func (s *Store) Password(ctx context.Context, network, name string, address chain.Hash) (id int64, phc string, recognized bool, err error) {
	err = s.pool.QueryRow(ctx, selectPassword, network, name, address.Bytes(), signInAddressLives.Seconds()).Scan(&id, &phc, &recognized)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, "", false, nil
	}
	return id, phc, recognized, sqlbuild.Fault(ctx, "merchant", err)
}

// SetPassword stores the argon2id text of a new password and ends the merchant's sessions and links.
func (s *Store) SetPassword(ctx context.Context, id int64, phc string) error {
	return s.transaction(ctx, "password", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, updatePassword, id, phc); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertLogLine, id, "password changed", actorOf(ctx)); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, deleteSessionsOf, id)
		return err
	})
}

// NoteMerchant writes a line into the merchant's log.
func (s *Store) NoteMerchant(ctx context.Context, id int64, what string) error {
	_, err := s.pool.Exec(ctx, insertLogLine, id, what, actorOf(ctx))
	return sqlbuild.Fault(ctx, "merchant log", err)
}

// MerchantLog returns the newest lines.
func (s *Store) MerchantLog(ctx context.Context, id int64) ([]payment.LogLine, error) {
	return listOf(ctx, s, "merchant log", func(row pgx.CollectableRow) (l payment.LogLine, err error) {
		err = row.Scan(&l.At, &l.What, &l.Member)
		return l, err
	}, selectMerchLog, id)
}

// CreateMerchantKey stores a new API key by its hash. A [payment.FullError] when the merchant has as many valid keys as it
// may have.
func (s *Store) CreateMerchantKey(ctx context.Context, merchant int64, hash chain.Hash, hint, label string) (id int64, err error) {
	err = s.pool.QueryRow(ctx, insertMerchKey, merchant, hash.Bytes(), hint, label).Scan(&id)
	if limit, full := sqlbuild.LimitOf(err); full {
		return 0, &payment.FullError{Limit: limit, Of: "valid API keys", Remedy: "revoke one first"}
	}
	return id, sqlbuild.Fault(ctx, "key", err)
}

// RevokeMerchantKey ends a key at once. NotFound when the merchant has no such valid key.
func (s *Store) RevokeMerchantKey(ctx context.Context, merchant, id int64) error {
	tag, err := s.pool.Exec(ctx, revokeMerchKey, merchant, id)
	if err == nil && tag.RowsAffected() == 0 {
		return chain.NotFoundf("there is no valid key %d", id)
	}
	return sqlbuild.Fault(ctx, "key", err)
}

// MerchantKeys lists a merchant's keys, with the newest of those that were revoked.
func (s *Store) MerchantKeys(ctx context.Context, merchant int64) ([]payment.Key, error) {
	return listOf(ctx, s, "keys", func(row pgx.CollectableRow) (k payment.Key, err error) {
		err = row.Scan(&k.ID, &k.Hint, &k.Label, &k.CreatedAt, &k.UsedAt, &k.RevokedAt)
		return k, err
	}, selectMerchKeys, merchant, maxEnded)
}
