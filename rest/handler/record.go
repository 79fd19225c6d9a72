package handler

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"tonql/internal/logs"
)

// Record holds the id of a request and what the APIs report about it for the log line and metrics. Only the goroutine that
// serves the request may write it.
type Record struct {
	ID    string
	Route string // pattern, such as /api/v3/transactions: a small fixed set, for metrics
	// Client is the address of the client, see [Client]; the zero address where none is known.
	Client netip.Addr
	Err    error // the error with all its causes; logged, never sent to clients
	// State is whether the status reports a state of the service, such as not ready. The request itself succeeded.
	State bool
	// Limited is whether the request failed by a timeout that the client chose.
	Limited bool
	// Cost is the number of tokens of the rate limit that the request took; 0 if its route takes none.
	Cost float64

	database, waited atomic.Int64 // see AddDatabase and Await
}

// AddDatabase adds the duration of a round trip to the database for the request. Safe for concurrent use.
func (r *Record) AddDatabase(took time.Duration) { r.database.Add(int64(took)) }

// Database returns the duration of all round trips to the database for the request. Concurrent ones are added up.
func (r *Record) Database() time.Duration { return time.Duration(r.database.Load()) }

// Waited returns how long the request waited in [Await].
func (r *Record) Waited() time.Duration { return time.Duration(r.waited.Load()) }

// RequestID implements [logs.Requested].
func (r *Record) RequestID() string { return r.ID }

// RecordOf returns the record of the request that ctx belongs to. Outside [Observe] it returns a new one, which is discarded.
func RecordOf(ctx context.Context) *Record {
	if r, ok := logs.RequestOf(ctx).(*Record); ok {
		return r
	}
	return &Record{}
}

// RequestID returns the id of the request that ctx belongs to, or "" outside a request.
func RequestID(ctx context.Context) string { return RecordOf(ctx).ID }

const maxRequestID = 64

// requestID returns the client's X-Request-Id if it is short and plain, otherwise a random id.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if id != "" && len(id) <= maxRequestID && plain(id) {
		return id
	}
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// plain reports whether s is safe in a header and a log line without quoting.
func plain(s string) bool {
	for _, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}
