package payments

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// The lock of a second factor. Only somebody with the password can cause it.
const (
	// freeFailures wrong codes in a row are allowed; each further one doubles the lock, up to maxLock.
	freeFailures = 5
	firstLock    = 5 * time.Minute
	maxLock      = 12 * time.Hour
)

const (
	selectTOTP = `SELECT secret, confirmed_at IS NOT NULL FROM merchant_totp WHERE merchant_id = $1 AND member_id = $2`
	// A new secret replaces one that was not confirmed, never a confirmed one.
	upsertTOTP = `INSERT INTO merchant_totp (merchant_id, member_id, secret) VALUES ($1, $2, $3)
		ON CONFLICT (merchant_id, member_id) DO UPDATE SET secret = excluded.secret, last_step = 0 WHERE merchant_totp.confirmed_at IS NULL`
	// An attempt counts before its code is checked, so that concurrent attempts cannot exceed the limit. A lock that is a minute longer than any was made before the
	// clock was set back.
	beginTOTP = `UPDATE merchant_totp SET failures = failures + 1, locked_until = CASE WHEN failures + 1 >= $3
			THEN now() + least($4 * power(2, least(failures + 1 - $3, 20)), $5) * interval '1 second' END
		WHERE merchant_id = $1 AND member_id = $2 AND (locked_until IS NULL OR locked_until NOT BETWEEN now() AND now() + ($5 + 60) * interval '1 second') RETURNING secret, last_step`
	selectTOTPLock = `SELECT greatest(extract(epoch FROM locked_until - now()), 0)::float8 FROM merchant_totp
		WHERE merchant_id = $1 AND member_id = $2 AND locked_until BETWEEN now() AND now() + ($3 + 60) * interval '1 second'`
	// Of concurrent attempts with one code, one is accepted.
	acceptTOTP = `UPDATE merchant_totp SET failures = 0, locked_until = NULL, last_step = $3, confirmed_at = coalesce(confirmed_at, now())
		WHERE merchant_id = $1 AND member_id = $2 AND last_step < $3`
	clearTOTP      = `UPDATE merchant_totp SET failures = 0, locked_until = NULL WHERE merchant_id = $1 AND member_id = $2`
	deleteTOTP     = `DELETE FROM merchant_totp WHERE merchant_id = $1 AND member_id = $2`
	insertRecovery = `INSERT INTO merchant_recovery_codes (merchant_id, member_id, hash) SELECT $1, $2, unnest($3::bytea[])`
	deleteRecovery = `DELETE FROM merchant_recovery_codes WHERE merchant_id = $1 AND member_id = $2`
	takeRecovery   = `DELETE FROM merchant_recovery_codes WHERE merchant_id = $1 AND member_id = $2 AND hash = $3`
	countRecovery  = `SELECT count(*) FROM merchant_recovery_codes WHERE merchant_id = $1 AND member_id = $2`
)

// TOTP returns the sealed secret of a second factor and whether it is confirmed; nil without one. The member 0 is the merchant's own
// account.
func (s *Store) TOTP(ctx context.Context, merchant, member int64) (secret []byte, confirmed bool, err error) {
	err = s.pool.QueryRow(ctx, selectTOTP, merchant, member).Scan(&secret, &confirmed)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	return secret, confirmed, sqlbuild.Fault(ctx, "second factor", err)
}

// AddTOTP stores a sealed secret that [Store.TryTOTP] confirms by its first code.
func (s *Store) AddTOTP(ctx context.Context, merchant, member int64, secret []byte) error {
	tag, err := s.pool.Exec(ctx, upsertTOTP, merchant, member, secret)
	if err == nil && tag.RowsAffected() == 0 {
		return chain.Invalidf("there is a second factor already")
	}
	return sqlbuild.Fault(ctx, "second factor", err)
}

// TryTOTP counts an attempt and calls check with the sealed secret and the newest accepted step. It returns false when check does, when
// the step was used, and, with the time to wait, when there were too many attempts.
func (s *Store) TryTOTP(ctx context.Context, merchant, member int64, check func(secret []byte, last int64) (step int64, ok bool, err error)) (ok bool, wait time.Duration, err error) {
	secret, last, wait, err := s.beginTOTP(ctx, merchant, member)
	if err != nil || wait > 0 || secret == nil {
		return false, wait, err
	}
	step, ok, err := check(secret, last)
	if err != nil || !ok {
		return false, 0, err
	}
	tag, err := s.pool.Exec(ctx, acceptTOTP, merchant, member, step)
	return err == nil && tag.RowsAffected() == 1, 0, sqlbuild.Fault(ctx, "second factor", err)
}

// beginTOTP counts an attempt.
func (s *Store) beginTOTP(ctx context.Context, merchant, member int64) (secret []byte, last int64, wait time.Duration, err error) {
	err = s.pool.QueryRow(ctx, beginTOTP, merchant, member, freeFailures, firstLock.Seconds(), maxLock.Seconds()).Scan(&secret, &last)
	if !errors.Is(err, pgx.ErrNoRows) {
		return secret, last, 0, sqlbuild.Fault(ctx, "second factor", err)
	}
	var seconds float64
	err = s.pool.QueryRow(ctx, selectTOTPLock, merchant, member, maxLock.Seconds()).Scan(&seconds)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, 0, nil
	}
	return nil, 0, max(time.Millisecond, time.Duration(seconds*float64(time.Second))), sqlbuild.Fault(ctx, "second factor", err)
}

// TakeRecovery is [Store.TryTOTP] with a recovery code, which it uses up.
func (s *Store) TakeRecovery(ctx context.Context, merchant, member int64, hash chain.Hash) (ok bool, wait time.Duration, err error) {
	secret, _, wait, err := s.beginTOTP(ctx, merchant, member)
	if err != nil || wait > 0 || secret == nil {
		return false, wait, err
	}
	err = s.transaction(ctx, "recovery code", func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, takeRecovery, merchant, member, hash.Bytes())
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		ok = true
		if _, err := tx.Exec(ctx, clearTOTP, merchant, member); err != nil {
			return err
		}
		return s.note(ctx, tx, merchant, "recovery code used")
	})
	return ok && err == nil, 0, err
}

// SetRecovery replaces the recovery codes.
func (s *Store) SetRecovery(ctx context.Context, merchant, member int64, hashes []chain.Hash) error {
	return s.transaction(ctx, "recovery codes", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, deleteRecovery, merchant, member); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertRecovery, merchant, member, sqlbuild.HashArray(hashes)); err != nil {
			return err
		}
		return s.note(ctx, tx, merchant, "recovery codes made")
	})
}

// Recovery returns the number of unused recovery codes.
func (s *Store) Recovery(ctx context.Context, merchant, member int64) (n int, err error) {
	err = s.pool.QueryRow(ctx, countRecovery, merchant, member).Scan(&n)
	return n, sqlbuild.Fault(ctx, "recovery codes", err)
}

// RemoveTOTP removes a second factor with its recovery codes.
func (s *Store) RemoveTOTP(ctx context.Context, merchant, member int64) error {
	return s.transaction(ctx, "second factor", func(tx pgx.Tx) error {
		for _, query := range []string{deleteRecovery, deleteTOTP} {
			if _, err := tx.Exec(ctx, query, merchant, member); err != nil {
				return err
			}
		}
		return s.note(ctx, tx, merchant, "second factor removed")
	})
}

// EndOtherSessions ends the sessions of an account except that of one token. The member 0 is the merchant's own account.
func (s *Store) EndOtherSessions(ctx context.Context, merchant, member int64, except chain.Hash) error {
	return s.transaction(ctx, "sessions", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockMerchant, merchant); err != nil {
			return err
		}
		if member == 0 {
			_, err := tx.Exec(ctx, deleteOtherSessions, merchant, except.Bytes())
			return err
		}
		_, err := tx.Exec(ctx, deleteOtherMemberSessions, member, except.Bytes())
		return err
	})
}

const (
	deleteOtherSessions       = `DELETE FROM merchant_sessions WHERE merchant_id = $1 AND hash <> $2`
	deleteOtherMemberSessions = `DELETE FROM merchant_member_sessions WHERE member_id = $1 AND hash <> $2`
)
