package payments

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

// maxMembers bounds the present members of a merchant.
const maxMembers = 50

const (
	memberColumns = `b.id, b.merchant_id, b.name, b.role, b.password <> '', b.created_at,
		EXISTS (SELECT FROM merchant_totp o WHERE o.merchant_id = b.merchant_id AND o.member_id = b.id AND o.confirmed_at IS NOT NULL)`
	selectMembers        = `SELECT ` + memberColumns + ` FROM merchant_members b WHERE b.merchant_id = $1 AND b.removed_at IS NULL ORDER BY b.name`
	selectMember         = `SELECT ` + memberColumns + ` FROM merchant_members b WHERE b.merchant_id = $1 AND b.id = $2 AND b.removed_at IS NULL`
	countMembers         = `SELECT count(*) FROM merchant_members WHERE merchant_id = $1 AND removed_at IS NULL`
	insertMember         = `INSERT INTO merchant_members (merchant_id, name, role) VALUES ($1, $2, $3) RETURNING id`
	updateMemberRole     = `UPDATE merchant_members SET role = $3 WHERE merchant_id = $1 AND id = $2 AND removed_at IS NULL`
	removeMember         = `UPDATE merchant_members SET removed_at = now(), password = '' WHERE merchant_id = $1 AND id = $2 AND removed_at IS NULL`
	updateMemberPassword = `UPDATE merchant_members SET password = $3 WHERE merchant_id = $1 AND id = $2 AND removed_at IS NULL`
	selectMemberPassword = `SELECT m.id, b.id, b.password, EXISTS (SELECT FROM merchant_addresses a WHERE a.merchant_id = m.id AND a.hash = $4
		AND a.used_at > now() - $5 * interval '1 second') FROM merchants m JOIN merchant_members b ON b.merchant_id = m.id
		WHERE m.network = $1 AND m.name = $2 AND b.name = $3 AND b.removed_at IS NULL`

	insertMemberSession = `INSERT INTO merchant_member_sessions (hash, member_id, once, expires_at) VALUES ($1, $2, $3, now() + $4 * interval '1 second')`
	takeMemberLink      = `DELETE FROM merchant_member_sessions s USING merchant_members b WHERE s.hash = $1 AND s.once AND s.expires_at > now()
		AND b.id = s.member_id AND b.removed_at IS NULL RETURNING b.merchant_id, b.id`
	selectMemberSession = `SELECT ` + memberColumns + `, ` + provenAge + ` FROM merchant_member_sessions s JOIN merchant_members b ON b.id = s.member_id
		WHERE s.hash = $1 AND NOT s.once AND s.expires_at > now() AND b.removed_at IS NULL`
	proveMemberSession   = `UPDATE merchant_member_sessions SET proven_at = now() WHERE hash = $1 AND NOT once`
	deleteMemberSession  = `DELETE FROM merchant_member_sessions WHERE hash = $1`
	deleteMemberSessions = `DELETE FROM merchant_member_sessions WHERE member_id = $1`
	sweepMemberSessions  = `DELETE FROM merchant_member_sessions WHERE hash IN (SELECT hash FROM merchant_member_sessions WHERE expires_at < now()
		ORDER BY hash FOR UPDATE SKIP LOCKED)`
	boundMemberSessions = `DELETE FROM merchant_member_sessions WHERE hash IN (SELECT hash FROM merchant_member_sessions WHERE member_id = $1 AND once = $2
		ORDER BY expires_at DESC, hash OFFSET $3)`
)

type actorKey struct{}

// As returns a context whose changes the merchant's log attributes to a member.
func As(ctx context.Context, member string) context.Context {
	return context.WithValue(ctx, actorKey{}, member)
}

// actorOf returns the member of [As], "" for the merchant's own account.
func actorOf(ctx context.Context) string {
	member, _ := ctx.Value(actorKey{}).(string)
	return member
}

func scanMember(row pgx.Row, more ...any) (*payment.Member, error) {
	b := &payment.Member{}
	var role int16
	if err := row.Scan(append([]any{&b.ID, &b.Merchant, &b.Name, &role, &b.HasLogin, &b.CreatedAt, &b.HasTOTP}, more...)...); err != nil {
		return nil, err
	}
	b.Role = payment.Role(role)
	return b, nil
}

// Members lists the members of a merchant by name.
func (s *Store) Members(ctx context.Context, merchant int64) ([]payment.Member, error) {
	return listOf(ctx, s, "members", func(row pgx.CollectableRow) (payment.Member, error) {
		b, err := scanMember(row)
		if err != nil {
			return payment.Member{}, err
		}
		return *b, nil
	}, selectMembers, merchant)
}

// Member finds a member of a merchant. NotFound when there is none.
func (s *Store) Member(ctx context.Context, merchant, id int64) (*payment.Member, error) {
	b, err := scanMember(s.pool.QueryRow(ctx, selectMember, merchant, id))
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, chain.NotFoundf("there is no such member")
	}
	return b, sqlbuild.Fault(ctx, "member", err)
}

// CreateMember adds a member. A [payment.FullError] when the merchant has as many as it may have, Invalid when there is one of
// that name.
func (s *Store) CreateMember(ctx context.Context, merchant int64, name string, role payment.Role) (id int64, err error) {
	err = s.transaction(ctx, "member", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockMerchant, merchant); err != nil {
			return err
		}
		var present int
		if err := tx.QueryRow(ctx, countMembers, merchant).Scan(&present); err != nil {
			return err
		}
		if present >= maxMembers {
			return &payment.FullError{Limit: maxMembers, Of: "members", Remedy: "remove one first"}
		}
		if err := tx.QueryRow(ctx, insertMember, merchant, name, int16(role)).Scan(&id); err != nil {
			return err
		}
		return s.note(ctx, tx, merchant, "member "+name+" added as "+role.String())
	})
	if sqlbuild.IsUnique(err) {
		return 0, chain.Invalidf("there is a member %s already", chain.Quote(name))
	}
	return id, err
}

// SetMemberRole changes what a member may do, and ends the member's sessions.
func (s *Store) SetMemberRole(ctx context.Context, b *payment.Member, role payment.Role) error {
	return s.changeMember(ctx, b, "role of member "+b.Name+" changed to "+role.String(), updateMemberRole, b.Merchant, b.ID, int16(role))
}

// RemoveMember ends a member's access.
func (s *Store) RemoveMember(ctx context.Context, b *payment.Member) error {
	return s.changeMember(ctx, b, "member "+b.Name+" removed", removeMember, b.Merchant, b.ID)
}

// SetMemberPassword stores the argon2id text of a member's new password, and ends the member's sessions and links.
func (s *Store) SetMemberPassword(ctx context.Context, b *payment.Member, phc string) error {
	return s.changeMember(ctx, b, "password changed", updateMemberPassword, b.Merchant, b.ID, phc)
}

func (s *Store) changeMember(ctx context.Context, b *payment.Member, line, query string, args ...any) error {
	return s.transaction(ctx, "member", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockMerchant, b.Merchant); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, query, args...)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return chain.NotFoundf("there is no such member")
		}
		if _, err := tx.Exec(ctx, deleteMemberSessions, b.ID); err != nil {
			return err
		}
		return s.note(ctx, tx, b.Merchant, line)
	})
}

// note writes a line into the merchant's log.
func (s *Store) note(ctx context.Context, tx pgx.Tx, merchant int64, line string) error {
	_, err := tx.Exec(ctx, insertLogLine, merchant, line, actorOf(ctx))
	return err
}

// MemberPassword is [Store.Password] for a member: the ids of the merchant and the member, 0 when there is no such member.
func (s *Store) MemberPassword(ctx context.Context, network, merchant, member string, address chain.Hash) (id, memberID int64, phc string, recognized bool, err error) {
	err = s.pool.QueryRow(ctx, selectMemberPassword, network, merchant, member, address.Bytes(), signInAddressLives.Seconds()).Scan(&id, &memberID, &phc, &recognized)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, 0, "", false, nil
	}
	return id, memberID, phc, recognized, sqlbuild.Fault(ctx, "member", err)
}

// OpenMemberSession stores the hash of a member's token: of a session, or of a link that signs in once.
func (s *Store) OpenMemberSession(ctx context.Context, token chain.Hash, b *payment.Member, once bool, lives time.Duration) error {
	return s.transaction(ctx, "session", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockMerchant, b.Merchant); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sweepMemberSessions); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertMemberSession, token.Bytes(), b.ID, once, lives.Seconds()); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, boundMemberSessions, b.ID, once, maxSessions)
		return err
	})
}

// TakeMemberLink uses a link up and returns the ids of the merchant and the member that it signs in, 0 for a link that is not valid or
// was used.
func (s *Store) TakeMemberLink(ctx context.Context, token chain.Hash) (merchant, member int64, err error) {
	err = s.pool.QueryRow(ctx, takeMemberLink, token.Bytes()).Scan(&merchant, &member)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, 0, nil
	}
	return merchant, member, sqlbuild.Fault(ctx, "link", err)
}

// MemberSession returns the member whose session a token opens, nil for no session, and the time of the last authentication.
func (s *Store) MemberSession(ctx context.Context, token chain.Hash) (b *payment.Member, at time.Time, err error) {
	var age float64
	b, err = scanMember(s.pool.QueryRow(ctx, selectMemberSession, token.Bytes()), &age)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, time.Time{}, nil
	}
	return b, proven(age), sqlbuild.Fault(ctx, "session", err)
}

// ProveMemberSession records that the member has entered the password again.
func (s *Store) ProveMemberSession(ctx context.Context, token chain.Hash) error {
	_, err := s.pool.Exec(ctx, proveMemberSession, token.Bytes())
	return sqlbuild.Fault(ctx, "session", err)
}

// CloseMemberSession ends a session. It does nothing without one.
func (s *Store) CloseMemberSession(ctx context.Context, token chain.Hash) error {
	_, err := s.pool.Exec(ctx, deleteMemberSession, token.Bytes())
	return sqlbuild.Fault(ctx, "session", err)
}
