package store

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
)

// PendingLimits bound the stored messages that were sent. The zero value of a field means its default.
type PendingLimits struct {
	Messages   int           // 4096
	Bytes      int           // 64 MiB, of messages and of their emulated traces
	PerAccount int           // 16: an account takes few messages at once
	Age        time.Duration // 30 minutes, by the wall clock
	// Every is the number of messages of this process after which the limits on all messages are enforced: 32. In
	// between they may be exceeded by as many.
	Every int
}

func (l PendingLimits) withDefaults() PendingLimits {
	set := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	set(&l.Messages, 4096)
	set(&l.Bytes, 64<<20)
	set(&l.PerAccount, 16)
	set(&l.Every, 32)
	if l.Age <= 0 {
		l.Age = 30 * time.Minute
	}
	return l
}

// Pending stores the messages that were sent through gateways. It always queries the primary: what one gateway took,
// the others know at once.
type Pending struct {
	db     *DB
	pool   *pgxpool.Pool
	limits PendingLimits
	stored atomic.Uint64
}

var _ chain.PendingStore = (*Pending)(nil)

// Pending returns the store of messages that were sent.
func (db *DB) Pending(limits PendingLimits) *Pending {
	return &Pending{db: db, pool: db.write, limits: limits.withDefaults()}
}

const (
	// One message to an account at a time: concurrent transactions that do not see each other would store one too many.
	lockPendingAccount = `SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 0))`

	upsertPending = `INSERT INTO pending_messages
		(sent_utime, expire_utime, mc_seqno, size, hash_norm, hash, account, boc, content, accounts)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (hash_norm) DO UPDATE SET sent_at = now(), sent_utime = excluded.sent_utime, expire_utime = excluded.expire_utime,
			mc_seqno = excluded.mc_seqno, hash = excluded.hash, boc = excluded.boc,
			size = octet_length(excluded.boc) + octet_length(coalesce(excluded.content, pending_messages.content, '')),
			content = coalesce(excluded.content, pending_messages.content),
			accounts = CASE WHEN excluded.content IS NULL THEN pending_messages.accounts ELSE excluded.accounts END`

	// The newest messages to an account stay.
	boundPendingAccount = `DELETE FROM pending_messages p USING (SELECT hash_norm FROM pending_messages WHERE account = $1
		ORDER BY sent_at DESC, hash_norm OFFSET $2) o WHERE p.hash_norm = o.hash_norm`
	boundPendingAge = `DELETE FROM pending_messages WHERE sent_at < now() - $1 * interval '1 second'`
	boundPending    = `DELETE FROM pending_messages p USING (SELECT hash_norm FROM (SELECT hash_norm,
			row_number() OVER newest AS n, sum(size) OVER newest AS bytes FROM pending_messages
			WINDOW newest AS (ORDER BY sent_at DESC, hash_norm)) s WHERE n > $1 OR bytes > $2) o WHERE p.hash_norm = o.hash_norm`

	pendingColumns = `p.hash, p.hash_norm, p.account, p.boc, p.sent_utime, p.mc_seqno, p.expire_utime, p.accounts, p.content`

	selectNewestPending = `SELECT p.hash_norm, p.sent_at FROM pending_messages p ORDER BY p.sent_at DESC, p.hash_norm LIMIT $1`

	selectPendingOfAccounts = `SELECT ` + pendingColumns + ` FROM pending_messages p WHERE p.accounts && $1
		ORDER BY p.sent_at DESC, p.hash_norm LIMIT $2`
	selectPendingByHash = `SELECT ` + pendingColumns + ` FROM (
		SELECT m.hash_norm FROM unnest($1::bytea[]) k(hash) JOIN pending_messages m ON m.hash_norm = k.hash
		UNION SELECT m.hash_norm FROM unnest($1::bytea[]) k(hash) JOIN pending_messages m ON m.hash = k.hash) k
		JOIN pending_messages p ON p.hash_norm = k.hash_norm ORDER BY p.sent_at DESC, p.hash_norm LIMIT $2`
)

// StorePending implements [chain.PendingStore]. A standby stores nothing: other gateways do not know the message.
func (p *Pending) StorePending(ctx context.Context, m *chain.PendingMessage) error {
	if p.db.Standby() {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue(lockPendingAccount, m.Account.Bytes())
	b.Queue(upsertPending, int64(m.SentUtime), int64(m.ExpireUtime), int64(m.McSeqno), len(m.BOC)+len(m.Content),
		m.HashNorm[:], m.Hash[:], m.Account.Bytes(), []byte(m.BOC), []byte(m.Content), sqlbuild.AddressArray(m.Accounts))
	b.Queue(boundPendingAccount, m.Account.Bytes(), p.limits.PerAccount)
	if (p.stored.Add(1)-1)%uint64(p.limits.Every) == 0 {
		b.Queue(boundPendingAge, p.limits.Age.Seconds())
		b.Queue(boundPending, p.limits.Messages, p.limits.Bytes)
	}
	b.Queue(notifyPending)
	return sqlbuild.Fault(ctx, "pending message", p.pool.SendBatch(ctx, b).Close())
}

// PendingMessages implements [chain.PendingStore].
func (p *Pending) PendingMessages(ctx context.Context, f chain.PendingFilter, limit int) ([]chain.PendingMessage, error) {
	text, keys := selectPendingByHash, sqlbuild.HashArray(f.Hashes)
	if len(f.Accounts) > 0 {
		text, keys = selectPendingOfAccounts, sqlbuild.AddressArray(f.Accounts)
	}
	rows, err := p.pool.Query(ctx, text, keys, limit)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "pending messages", err)
	}
	list, err := pgx.CollectRows(rows, scanPending)
	return list, sqlbuild.Fault(ctx, "pending messages", err)
}

// NewestPending implements [chain.PendingStore].
func (p *Pending) NewestPending(ctx context.Context, limit int) ([]chain.LastSent, error) {
	rows, err := p.pool.Query(ctx, selectNewestPending, limit)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "newest pending messages", err)
	}
	list, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (m chain.LastSent, err error) {
		var hash []byte
		err = r.Scan(&hash, &m.At)
		m.Hash = chain.HashFrom(hash)
		return m, err //nolint:wrapcheck // named below
	})
	return list, sqlbuild.Fault(ctx, "newest pending messages", err)
}

// ListenPending implements [chain.PendingStore].
func (p *Pending) ListenPending(ctx context.Context, hint func(), lost func(error)) {
	if !p.db.poll(ctx, hint) {
		return
	}
	l := sqlbuild.Listener{Config: p.pool.Config().ConnConfig, Statement: listenPending, What: "notifications of messages", Lost: lost}
	l.Run(ctx, hint, func(string) { hint() })
}

func scanPending(r pgx.CollectableRow) (chain.PendingMessage, error) {
	var m chain.PendingMessage
	var hash, norm, account, boc, content []byte
	var accounts [][]byte
	var sent, seqno, expire int64
	if err := r.Scan(&hash, &norm, &account, &boc, &sent, &seqno, &expire, &accounts, &content); err != nil {
		return m, err //nolint:wrapcheck // named by the caller
	}
	m.Hash, m.HashNorm, m.BOC, m.Content = chain.HashFrom(hash), chain.HashFrom(norm), boc, content
	sqlbuild.SetAddress(&m.Account, account)
	m.SentUtime, m.McSeqno, m.ExpireUtime = uint32(sent), uint32(seqno), uint32(expire)
	m.Accounts = make([]chain.Address, len(accounts))
	for i := range accounts {
		sqlbuild.SetAddress(&m.Accounts[i], accounts[i])
	}
	return m, nil
}

// unfinishedDepth is how many transactions of an account, from its newest one on, are looked through for unfinished
// traces.
const unfinishedDepth = 256

var selectUnfinished = `SELECT ` + traces.TraceColumns + ` FROM (SELECT DISTINCT k.trace_id FROM unnest($1::bytea[]) a(account)
	CROSS JOIN LATERAL (SELECT t.trace_id FROM transactions t WHERE t.account = a.account ORDER BY t.lt DESC LIMIT $2) k) k
	JOIN traces t ON t.trace_id = k.trace_id WHERE t.pending > 0 ORDER BY t.end_lt DESC, t.trace_id LIMIT $3`

// UnfinishedTraces finds the traces with messages in flight in which one of the accounts had one of its newest
// transactions, by end LT, the newest first.
func (r *Reader) UnfinishedTraces(ctx context.Context, accounts []chain.Address, limit int) ([]chain.Trace, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	return sqlbuild.Collect(ctx, r.pool, "traces in flight", limit, traces.ScanTrace, selectUnfinished,
		sqlbuild.AddressArray(sqlbuild.Unique(accounts)), int64(unfinishedDepth), int64(limit))
}

// TraceRecords reads the records of accounts at a masterchain block, with their data when requested.
func (r *Reader) TraceRecords(ctx context.Context, accounts []chain.Address, mcSeqno uint32, data bool) (chain.TraceRecords, error) {
	trace := &chain.Trace{McSeqnoEnd: mcSeqno}
	found := chain.TraceRecords{}
	q := &traces.RecordRequests{}
	q.Add(trace, accounts, data, found)
	if err := q.Read(ctx, r.pool, map[chain.Hash]chain.TraceRecords{trace.ID: found}); err != nil {
		return nil, sqlbuild.Fault(ctx, "records of contracts", err)
	}
	return found, nil
}
