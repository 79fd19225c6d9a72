package payments

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	insertSession = `INSERT INTO merchant_sessions (hash, merchant_id, once, expires_at)
		VALUES ($1, $2, $3, now() + $4 * interval '1 second')`
	takeLink         = `DELETE FROM merchant_sessions WHERE hash = $1 AND once AND expires_at > now() RETURNING merchant_id`
	selectSession    = `SELECT merchant_id, ` + provenAge + ` FROM merchant_sessions s WHERE hash = $1 AND NOT once AND expires_at > now()`
	proveSession     = `UPDATE merchant_sessions SET proven_at = now() WHERE hash = $1 AND NOT once`
	deleteSession    = `DELETE FROM merchant_sessions WHERE hash = $1`
	deleteSessionsOf = `DELETE FROM merchant_sessions WHERE merchant_id = $1`
	sweepSessions    = `DELETE FROM merchant_sessions WHERE hash IN (SELECT hash FROM merchant_sessions WHERE expires_at < now()
		ORDER BY hash FOR UPDATE SKIP LOCKED)` // rows that another transaction deletes are skipped
	// lockMerchant serialises the deletion of a merchant's rows: two transactions that delete the same rows would deadlock.
	lockMerchant  = `SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE`
	boundSessions = `DELETE FROM merchant_sessions WHERE hash IN (SELECT hash FROM merchant_sessions WHERE merchant_id = $1 AND once = $2
		ORDER BY expires_at DESC, hash OFFSET $3)`

	rememberAddress = `INSERT INTO merchant_addresses (merchant_id, hash) VALUES ($1, $2)
		ON CONFLICT (merchant_id, hash) DO UPDATE SET used_at = now()`
	boundAddresses = `DELETE FROM merchant_addresses WHERE merchant_id = $1 AND hash IN (SELECT hash FROM merchant_addresses
		WHERE merchant_id = $1 ORDER BY used_at DESC, hash OFFSET $2)`
)

const (
	// maxSessions bounds the sessions of a merchant, and its links: the newest stay.
	maxSessions = 100
	// maxAddresses bounds the addresses that a merchant is recognised at: the newest stay, for signInAddressLives.
	maxAddresses       = 50
	signInAddressLives = 180 * 24 * time.Hour
)

// RememberAddress records a sign-in to a merchant from an address. It stores a hash of the address.
func (s *Store) RememberAddress(ctx context.Context, merchant int64, address chain.Hash) error {
	return s.transaction(ctx, "address", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockMerchant, merchant); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, rememberAddress, merchant, address.Bytes()); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, boundAddresses, merchant, maxAddresses)
		return err
	})
}

// OpenSession stores the hash of a token: of a session, or of a link that signs in once.
func (s *Store) OpenSession(ctx context.Context, token chain.Hash, merchant int64, once bool, lives time.Duration) error {
	return s.transaction(ctx, "session", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockMerchant, merchant); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sweepSessions); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertSession, token.Bytes(), merchant, once, lives.Seconds()); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, boundSessions, merchant, once, maxSessions)
		return err
	})
}

// TakeLink uses a link up and returns the merchant that it signs in, 0 for a link that is not valid or was used.
func (s *Store) TakeLink(ctx context.Context, token chain.Hash) (merchant int64, err error) {
	err = s.pool.QueryRow(ctx, takeLink, token.Bytes()).Scan(&merchant)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return merchant, sqlbuild.Fault(ctx, "link", err)
}

// provenAge is the time in seconds since the last authentication. Below zero the clock of the database has been set back.
const provenAge = `extract(epoch FROM now() - s.proven_at)::float8`

// proven is the time of an authentication by the clock of this process, which may differ from that of the database; zero when the database does not know how long ago it was.
func proven(seconds float64) time.Time {
	if seconds < 0 {
		return time.Time{}
	}
	return time.Now().Add(-time.Duration(seconds * float64(time.Second)))
}

// Session returns the merchant whose session a token opens, 0 for no session, and the time of the last authentication.
func (s *Store) Session(ctx context.Context, token chain.Hash) (merchant int64, at time.Time, err error) {
	var age float64
	err = s.pool.QueryRow(ctx, selectSession, token.Bytes()).Scan(&merchant, &age)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, time.Time{}, nil
	}
	return merchant, proven(age), sqlbuild.Fault(ctx, "session", err)
}

// ProveSession records that the user has entered the password again.
func (s *Store) ProveSession(ctx context.Context, token chain.Hash) error {
	_, err := s.pool.Exec(ctx, proveSession, token.Bytes())
	return sqlbuild.Fault(ctx, "session", err)
}

// CloseSession ends a session. It does nothing without one.
func (s *Store) CloseSession(ctx context.Context, token chain.Hash) error {
	_, err := s.pool.Exec(ctx, deleteSession, token.Bytes())
	return sqlbuild.Fault(ctx, "session", err)
}
